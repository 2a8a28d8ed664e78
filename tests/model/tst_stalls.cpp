#include "model/analysis/runanalysis.h"
#include "tests/support/decoderun.h"
#include "tests/support/memorytrace.h"
#include "tests/support/tracetransform.h"

#include <gtest/gtest.h>

namespace lockstep::test {
namespace {

const std::string kAllReduce = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(int)";

/// Quiet all-reduces about 100 µs apart; then room for one that a test shapes itself.
class TwoRanks {
public:
    static constexpr TimeNs kBegin = 100'000'000;
    static constexpr std::size_t kQuiet = 120; ///< so many that one odd one is beyond the residual's p99
    TwoRanks() {
        for (int i = 0; i < static_cast<int>(kQuiet); ++i) {
            for (std::size_t rank = 0; rank < 2; ++rank) {
                builder.kernel(rank, "gemm", at - 20'000, 15'000);
                builder.kernel(rank, kAllReduce, at, 8'000);
            }
            at += 100'000 + i * 37 % 11 * 900;
        }
    }
    [[nodiscard]] std::shared_ptr<const RunAnalysis> analysis() const { return analyseRun(builder.build()); }

    MemoryRun builder{2};
    TimeNs at = kBegin;
};

TEST(Stalls, TheFirstWaitsForTheLast) {
    TwoRanks run;
    run.builder.kernel(0, kAllReduce, run.at, 58'000);
    run.builder.kernel(1, kAllReduce, run.at + 50'000, 8'000);
    const auto analysis = run.analysis();
    const std::size_t last = TwoRanks::kQuiet;
    const Stall& stall = analysis->stalls.stalls[last];
    EXPECT_EQ(stall.straggler, 1u);
    EXPECT_EQ(stall.skewNs, 50'000);
    EXPECT_EQ(stall.beginNs, run.at);
    EXPECT_EQ(analysis->stalls.waitOf(last, 0).waitNs, 50'000);
    EXPECT_EQ(analysis->stalls.waitOf(last, 0).transferNs, 8'000);
    EXPECT_EQ(analysis->stalls.waitOf(last, 1).waitNs, 0);
    EXPECT_EQ(analysis->stalls.waitOf(last, 1).transferNs, 8'000);
    EXPECT_EQ(analysis->stalls.worst.front(), last);
    EXPECT_EQ(analysis->stalls.ranks[0].waitedNs, 50'000);
    EXPECT_EQ(analysis->stalls.ranks[1].causedNs, 50'000);
    EXPECT_EQ(analysis->stalls.ranks[1].waitedNs, 0);
    EXPECT_FALSE(stall.clockDisagrees);
}

TEST(Stalls, AKernelStartedEarlyArrivesWhenItsPredecessorEnds) {
    TwoRanks run;
    // Programmatic dependent launch: rank 0's collective starts while the GEMM before it still runs.
    run.builder.kernel(0, "gemm", run.at - 10'000, 40'000);
    run.builder.kernel(0, kAllReduce, run.at, 38'000);
    run.builder.kernel(1, kAllReduce, run.at + 31'000, 7'000);
    const auto analysis = run.analysis();
    const RankWait& wait = analysis->stalls.waitOf(TwoRanks::kQuiet, 0);
    EXPECT_EQ(wait.arrivalNs, run.at + 30'000);
    EXPECT_EQ(wait.waitNs, 1'000);
    EXPECT_EQ(wait.transferNs, 7'000);
    EXPECT_EQ(analysis->stalls.stalls[TwoRanks::kQuiet].skewNs, 1'000);
    EXPECT_EQ(analysis->stalls.stalls[TwoRanks::kQuiet].straggler, 1u);
}

TEST(Stalls, WorkOnOtherStreamsDoesNotDelayAnArrival) {
    TwoRanks run;
    run.builder.kernel(0, "gemm", run.at - 10'000, 40'000, 5'000, 20);
    run.builder.kernel(0, kAllReduce, run.at, 38'000);
    run.builder.kernel(1, kAllReduce, run.at + 30'000, 8'000);
    EXPECT_EQ(run.analysis()->stalls.waitOf(TwoRanks::kQuiet, 0).waitNs, 30'000);
}

TEST(Stalls, AWaitNeverExceedsTheCall) {
    TwoRanks run;
    // The clocks, or the profiler, say that rank 0 left before rank 1 came.
    run.builder.kernel(0, kAllReduce, run.at, 8'000);
    run.builder.collective(0, "allreduce", "", "", -1);
    run.builder.kernel(1, kAllReduce, run.at + 9'000, 1'500);
    const auto analysis = run.analysis();
    ASSERT_EQ(analysis->collectives.matched.size(), TwoRanks::kQuiet + 1);
    EXPECT_EQ(analysis->stalls.waitOf(TwoRanks::kQuiet, 0).waitNs, 8'000);
    EXPECT_EQ(analysis->stalls.waitOf(TwoRanks::kQuiet, 0).transferNs, 0);
    EXPECT_TRUE(analysis->stalls.stalls[TwoRanks::kQuiet].clockDisagrees);
    EXPECT_FALSE(analysis->stalls.notes.empty());
}

TEST(Stalls, GroupsAreClassified) {
    MemoryRun builder(2);
    TimeNs at = 100'000'000;
    for (int i = 0; i < 60; ++i) {
        const TimeNs late = 40'000 + i % 7 * 700;
        builder.kernel(0, kAllReduce, at, late + 8'000);
        builder.kernel(1, kAllReduce, at + late, 8'000);
        at += 200'000;
        builder.kernel(0, "ncclDevKernel_AllGather_RING_LL(int)", at, 30'000);
        builder.kernel(1, "ncclDevKernel_AllGather_RING_LL(int)", at + 2'000, 28'000);
        at += 150'000;
        builder.kernel(0, "ncclDevKernel_ReduceScatter_Sum_RING_LL(int)", at, 9'000 + i % 2 * 20);
        builder.kernel(1, "ncclDevKernel_ReduceScatter_Sum_RING_LL(int)", at, 9'000);
        at += 100'000 + i * 53 % 17 * 300;
    }
    const auto analysis = analyseRun(builder.build());
    ASSERT_EQ(analysis->stalls.groups.size(), 3u);
    EXPECT_EQ(analysis->stalls.groups[0].classification, GroupClass::ArrivalSkew);
    EXPECT_EQ(analysis->stalls.groups[1].classification, GroupClass::Transfer);
    EXPECT_EQ(analysis->stalls.groups[2].classification, GroupClass::Inconclusive);
    EXPECT_EQ(analysis->stalls.groups[1].count, 60u);
    EXPECT_NEAR(static_cast<double>(analysis->stalls.groups[1].p50Ns), 30'000, 2'001);
}

/// Rank 1's profiler starts 3 ms late, when rank 0 waits already.
std::shared_ptr<const lockstep::Run> lateProfiler() {
    DecodeRunOptions options;
    options.steps = 4;
    options.stalls = {{0, 0, 1, 3'000'000, InjectedCause::Host}, {2, 3, 0, 200'000, InjectedCause::Kernel}};
    const auto run = decodeRun(options);
    const RankTrace& rank = run->ranks[1];
    const EventId first = findSteps(*run).ranks[1].events[3];
    return withRank(*run, 1, startedAt(rank, rank.events.end(first) + 2'900'000));
}

TEST(Stalls, AHeadTransientIsNamedAndCanBePutBack) {
    const auto run = lateProfiler();
    const auto analysis = analyseRun(run);
    ASSERT_FALSE(analysis->stalls.stalls.empty());
    EXPECT_TRUE(analysis->stalls.stalls[0].headTransient);
    EXPECT_FALSE(analysis->stalls.stalls[1].headTransient);
    EXPECT_EQ(analysis->stalls.worst.front(), 0u);
    EXPECT_GT(analysis->stalls.ranks[0].headTransientNs, 2'900'000);
    EXPECT_LT(analysis->stalls.groups[0].p99Ns, 300'000);
    StallOptions all;
    all.includeHeadTransients = true;
    const auto included = analyseRun(run, all);
    EXPECT_EQ(included->stalls.ranks[0].headTransientNs, 0);
    EXPECT_GT(included->stalls.groups[0].p99Ns, 2'900'000);
    EXPECT_EQ(included->stalls.ranks[0].waitedNs, analysis->stalls.ranks[0].waitedNs);
}

TEST(Stalls, ALateFirstCollectiveOfARankThatWasRecordedIsNoHeadTransient) {
    DecodeRunOptions options;
    options.stalls = {{0, 0, 1, 3'000'000, InjectedCause::Host}};
    const auto analysis = analyseRun(decodeRun(options));
    EXPECT_FALSE(analysis->stalls.stalls[0].headTransient);
}

TEST(Stalls, SumsOverChosenStepsCountOnlyThese) {
    DecodeRunOptions options;
    options.stalls = {{2, 3, 1, 300'000, InjectedCause::Host}, {5, 3, 1, 500'000, InjectedCause::Host}};
    StallOptions chosen;
    chosen.firstStep = 4;
    chosen.lastStep = 6;
    const auto analysis = analyseRun(decodeRun(options), chosen);
    EXPECT_EQ(analysis->stalls.groups[0].count, 3u * 12u);
    EXPECT_NEAR(static_cast<double>(analysis->stalls.ranks[0].waitedNs), 500'000, 60'000);
    EXPECT_EQ(analysis->collectives.matched[analysis->stalls.worst.front()].step, 5u);
    EXPECT_EQ(analysis->stalls.worst.size(), 36u);
    EXPECT_EQ(analysis->stalls.stalls.size(), 96u);
}

} // namespace
} // namespace lockstep::test
