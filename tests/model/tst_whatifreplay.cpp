#include "model/analysis/whatif.h"
#include "model/analysis/whatifreplay.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

/// Two ranks: compute, all-reduce, compute. Rank 1 computes 30 longer before the all-reduce.
ReplayStep twoRanks() {
    ReplayStep step;
    step.collectives = 1;
    step.ranks = {{{0, 100, 7, -1}, {100, 150, 7, 0}, {152, 200, 7, -1}},
                  {{0, 130, 7, -1}, {130, 150, 7, 0}, {152, 200, 7, -1}}};
    return step;
}

TEST(WhatIfReplay, UnchangedReplayTakesAsLongAsMeasured) {
    EXPECT_EQ(replayWall(twoRanks()), 200);
}

TEST(WhatIfReplay, FasterTransferShortensTheStepByTheTransferAloneWhileOneIsLate) {
    ReplayChanges changes;
    changes.transfers = {5};
    EXPECT_EQ(replayWall(twoRanks(), changes), 185) << "20 moved data, 30 more were waiting";
}

TEST(WhatIfReplay, WithoutStallsAllArriveWithTheMedianRank) {
    ReplayChanges changes;
    changes.withoutStalls = true;
    EXPECT_EQ(replayWall(twoRanks(), changes), 170);
}

TEST(WhatIfReplay, ShorterKernelOfOneRankGainsNothingIfAnotherIsLast) {
    ReplayChanges changes;
    changes.durations = {{50, 50, 48}, {130, 20, 48}};
    EXPECT_EQ(replayWall(twoRanks(), changes), 200);
    changes.durations = {{100, 50, 48}, {110, 20, 48}};
    EXPECT_EQ(replayWall(twoRanks(), changes), 180);
}

TEST(WhatIfReplay, ComputeOnAnotherStreamHidesWhatCommunicationGains) {
    // The all-reduce runs beside a kernel that ends 10 before it; the last kernel needs both.
    ReplayStep step;
    step.collectives = 1;
    step.ranks = {{{0, 10, 7, -1}, {10, 100, 20, 0}, {12, 90, 7, -1}, {101, 120, 7, -1}}};
    EXPECT_EQ(replayWall(step), 120);
    ReplayChanges changes;
    changes.transfers = {10};
    EXPECT_EQ(replayWall(step, changes), 109)
        << "the kernel beside it ends at 90 whatever the all-reduce does";
}

TEST(WhatIfReplay, KernelThatBeganBeforeItsPredecessorEndedArrivesAtThatEnd) {
    // Programmatic dependent launch: the all-reduce begins at 60 and spins until 100.
    ReplayStep step;
    step.collectives = 1;
    step.ranks = {{{0, 100, 7, -1}, {60, 130, 7, 0}}};
    EXPECT_EQ(replayWall(step), 130);
    ReplayChanges changes;
    changes.transfers = {10};
    EXPECT_EQ(replayWall(step, changes), 110);
}

TEST(WhatIfReplay, RanksThatMeetInDifferentOrderStillEnd) {
    ReplayStep step;
    step.collectives = 2;
    step.ranks = {{{0, 10, 7, 0}, {10, 20, 7, 1}}, {{0, 10, 7, 1}, {10, 20, 7, 0}}};
    EXPECT_GT(replayWall(step), 0);
}

TEST(WhatIfReplay, NothingBeginsBeforeItsLaunch) {
    // The second kernel was launched at 150,000 and waited for the first; the third waited for its launch.
    ReplayStep step;
    step.ranks = {{{0, 200'000, 7, -1, -5'000},
                   {201'000, 210'000, 7, -1, 150'000},
                   {305'000, 310'000, 7, -1, 300'000}}};
    EXPECT_EQ(replayWall(step), 310'000);
    ReplayChanges changes;
    changes.durations = {{1'000, 9'000, 5'000}};
    EXPECT_EQ(replayWall(step, changes), 310'000) << "the host still launches the last one at 300,000";
    step.ranks[0].pop_back();
    changes.durations = {{1'000, 9'000}};
    EXPECT_EQ(replayWall(step, changes), 163'000) << "4,000 after its launch";
}

TEST(WhatIfReplay, WithoutStallsALateHostIsLateNoMore) {
    // Rank 1's host launches its first kernel 100,000 late, and all that follows.
    ReplayStep step;
    step.collectives = 1;
    step.ranks = {
        {{5'000, 10'000, 7, -1, 0}, {11'000, 130'000, 7, 0, 8'000}, {131'000, 140'000, 7, -1, 20'000}},
        {{105'000, 110'000, 7, -1, 100'000},
         {111'000, 130'000, 7, 0, 108'000},
         {131'000, 140'000, 7, -1, 120'000}}};
    EXPECT_EQ(replayWall(step), 135'000);
    ReplayChanges changes;
    changes.withoutStalls = true;
    EXPECT_EQ(replayWall(step, changes), 35'000);
}

TEST(WhatIfReplay, EmptyStepTakesNoTime) {
    EXPECT_EQ(replayWall({}), 0);
    ReplayStep ranks;
    ranks.ranks.resize(3);
    EXPECT_EQ(replayWall(ranks), 0);
}

TEST(WhatIfText, ReplacementsAreParsed) {
    const auto simple = parseReplacement("allreduce:moe=alltoall@19us");
    ASSERT_TRUE(simple.has_value());
    EXPECT_EQ(simple->target, "allreduce");
    EXPECT_EQ(simple->scope, "moe");
    ASSERT_EQ(simple->parts.size(), 1U);
    EXPECT_EQ(simple->parts[0].collective, "alltoall");
    EXPECT_EQ(simple->parts[0].microseconds, 19.0);
    const auto two = parseReplacement("allreduce=dispatch@0.009ms+combine@12");
    ASSERT_TRUE(two.has_value());
    ASSERT_EQ(two->parts.size(), 2U);
    EXPECT_DOUBLE_EQ(two->parts[0].microseconds.value_or(0), 9);
    EXPECT_EQ(two->parts[1].microseconds, 12.0);
    const auto asked = parseReplacement("allreduce:moe=alltoall");
    ASSERT_TRUE(asked.has_value());
    EXPECT_FALSE(asked->parts[0].microseconds.has_value());
}

TEST(WhatIfText, WhatIsNoReplacementOrScaleIsSaid) {
    for (const char* text : {"", "allreduce", "=alltoall@19us", "allreduce=", "allreduce=alltoall@",
                             "allreduce=alltoall@fast", "allreduce=alltoall@-3us", "allreduce=@3us"})
        EXPECT_FALSE(parseReplacement(text).has_value()) << text;
    for (const char* text :
         {"", "allreduce", "allreduce=", "allreduce=x", "allreduce=-1", "=0.5", "allreduce=nan"})
        EXPECT_FALSE(parseScale(text).has_value()) << text;
    EXPECT_EQ(parseScale("allreduce:custom=0.1")->factor, 0.1);
    EXPECT_EQ(parseScale("allreduce:custom=0.1")->scope, "custom");
}

} // namespace
} // namespace lockstep
