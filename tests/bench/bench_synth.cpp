// How fast synthetic traces are written: 8 ranks, plain and gzip, eager and as a CUDA graph.
#include "model/synthetic/syntheticrun.h"

#include <benchmark/benchmark.h>

#include <filesystem>

namespace {

void write(benchmark::State& state, const char* preset, bool graph, bool gzip) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "lockstep-bench-synth";
    lockstep::SyntheticOptions options;
    options.preset = preset;
    options.megabytesPerRank = 40;
    options.graph = graph;
    options.gzip = gzip;
    options.folder = folder.string();
    std::uint64_t bytes = 0;
    for (auto _ : state) {
        const auto report = lockstep::writeSyntheticRun(options);
        if (!report) {
            state.SkipWithError(report.error().message.c_str());
            break;
        }
        bytes += report->textBytes;
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
    std::filesystem::remove_all(folder);
}

} // namespace

BENCHMARK_CAPTURE(write, kimi, "kimi-k2.5-int4-vllm", false, false)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(write, kimi_gzip, "kimi-k2.5-int4-vllm", false, true)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(write, kimi_graph, "kimi-k2.5-int4-vllm", true, false)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(write, glm, "glm-5-nvfp4-sglang", false, false)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_MAIN();
