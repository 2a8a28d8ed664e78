#include "model/run/clockalign.h"

#include "model/run/collectives.h"
#include "model/run/steps.h"
#include "tests/support/decoderun.h"
#include "tests/support/memorytrace.h"
#include "tests/support/tracetransform.h"

#include <gtest/gtest.h>

namespace lockstep::test {
namespace {

ClockAlignment aligned(const lockstep::Run& run) {
    const StepTable steps = findSteps(run);
    return alignClocks(run, steps, matchCollectives(run, steps));
}

TEST(RankClock, GoesThereAndBackWithinANanosecond) {
    RankClock clock;
    clock.offsetNs = -1'234'567'891.25;
    clock.driftPpm = 17.3;
    clock.midNs = 1'795'968'933'000'000'000;
    for (const TimeNs t : {clock.midNs, clock.midNs + 3'600'000'000'000, clock.midNs - 987'654'321})
        EXPECT_NEAR(static_cast<double>(clock.toOwnTime(clock.toRunTime(t)) - t), 0, 1);
    EXPECT_EQ(clock.toRunTime(clock.midNs), clock.midNs - 1'234'567'891);
}

TEST(AlignClocks, ClocksSecondsApartAndDriftingMeet) {
    DecodeRunOptions options;
    options.ranks = 4;
    options.steps = 60;
    options.clockOffsetNs = {0, 1'234'567'891, -7'000'000'123, 55};
    options.clockDriftPpm = {0, 3.7, -40, 0};
    const auto run = decodeRun(options);
    const ClockAlignment alignment = aligned(*run);
    EXPECT_EQ(alignment.method, AlignmentMethod::Collectives);
    EXPECT_FALSE(alignment.uncertain);
    EXPECT_EQ(alignment.matchedCollectives, 60u * 12u);
    EXPECT_NEAR(alignment.ranks[1].driftPpm, -3.7, 0.5);
    EXPECT_NEAR(alignment.ranks[2].driftPpm, 40, 0.5);
    EXPECT_EQ(alignment.ranks[3].driftPpm, 0);
    EXPECT_NEAR(alignment.ranks[3].offsetNs, -55, 40);
    EXPECT_LT(alignment.residualP50Ns, 60);
    EXPECT_LT(alignment.residualP99Ns, 200);
    EXPECT_EQ(alignment.causalityViolations, 0u);
}

TEST(AlignClocks, WhatNoClockDriftsByIsNotTakenForDrift) {
    DecodeRunOptions options;
    options.ranks = 2;
    options.steps = 60;
    options.clockDriftPpm = {0, 50'000};
    const ClockAlignment alignment = aligned(*decodeRun(options));
    EXPECT_TRUE(alignment.uncertain);
    EXPECT_LT(std::abs(alignment.ranks[1].driftPpm), 1'000);
}

TEST(AlignClocks, OneRankThatIsOftenLateDoesNotMoveItsClock) {
    DecodeRunOptions options;
    options.ranks = 3;
    options.steps = 20;
    for (std::size_t step = 1; step < 20; ++step)
        for (std::size_t collective = 0; collective < 12; collective += 2)
            options.stalls.push_back({step, collective, 2, 90'000, InjectedCause::Host});
    const ClockAlignment alignment = aligned(*decodeRun(options));
    EXPECT_NEAR(alignment.ranks[2].offsetNs, 0, 40);
}

TEST(AlignClocks, BasesThatDifferAreSaid) {
    MemoryRun builder(2);
    for (int i = 0; i < 40; ++i)
        for (std::size_t rank = 0; rank < 2; ++rank)
            builder.kernel(rank, "ncclDevKernel_AllReduce_Sum", 50'000'000 + i * (40'000 + i * i), 8'000);
    builder.baseTime(0, 1'000);
    builder.baseTime(1, 2'000);
    const ClockAlignment alignment = aligned(*builder.build());
    EXPECT_EQ(alignment.method, AlignmentMethod::Collectives);
    ASSERT_FALSE(alignment.notes.empty());
    EXPECT_NE(alignment.notes.front().find("base times differ"), std::string::npos);
}

/// Ranks that never meet: each runs its own steps.
std::shared_ptr<const lockstep::Run> apart(bool bases) {
    MemoryRun builder(2);
    for (std::size_t rank = 0; rank < 2; ++rank) {
        if (bases)
            builder.baseTime(rank, 1);
        for (int step = 0; step < 5; ++step) {
            const TimeNs begin = 1'000'000'000 + step * 1'000'000 + static_cast<TimeNs>(rank) * 700'000'000;
            builder.annotation(rank, "execute_context_0(0)_generation_1(1)", begin - 10'000, 100'000);
            builder.kernel(rank, "gemm", begin, 50'000);
        }
    }
    return builder.build();
}

TEST(AlignClocks, WithoutCollectivesTheWallClockIsTakenAndSaid) {
    const auto run = apart(true);
    const ClockAlignment alignment = aligned(*run);
    EXPECT_EQ(alignment.method, AlignmentMethod::WallClock);
    EXPECT_TRUE(alignment.uncertain);
    EXPECT_FALSE(alignment.notes.empty());
    EXPECT_EQ(alignment.ranks[1].offsetNs, 0);
}

TEST(AlignClocks, WithoutABaseTheFirstStepsBeginTogether) {
    const auto run = apart(false);
    const ClockAlignment alignment = aligned(*run);
    EXPECT_EQ(alignment.method, AlignmentMethod::FirstStep);
    EXPECT_TRUE(alignment.uncertain);
    EXPECT_EQ(alignment.ranks[1].offsetNs, -700'000'000);
    EXPECT_EQ(findSteps(*run).steps.size(), 5u);
}

TEST(AlignClocks, OneRankNeedsNoAlignment) {
    DecodeRunOptions options;
    options.ranks = 1;
    const ClockAlignment alignment = aligned(*decodeRun(options));
    EXPECT_EQ(alignment.method, AlignmentMethod::None);
    EXPECT_FALSE(alignment.uncertain);
    EXPECT_EQ(alignment.ranks.size(), 1u);
}

TEST(AlignClocks, FewCollectivesAreUncertain) {
    MemoryRun builder(2);
    for (int i = 0; i < 3; ++i)
        for (std::size_t rank = 0; rank < 2; ++rank)
            builder.kernel(rank, "ncclDevKernel_AllReduce_Sum", 50'000'000 + i * 300'000, 8'000);
    const ClockAlignment alignment = aligned(*builder.build());
    EXPECT_EQ(alignment.method, AlignmentMethod::Collectives);
    EXPECT_TRUE(alignment.uncertain);
}

TEST(AlignClocks, ARankWithoutCollectivesKeepsItsClockAndIsSaid) {
    const auto whole = decodeRun({.ranks = 3});
    const auto run = withRank(*whole, 2, transformed(whole->ranks[2], [](EventId) {
        return false;
    }));
    const ClockAlignment alignment = aligned(*run);
    EXPECT_EQ(alignment.method, AlignmentMethod::Collectives);
    EXPECT_TRUE(alignment.uncertain);
    EXPECT_EQ(alignment.matchedCollectives, 96u);
    EXPECT_EQ(alignment.ranks[2].offsetNs, 0);
}

TEST(AlignClocks, RanksThatLeaveBeforeTheLastHasEnteredAreCounted) {
    MemoryRun builder(2);
    for (int i = 0; i < 40; ++i) {
        const TimeNs at = 50'000'000 + i * (40'000 + i * i);
        // Five times rank 0 seems to leave long before rank 1 comes.
        const bool broken = i % 8 == 3;
        builder.kernel(0, "ncclDevKernel_AllReduce_Sum", at, 8'000);
        builder.collective(0, "allreduce", "0", "[0, 1]", i);
        builder.kernel(1, "ncclDevKernel_AllReduce_Sum", broken ? at + 15'000 : at, 8'000);
        builder.collective(1, "allreduce", "0", "[0, 1]", i);
    }
    const ClockAlignment alignment = aligned(*builder.build());
    EXPECT_NEAR(alignment.ranks[1].offsetNs, 0, 1);
    EXPECT_EQ(alignment.causalityViolations, 0u); // a tenth of the ends: the residual's p99 covers them
    EXPECT_GT(alignment.residualP99Ns, 7'000);
}

} // namespace
} // namespace lockstep::test
