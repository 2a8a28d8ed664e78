#include "model/analysis/runanalysis.h"
#include "tests/support/decoderun.h"

#include <algorithm>
#include <random>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lockstep::test {
namespace {

constexpr std::size_t kLayers = 5;

/// Stalls at distinct places, never at the first collective, which has nothing before it to compare with.
std::vector<InjectedStall> randomStalls(std::mt19937& random, const DecodeRunOptions& options,
                                        std::size_t count) {
    const auto below = [&](std::size_t limit) {
        return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
    };
    std::set<std::pair<std::size_t, std::size_t>> taken{{0, 0}};
    std::vector<InjectedStall> stalls;
    while (stalls.size() < count) {
        InjectedStall stall;
        stall.step = below(options.steps);
        stall.collective = below(options.layers * 2);
        stall.rank = below(options.ranks);
        stall.late = 60'000 + static_cast<TimeNs>(below(800'000));
        stall.cause = static_cast<InjectedCause>(below(3));
        if (taken.emplace(stall.step, stall.collective).second)
            stalls.push_back(stall);
    }
    return stalls;
}

DecodeRunOptions randomRun(std::uint32_t seed, std::size_t ranks, std::mt19937& random) {
    DecodeRunOptions options;
    options.ranks = ranks;
    options.layers = kLayers;
    options.steps = 6 + seed % 5;
    options.seed = seed;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        options.clockOffsetNs.push_back(
            rank == 0 ? 0 : std::uniform_int_distribution<TimeNs>(-3'000'000'000, 3'000'000'000)(random));
        options.clockDriftPpm.push_back(rank == 0 ? 0.0
                                                  : std::uniform_real_distribution<double>(-30, 30)(random));
    }
    options.stalls = randomStalls(random, options, 5);
    return options;
}

std::string causeName(InjectedCause cause) {
    switch (cause) {
    case InjectedCause::Kernel:
        return "spin_kernel(long)";
    case InjectedCause::Copy:
        return "Memcpy HtoD (Pageable -> Device)";
    case InjectedCause::Host:
        break;
    }
    return "cudaLaunchKernel";
}

CauseKind causeKind(InjectedCause cause) {
    return cause == InjectedCause::Kernel ? CauseKind::Kernel
           : cause == InjectedCause::Copy ? CauseKind::Copy
                                          : CauseKind::Host;
}

void expectStallsFound(const RunAnalysis& analysis, const DecodeRunOptions& options) {
    const std::size_t perStep = options.layers * 2;
    ASSERT_EQ(analysis.collectives.matched.size(), options.steps * perStep);
    ASSERT_EQ(analysis.steps.steps.size(), options.steps);
    std::set<std::uint32_t> worst(analysis.stalls.worst.begin(),
                                  analysis.stalls.worst.begin() +
                                      static_cast<std::ptrdiff_t>(options.stalls.size()));
    for (const InjectedStall& injected : options.stalls) {
        SCOPED_TRACE(
            fmt::format("step {} collective {} rank {}", injected.step, injected.collective, injected.rank));
        const auto index = static_cast<std::uint32_t>(injected.step * perStep + injected.collective);
        EXPECT_EQ(worst.count(index), 1u);
        const Collective& collective = analysis.collectives.matched[index];
        EXPECT_EQ(collective.step, injected.step);
        EXPECT_EQ(collective.layer, injected.collective / 2);
        const Stall& stall = analysis.stalls.stalls[index];
        EXPECT_EQ(stall.straggler, injected.rank);
        EXPECT_NEAR(static_cast<double>(stall.skewNs), static_cast<double>(injected.late), 15'000);
        EXPECT_EQ(analysis.stalls.waitOf(index, injected.rank).waitNs, 0);
        const StallCause cause = causeOf(*analysis.run, analysis.steps, analysis.collectives,
                                         analysis.alignment, analysis.stalls, index);
        EXPECT_EQ(cause.kind, causeKind(injected.cause)) << cause.evidence;
        EXPECT_EQ(cause.name, causeName(injected.cause));
        EXPECT_NEAR(static_cast<double>(cause.excessNs), static_cast<double>(injected.late), 15'000);
    }
}

void expectClocksFound(const RunAnalysis& analysis, const DecodeRunOptions& options) {
    for (std::size_t rank = 1; rank < options.ranks; ++rank) {
        // What the clock shows at the moment of its middle is off by its offset and the drift so far.
        const RankClock& clock = analysis.alignment.ranks[rank];
        const TimeNs own = analysis.run->ranks[rank].events.begin(analysis.steps.ranks[rank].events.front());
        const TimeNs back = clock.toRunTime(own) - own;
        EXPECT_NEAR(static_cast<double>(back), -static_cast<double>(options.clockOffsetNs[rank]), 1'000);
    }
}

class InjectedStalls : public testing::TestWithParam<std::uint32_t> {};

TEST_P(InjectedStalls, AreFoundAmongEightRanks) {
    std::mt19937 random(GetParam());
    const DecodeRunOptions options = randomRun(GetParam(), 8, random);
    const auto analysis = analyseRun(decodeRun(options));
    expectStallsFound(*analysis, options);
    expectClocksFound(*analysis, options);
}

TEST_P(InjectedStalls, AreFoundWithoutMarkers) {
    std::mt19937 random(GetParam() + 2000);
    DecodeRunOptions options = randomRun(GetParam(), 4, random);
    options.markers = false;
    const auto analysis = analyseRun(decodeRun(options));
    EXPECT_EQ(analysis->steps.source, StepSource::Period);
    expectStallsFound(*analysis, options);
}

TEST_P(InjectedStalls, AreFoundInARunWithoutAnyJitter) {
    std::mt19937 random(GetParam() + 3000);
    DecodeRunOptions options = randomRun(GetParam(), 3, random);
    options.jitterNs = 0;
    options.endJitterNs = 0;
    const auto analysis = analyseRun(decodeRun(options));
    expectStallsFound(*analysis, options);
    expectClocksFound(*analysis, options);
}

TEST_P(InjectedStalls, AreFoundInGraphReplays) {
    std::mt19937 random(GetParam() + 4000);
    DecodeRunOptions options = randomRun(GetParam(), 4, random);
    options.graphs = true;
    options.markers = GetParam() % 2 == 0;
    for (InjectedStall& stall : options.stalls)
        stall.cause = InjectedCause::Kernel;
    const auto analysis = analyseRun(decodeRun(options));
    EXPECT_EQ(analysis->steps.source, options.markers ? StepSource::CpuAnnotation : StepSource::GraphLaunch);
    expectStallsFound(*analysis, options);
}

class InjectedStallsOfManyRanks : public testing::TestWithParam<std::uint32_t> {};

TEST_P(InjectedStallsOfManyRanks, AreFoundAmongSixtyFour) {
    std::mt19937 random(GetParam() + 1000);
    const DecodeRunOptions options = randomRun(GetParam(), 64, random);
    const auto analysis = analyseRun(decodeRun(options));
    expectStallsFound(*analysis, options);
    expectClocksFound(*analysis, options);
}

INSTANTIATE_TEST_SUITE_P(Seeds, InjectedStallsOfManyRanks, testing::Range(1u, 9u));
INSTANTIATE_TEST_SUITE_P(Seeds, InjectedStalls, testing::Range(1u, 25u));

} // namespace
} // namespace lockstep::test
