#include "model/import/ranksplitter.h"

#include "model/import/mergedids.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace lockstep {

namespace {

/// The number after `word` in a label such as "TP03-DP00"; -1: not there.
int numberIn(std::string_view label, std::string_view word) {
    const std::size_t at = label.find(word);
    int number = -1;
    if (at != std::string_view::npos)
        std::from_chars(label.data() + at + word.size(), label.data() + label.size(), number);
    return number;
}

} // namespace

std::size_t lengthOfRankLabel(std::string_view pid) {
    if (!pid.starts_with("[TP") && !pid.starts_with("[DP") && !pid.starts_with("[PP") &&
        !pid.starts_with("[EP"))
        return 0;
    const std::size_t close = pid.find(']');
    if (close == std::string_view::npos || close < 4 || pid[3] < '0' || pid[3] > '9')
        return 0;
    return std::min(pid.find_first_not_of(' ', close + 1), pid.size());
}

void RankSplitter::start() {
    m_started = true;
    if (const auto merged = m_header.other.find(std::string(kMergedKey)); merged != m_header.other.end())
        m_layout = readMergedLayout(merged->second);
    m_parts.resize(m_layout ? m_layout->ranks.size() : 1);
}

void RankSplitter::event(const ParsedEvent& event) {
    if (!m_started)
        start();
    ++m_eventCount;
    if (m_layout) {
        mergedEvent(event);
        return;
    }
    if (const std::size_t label = lengthOfRankLabel(event.pid); label > 0) {
        labelledEvent(event, label);
        return;
    }
    ++m_parts.front().events;
    if (!m_byLabel.empty())
        ++m_unlabelled;
    m_parts.front().assembler.event(event);
}

/// Back to the rank's own process ids, ids and times; what merging added is left out.
void RankSplitter::mergedEvent(const ParsedEvent& event) {
    const auto part = partOfPid(event.pid);
    if (event.category == kMergedCategory || !part || *part >= m_parts.size())
        return;
    const MergedRank& rank = m_layout->ranks[*part];
    m_own = event;
    if (const auto pid = rank.pids.find(event.pid); pid != rank.pids.end())
        m_own.pid = pid->second;
    const std::string time = m_layout->originalTime(event.time, *part);
    if (!event.time.empty())
        m_own.time = time;
    m_own.id = originalId(event.id);
    for (const Argument argument : {Argument::Correlation, Argument::ExternalId})
        m_own.arguments[static_cast<std::size_t>(argument)] = originalId(event.argument(argument));
    if (event.phase == "M" && event.name.starts_with(kMergedOriginal))
        m_own.name.remove_prefix(kMergedOriginal.size());
    ++m_parts[*part].events;
    m_parts[*part].assembler.event(m_own);
}

void RankSplitter::labelledEvent(const ParsedEvent& event, std::size_t labelEnd) {
    Part& part = partOf(event.pid.substr(1, event.pid.find(']') - 1));
    m_own = event;
    m_own.pid.remove_prefix(labelEnd);
    ++part.events;
    part.assembler.event(m_own);
}

RankSplitter::Part& RankSplitter::partOf(std::string_view label) {
    if (const auto found = m_byLabel.find(label); found != m_byLabel.end())
        return m_parts[found->second];
    // The first label takes what has come before it: names and spans of the process as a whole.
    if (!m_byLabel.empty())
        m_parts.emplace_back();
    m_byLabel.emplace(label, m_parts.size() - 1);
    m_parts.back().label = label;
    return m_parts.back();
}

/// By part. The tensor-parallel rank where that tells all apart, else the place in order of the labels.
std::vector<int> RankSplitter::ranksOfLabels() const {
    std::vector<int> ranks;
    std::set<int> distinct;
    for (const Part& part : m_parts) {
        ranks.push_back(numberIn(part.label, "TP"));
        distinct.insert(ranks.back());
    }
    if (distinct.size() == m_parts.size() && *distinct.begin() >= 0)
        return ranks;
    int next = 0;
    for (const auto& [label, part] : m_byLabel)
        ranks[part] = next++;
    return ranks;
}

std::optional<RankTrace> RankSplitter::soFar(TraceHeader header, ImportReport report) const {
    if (m_layout || !m_byLabel.empty() || m_parts.empty())
        return std::nullopt;
    return TraceAssembler(m_parts.front().assembler).finish(std::move(header), std::move(report));
}

std::vector<RankTrace> RankSplitter::finish(const TraceHeader& header, const ImportReport& report) && {
    if (!m_started)
        start();
    std::vector<RankTrace> traces;
    const std::vector<int> labelRanks = ranksOfLabels();
    for (std::size_t part = 0; part < m_parts.size(); ++part) {
        if (m_layout) {
            MergedRank& rank = m_layout->ranks[part];
            RankTrace trace = std::move(m_parts[part].assembler).finish(std::move(rank.header), report);
            trace.rank = rank.rank;
            trace.rankSource = rank.source;
            traces.push_back(std::move(trace));
            continue;
        }
        RankTrace trace = std::move(m_parts[part].assembler).finish(header, report);
        if (!m_byLabel.empty()) {
            // What the header says is of one rank only, whichever was merged first.
            if (trace.header.distributed)
                trace.header.distributed->rank.reset();
            trace.rank = labelRanks[part];
            trace.rankSource = RankSource::Name;
            trace.report.warn("merged_base_lost",
                              "ranks merged into one file by another program were split by their labels; "
                              "each rank's own clock base is lost, so that only matched collectives can "
                              "align them");
            for (std::uint64_t i = 0; part == 0 && i < m_unlabelled; ++i)
                trace.report.warn("merged_without_label",
                                  "events that name no rank were given to the first of the merged ranks");
        }
        traces.push_back(std::move(trace));
    }
    return traces;
}

} // namespace lockstep
