#include "tests/support/runbuilder.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace lockstep::test {

namespace {

/// Like a real capture: its first event some time after the base.
constexpr Time kFirst = 5'000s;
/// From a marker's begin to its first kernel's.
constexpr Time kLaunchLead = 20us;
constexpr Time kLaunchEvery = 800ns;

Time of(const RunBuilder::PerRank& times, std::size_t rank) {
    const auto at = times.find(static_cast<int>(rank));
    return at == times.end() ? Time{} : at->second;
}

} // namespace

RunBuilder::RunBuilder(int ranks) {
    for (int rank = 0; rank < ranks; ++rank)
        m_ranks.push_back(RankState{TraceBuilder(rank, ranks), kFirst, kFirst});
}

RunBuilder& RunBuilder::step(int number, std::string_view marker) {
    endStep();
    m_marker = marker.empty() ? fmt::format("execute_context_0(0)_generation_{0}({0})", number)
                              : std::string(marker);
    for (RankState& rank : m_ranks) {
        rank.stepBegin = std::max(rank.cpu, rank.gpu) + 10us;
        rank.cpu = rank.stepBegin + 1us;
        rank.gpu = rank.stepBegin + kLaunchLead;
    }
    return *this;
}

RunBuilder& RunBuilder::endStep() {
    for (RankState& rank : m_ranks) {
        if (m_marker.empty())
            break;
        const Time begin = shown(rank, rank.stepBegin);
        rank.trace.annotation(m_marker, begin, shown(rank, rank.cpu) - begin);
        rank.cpu += 1us;
    }
    m_marker.clear();
    return *this;
}

RunBuilder& RunBuilder::compute(std::string_view kernel, Time duration) {
    PerRank durations;
    for (std::size_t rank = 0; rank < m_ranks.size(); ++rank)
        durations[static_cast<int>(rank)] = duration;
    return compute(kernel, durations);
}

RunBuilder& RunBuilder::compute(std::string_view kernel, const PerRank& durations) {
    for (const auto& [rank, duration] : durations) {
        RankState& state = m_ranks[static_cast<std::size_t>(rank)];
        addKernel(state, kernel, state.gpu, duration, {});
    }
    return *this;
}

RunBuilder& RunBuilder::hostDelay(const PerRank& delays) {
    for (const auto& [rank, delay] : delays) {
        RankState& state = m_ranks[static_cast<std::size_t>(rank)];
        state.gpu += delay;
        state.cpu = std::max(state.cpu, state.gpu - 1us);
    }
    return *this;
}

RunBuilder& RunBuilder::allReduce(const PerRank& late, Time transfer) {
    const std::string args = fmt::format("\"Collective name\": \"allreduce\", \"In msg nelems\": 7168, \"Out "
                                         "msg nelems\": 7168, \"Group size\": {}, "
                                         "\"dtype\": \"BFloat16\", \"Process Group Name\": \"0\", \"Process "
                                         "Group Description\": \"default_pg\", \"Seq\": {}",
                                         m_ranks.size(), ++m_sequence);
    return collective("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", args,
                      late, transfer);
}

RunBuilder& RunBuilder::collective(std::string_view kernel, std::string_view args, const PerRank& late,
                                   Time transfer) {
    std::vector<Time> arrivals;
    for (std::size_t i = 0; i < m_ranks.size(); ++i)
        arrivals.push_back(m_ranks[i].gpu + of(late, i));
    const Time end = *std::max_element(arrivals.begin(), arrivals.end()) + transfer;
    for (std::size_t i = 0; i < m_ranks.size(); ++i)
        addKernel(m_ranks[i], kernel, arrivals[i], end - arrivals[i], args);
    return *this;
}

RunBuilder& RunBuilder::clock(int rank, Time offset, double driftPpm) {
    m_ranks[static_cast<std::size_t>(rank)].offset = offset;
    m_ranks[static_cast<std::size_t>(rank)].driftPpm = driftPpm;
    return *this;
}

std::string RunBuilder::text(int rank) {
    endStep();
    return m_ranks[static_cast<std::size_t>(rank)].trace.text();
}

std::vector<std::string> RunBuilder::writeTo(const TemporaryFolder& folder) {
    std::vector<std::string> files;
    for (std::size_t rank = 0; rank < m_ranks.size(); ++rank)
        files.push_back(folder.write(fmt::format("rank{}.json", rank), text(static_cast<int>(rank))));
    return files;
}

Time RunBuilder::shown(const RankState& rank, Time trueTime) {
    const double drift = static_cast<double>((trueTime - kFirst).count()) * rank.driftPpm * 1e-6;
    return trueTime + rank.offset + Time{std::llround(drift)};
}

void RunBuilder::addKernel(RankState& rank, std::string_view name, Time begin, Time duration,
                           std::string_view args) {
    // A kernel cannot begin before its launch; the CPU usually runs ahead.
    const Time launch = std::min(rank.cpu, begin - 500ns);
    const Time end = begin + duration;
    const Time from = shown(rank, begin);
    rank.trace.launchedKernel(name, shown(rank, launch), from, shown(rank, end) - from,
                              {.args = std::string(args)});
    rank.cpu = launch + kLaunchEvery;
    rank.gpu = end;
}

} // namespace lockstep::test
