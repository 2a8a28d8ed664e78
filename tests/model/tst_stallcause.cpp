#include "model/analysis/runanalysis.h"
#include "tests/support/decoderun.h"
#include "tests/support/memorytrace.h"
#include "tests/support/tracetransform.h"

#include <gtest/gtest.h>

namespace lockstep::test {
namespace {

StallCause worstCause(const RunAnalysis& analysis) {
    return causeOf(*analysis.run, analysis.steps, analysis.collectives, analysis.alignment, analysis.stalls,
                   analysis.stalls.worst.front());
}

DecodeRunOptions oneStall(InjectedCause cause, std::size_t ranks = 3) {
    DecodeRunOptions options;
    options.ranks = ranks;
    options.stalls = {{4, 7, 2, 400'000, cause}};
    return options;
}

TEST(StallCause, AKernelThatRanOnlyThereIsNamedWithItsDuration) {
    const auto analysis = analyseRun(decodeRun(oneStall(InjectedCause::Kernel)));
    const StallCause cause = worstCause(*analysis);
    EXPECT_EQ(cause.kind, CauseKind::Kernel);
    EXPECT_EQ(cause.name, "spin_kernel(long)");
    EXPECT_EQ(cause.excessNs, 400'000);
    EXPECT_EQ(analysis->run->ranks[2].name(cause.event), "spin_kernel(long)");
    EXPECT_NE(cause.evidence.find("not at all"), std::string::npos);
}

TEST(StallCause, AKernelThatRanLongerIsNamedWithTheDifference) {
    const auto run = decodeRun({.ranks = 3});
    const StepTable steps = findSteps(*run);
    // The GEMM before the ninth collective of step 3 takes 150 µs longer on rank 1; all that follows moves.
    const CollectiveTable table = matchCollectives(*run, steps);
    const std::size_t index = 3 * 12 + 8;
    std::vector<TimeNs> pushed;
    for (std::size_t rank = 0; rank < 3; ++rank)
        pushed.push_back(run->ranks[rank].events.begin(table.callOf(index, rank)->event));
    auto copy = std::make_shared<lockstep::Run>(*run);
    for (std::size_t rank = 0; rank < 3; ++rank) {
        const EventStore& events = run->ranks[rank].events;
        const TimeNs limit = pushed[rank];
        copy->ranks[rank] = transformed(
            run->ranks[rank],
            [](EventId) {
                return true;
            },
            [&, rank, limit](Event& event) {
                const bool collective = event.kind == EventKind::Kernel && event.begin == limit;
                if (event.begin > limit || (collective && rank == 1))
                    event.begin += 150'000;
                else if (collective)
                    event.duration += 150'000;
                else if (rank == 1 && isGpuActivity(event.kind) &&
                         event.begin + event.duration > limit - 3'000)
                    event.duration += 150'000;
            });
        (void)events;
    }
    const auto analysis = analyseRun(copy);
    ASSERT_EQ(analysis->stalls.worst.front(), index);
    const StallCause cause = worstCause(*analysis);
    EXPECT_EQ(analysis->stalls.stalls[index].straggler, 1u);
    EXPECT_EQ(cause.kind, CauseKind::Kernel);
    EXPECT_EQ(cause.name, "nvjet_sm90_out");
    EXPECT_NEAR(static_cast<double>(cause.excessNs), 150'000, 1'000);
    EXPECT_NE(cause.evidence.find("longer here"), std::string::npos);
}

TEST(StallCause, ALateLaunchIsTheHostsWithItsCall) {
    const auto analysis = analyseRun(decodeRun(oneStall(InjectedCause::Host)));
    const StallCause cause = worstCause(*analysis);
    EXPECT_EQ(cause.kind, CauseKind::Host);
    EXPECT_EQ(cause.name, "cudaLaunchKernel");
    EXPECT_NEAR(static_cast<double>(cause.excessNs), 400'000, 2'000);
    EXPECT_EQ(analysis->run->ranks[2].name(cause.event), "cudaLaunchKernel");
}

TEST(StallCause, ACopyIsNamed) {
    const auto analysis = analyseRun(decodeRun(oneStall(InjectedCause::Copy)));
    const StallCause cause = worstCause(*analysis);
    EXPECT_EQ(cause.kind, CauseKind::Copy);
    EXPECT_EQ(cause.name, "Memcpy HtoD (Pageable -> Device)");
    EXPECT_EQ(cause.excessNs, 400'000);
}

TEST(StallCause, IdleTimeWithoutACapturedLaunchIsUnknown) {
    const auto run = decodeRun(oneStall(InjectedCause::Host));
    const auto bare = withRanks(*run, [](const RankTrace& rank) {
        return transformed(rank, [&](EventId id) {
            return !isLaunchCall(rank.events.kind(id));
        });
    });
    const StallCause cause = worstCause(*analyseRun(bare));
    EXPECT_EQ(cause.kind, CauseKind::Unknown);
    EXPECT_TRUE(cause.name.empty());
    EXPECT_NE(cause.evidence.find("idle"), std::string::npos);
}

TEST(StallCause, IdleTimeInsideAReplayThatWasLaunchedLongAgoIsUnknown) {
    DecodeRunOptions options = oneStall(InjectedCause::Host);
    options.graphs = true;
    EXPECT_EQ(worstCause(*analyseRun(decodeRun(options))).kind, CauseKind::Unknown);
}

TEST(StallCause, TheFirstCollectiveHasNothingBeforeItToBlame) {
    DecodeRunOptions options;
    options.stalls = {{0, 0, 1, 500'000, InjectedCause::Kernel}};
    const auto analysis = analyseRun(decodeRun(options));
    EXPECT_EQ(analysis->stalls.worst.front(), 0u);
    EXPECT_EQ(worstCause(*analysis).kind, CauseKind::Unknown);
}

TEST(StallCause, WhatExplainsLessThanHalfIsNotBlamed) {
    DecodeRunOptions options;
    options.ranks = 2;
    options.jitterNs = 0;
    const auto quiet = analyseRun(decodeRun(options));
    // Skews of nanoseconds have no cause that covers them for certain; nothing may crash or be made up.
    for (std::uint32_t index = 1; index < quiet->stalls.stalls.size(); ++index) {
        const StallCause cause =
            causeOf(*quiet->run, quiet->steps, quiet->collectives, quiet->alignment, quiet->stalls, index);
        if (cause.kind != CauseKind::Unknown) {
            EXPECT_GE(cause.excessNs * 2, quiet->stalls.stalls[index].skewNs);
            EXPECT_FALSE(cause.name.empty());
        }
    }
}

} // namespace
} // namespace lockstep::test
