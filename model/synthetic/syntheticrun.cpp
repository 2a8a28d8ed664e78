#include "model/synthetic/syntheticrun.h"

#include "model/synthetic/noise.h"
#include "model/synthetic/presets.h"
#include "model/synthetic/tracefile.h"
#include "model/synthetic/truthfile.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

namespace lockstep {

namespace {

constexpr int kMostRanks = 4096;
constexpr double kClockSpreadNs = 800'000;
constexpr double kDriftSpreadPpm = 8;
/// Bytes of text a kernel brings at least, counted on the presets: its event, launch, flows and CPU ops.
constexpr double kTextPerOp = 1850;
constexpr double kTextPerGraphOp = 690;
constexpr std::uint64_t kClockDraw = 101;

Error badArgument(std::string message) {
    return {ErrorCode::BadArgument, "", {}, std::move(message)};
}

Result<void> check(const SyntheticOptions& options, const PlannedStep& plan) {
    if (options.ranks < 1 || options.ranks > kMostRanks)
        return make_unexpected(
            badArgument(fmt::format("{} ranks: choose 1 to {}", options.ranks, kMostRanks)));
    if (options.steps < 1 || options.steps > 100'000)
        return make_unexpected(badArgument(fmt::format("{} steps: choose 1 to 100000", options.steps)));
    for (const InjectedStall& stall : options.stalls) {
        if (stall.rank >= options.ranks)
            return make_unexpected(badArgument(fmt::format("a stall names rank {}, the run has ranks 0 to {}",
                                                           stall.rank, options.ranks - 1)));
        if (stall.layer >= plan.layers)
            return make_unexpected(badArgument(fmt::format(
                "a stall names layer {}, the model has layers 0 to {}", stall.layer, plan.layers - 1)));
        if (stall.step >= options.steps)
            return make_unexpected(badArgument(fmt::format("a stall names step {}, the run has steps 0 to {}",
                                                           stall.step, options.steps - 1)));
    }
    return {};
}

/// File names as the engines give them, so that a folder loads as one run.
std::string fileName(const PlannedStep& plan, int rank, bool gzip) {
    const std::string_view suffix = gzip ? ".gz" : "";
    constexpr TimeNs kSeconds = (kSyntheticBaseNs + kSyntheticStartNs) / 1'000'000'000;
    if (plan.engine == "sglang")
        return fmt::format("{}-TP-{}.trace.json{}", kSeconds, rank, suffix);
    return fmt::format("dp0_pp0_tp{0}_dcp0_ep0_rank{0}.{1}.pt.trace.json{2}", rank,
                       kSyntheticBaseNs + kSyntheticStartNs + rank, suffix);
}

/// Calls `work(rank)` for all ranks on `threads` threads; returns the error of the lowest rank that failed.
template <class Work>
Result<void> forAllRanks(int ranks, unsigned threads, const Work& work) {
    std::atomic<int> next{0};
    std::mutex mutex;
    std::optional<std::pair<int, Error>> failed;
    const auto loop = [&] {
        for (int rank = next++; rank < ranks; rank = next++) {
            Result<void> done = work(rank);
            if (done)
                continue;
            const std::lock_guard lock(mutex);
            if (!failed || rank < failed->first)
                failed.emplace(rank, std::move(done.error()));
        }
    };
    {
        std::vector<std::jthread> workers;
        for (unsigned t = 1; t < threads; ++t)
            workers.emplace_back(loop);
        loop();
    }
    if (failed)
        return make_unexpected(std::move(failed->second));
    return {};
}

bool parseNumber(std::string_view text, int& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() && value >= 0;
}

} // namespace

Result<InjectedStall> parseInjectedStall(const std::string& text) {
    std::vector<std::string_view> fields;
    std::string_view rest = text;
    for (std::size_t colon = rest.find(':'); colon != std::string_view::npos; colon = rest.find(':')) {
        fields.push_back(rest.substr(0, colon));
        rest.remove_prefix(colon + 1);
    }
    fields.push_back(rest);
    InjectedStall stall;
    int microseconds = 0;
    const bool cause = fields.size() == 5 && (fields[4] == "kernel" || fields[4] == "host");
    if ((fields.size() != 4 && !cause) || !parseNumber(fields[0], stall.step) ||
        !parseNumber(fields[1], stall.layer) || !parseNumber(fields[2], stall.rank) ||
        !parseNumber(fields[3], microseconds) || microseconds > 1'000'000)
        return make_unexpected(badArgument(fmt::format(
            "\"{}\" is no stall: write STEP:LAYER:RANK:US, then :kernel or :host if you like", text)));
    stall.delayNs = TimeNs{microseconds} * 1000;
    stall.cause = cause && fields[4] == "host" ? SyntheticCause::Host : SyntheticCause::Kernel;
    return stall;
}

std::vector<SyntheticClock> syntheticClocks(int ranks, std::uint64_t seed) {
    const Noise noise(seed);
    std::vector<SyntheticClock> clocks(static_cast<std::size_t>(ranks));
    for (std::size_t r = 1; r < clocks.size(); ++r) {
        clocks[r].offsetNs = std::llround(kClockSpreadNs * noise.symmetric(kClockDraw, r, 0));
        clocks[r].driftPpm = kDriftSpreadPpm * noise.symmetric(kClockDraw, r, 1);
    }
    return clocks;
}

Result<SyntheticReport> writeSyntheticRun(const SyntheticOptions& options) {
    const auto started = std::chrono::steady_clock::now();
    const Result<PlannedStep> plan = plannedStep(options.preset);
    if (!plan)
        return make_unexpected(plan.error());
    SyntheticOptions sized = options;
    if (options.megabytesPerRank > 0) {
        const double perStep =
            static_cast<double>(plan->ops.size()) * (options.graph ? kTextPerGraphOp : kTextPerOp);
        sized.steps =
            static_cast<int>(std::clamp(std::ceil(options.megabytesPerRank * 1e6 / perStep), 1.0, 100'000.0));
    }
    if (Result<void> valid = check(sized, *plan); !valid)
        return make_unexpected(valid.error());
    std::error_code error;
    std::filesystem::create_directories(sized.folder, error);
    if (error)
        return make_unexpected(
            Error{ErrorCode::Unreadable, sized.folder, {}, "the folder cannot be made: " + error.message()});

    const SimulationOptions simulation{sized.ranks, sized.steps, sized.seed, sized.graph, sized.stalls};
    const SimulatedRun run = simulate(*plan, simulation);
    const std::vector<SyntheticClock> clocks = syntheticClocks(sized.ranks, sized.seed);

    SyntheticReport report;
    report.steps = sized.steps;
    for (int r = 0; r < sized.ranks; ++r)
        report.files.push_back(
            (std::filesystem::path(sized.folder) / fileName(*plan, r, sized.gzip)).string());
    std::atomic<std::uint64_t> textBytes{0};
    const unsigned threads =
        sized.threads > 0 ? sized.threads : std::max(1U, std::thread::hardware_concurrency());
    Result<void> written = forAllRanks(sized.ranks, threads, [&](int rank) -> Result<void> {
        if (sized.stop.stop_requested())
            return make_unexpected(Error{ErrorCode::Cancelled, "", {}, "cancelled"});
        const auto index = static_cast<std::size_t>(rank);
        const Result<std::uint64_t> bytes = writeKinetoTrace(
            *plan, run,
            {rank, sized.ranks, clocks[index], sized.graph, sized.seed, report.files[index], sized.gzip});
        if (!bytes)
            return make_unexpected(bytes.error());
        textBytes += *bytes;
        if (sized.ranksDone != nullptr)
            ++*sized.ranksDone;
        return {};
    });
    if (!written)
        return make_unexpected(written.error());

    report.truthFile = (std::filesystem::path(sized.folder) / "truth.json").string();
    Result<TraceFile> truth = TraceFile::create(report.truthFile, Compression::None);
    if (!truth)
        return make_unexpected(truth.error());
    truth->write(truthJson(*plan, run, simulation, clocks));
    if (Result<void> finished = truth->finish(); !finished)
        return make_unexpected(finished.error());
    report.textBytes = textBytes;
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return report;
}

} // namespace lockstep
