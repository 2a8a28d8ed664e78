// Time and memory of all analyses, beside the loading of the same traces: both grow with the events, and the
// analysis must stay below.
#include "model/analysis/runanalysis.h"
#include "model/run/runloader.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

using namespace lockstep;

/// The largest capture at hand: two ranks of 312,000 events each, or the small ones of the tests.
std::vector<std::string> captureFiles(const std::string& set) {
    const std::string shared = std::string(LOCKSTEP_SHARED) + "/data/real/" + set;
    const std::string prefix = std::filesystem::exists(shared + "-rank0.pt.trace.json.gz")
                                   ? shared
                                   : std::string(LOCKSTEP_TEST_DATA) + "/kimi-graph-4steps";
    return {prefix + "-rank0.pt.trace.json.gz", prefix + "-rank1.pt.trace.json.gz"};
}

/// A run of `ranks` ranks from the two captured ones, each a copy on a clock of its own.
std::shared_ptr<const Run> copies(const Run& captured, std::size_t ranks) {
    auto run = std::make_shared<Run>(captured);
    run->worldSize = static_cast<int>(ranks);
    run->ranks.clear();
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        run->ranks.push_back(captured.ranks[rank % captured.ranks.size()]);
        run->ranks.back().rank = static_cast<int>(rank);
    }
    return run;
}

std::size_t columnBytes(const Run& run) {
    // A copied rank's columns hold no spare room: count what 40 bytes an event make.
    return run.eventCount() * 40;
}

std::size_t resultBytes(const RunAnalysis& analysis) {
    return analysis.steps.memoryBytes() + analysis.collectives.memoryBytes() + analysis.stalls.memoryBytes();
}

double secondsOf(const std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void loadThenAnalyse(benchmark::State& state, const std::string& set) {
    const auto ranks = static_cast<std::size_t>(state.range(0));
    const auto files = captureFiles(set);
    double loading = 0;
    std::shared_ptr<const Run> captured;
    for (int round = 0; round < 3; ++round) {
        const auto start = std::chrono::steady_clock::now();
        const auto run = loadRun(files);
        if (!run) {
            state.SkipWithError("the capture cannot be loaded");
            return;
        }
        captured = *run;
        loading = round == 0 ? secondsOf(start) : std::min(loading, secondsOf(start));
    }
    const std::shared_ptr<const Run> run = copies(*captured, ranks);
    std::shared_ptr<const RunAnalysis> analysis;
    double analysing = 0;
    for ([[maybe_unused]] auto step : state) {
        const auto start = std::chrono::steady_clock::now();
        analysis = analyseRun(run);
        analysing += secondsOf(start);
    }
    analysing /= static_cast<double>(state.iterations());
    loading *= static_cast<double>(ranks) / static_cast<double>(files.size());
    state.counters["events"] = static_cast<double>(run->eventCount());
    state.counters["matched"] = static_cast<double>(analysis->collectives.matched.size());
    state.counters["load_ms"] = loading * 1e3;
    state.counters["of_load_percent"] = 100 * analysing / loading;
    state.counters["of_columns_percent"] =
        100.0 * static_cast<double>(resultBytes(*analysis)) / static_cast<double>(columnBytes(*run));
}

void eager(benchmark::State& state) {
    loadThenAnalyse(state, "kimi-eager");
}
void graph(benchmark::State& state) {
    loadThenAnalyse(state, "kimi-graph");
}

BENCHMARK(eager)->Name("analyse/eager")->Arg(2)->Arg(8)->Arg(64)->Unit(benchmark::kMillisecond);
BENCHMARK(graph)->Name("analyse/graph")->Arg(2)->Arg(8)->Arg(64)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
