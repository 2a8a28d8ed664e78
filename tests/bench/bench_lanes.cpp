// What one lane costs to lay out, all of it in view of 1920 pixels, and to prepare.
#include "model/layout/visiblespans.h"
#include "tests/support/handmaderank.h"

#include <benchmark/benchmark.h>
#include <random>

using namespace lockstep;

namespace {

RankTrace lane(std::int64_t events) {
    std::mt19937 random(3);
    test::HandmadeRank rank(0);
    rank.track(TrackKind::GpuStream, "7");
    TimeNs at = 0;
    for (std::int64_t i = 0; i < events; ++i) {
        const auto duration = static_cast<TimeNs>(1'000 + random() % 20'000);
        rank.kernel("k", at, duration);
        at += duration + static_cast<TimeNs>(random() % 2'000);
    }
    return rank.build();
}

void visibleSpansOfAll(benchmark::State& state) {
    const RankTrace rank = lane(state.range(0));
    const LanePyramid pyramid(rank.events, rank.lanes[0]);
    const TimeRange all = rank.span();
    std::vector<Span> spans;
    for (auto _ : state) {
        visibleSpans(rank.events, rank.lanes[0], pyramid, all, 1920, spans);
        benchmark::DoNotOptimize(spans.data());
    }
    state.counters["spans"] = static_cast<double>(spans.size());
}

void visibleSpansOfATenth(benchmark::State& state) {
    const RankTrace rank = lane(state.range(0));
    const LanePyramid pyramid(rank.events, rank.lanes[0]);
    const TimeRange all = rank.span();
    const TimeRange part{all.begin + all.length() / 3, all.begin + all.length() / 3 + all.length() / 10};
    std::vector<Span> spans;
    for (auto _ : state) {
        visibleSpans(rank.events, rank.lanes[0], pyramid, part, 1920, spans);
        benchmark::DoNotOptimize(spans.data());
    }
}

void buildPyramid(benchmark::State& state) {
    const RankTrace rank = lane(state.range(0));
    for (auto _ : state) {
        const LanePyramid pyramid(rank.events, rank.lanes[0]);
        benchmark::DoNotOptimize(&pyramid);
    }
}

} // namespace

BENCHMARK(visibleSpansOfAll)->Arg(10'000)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(visibleSpansOfATenth)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(buildPyramid)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
