#include "model/run/steps.h"

#include "model/run/stepmarkers.h"
#include "tests/support/analysisof.h"
#include "tests/support/decoderun.h"
#include "tests/support/memorytrace.h"
#include "tests/support/tracetransform.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lockstep::test {
namespace {

struct MarkerCase {
    std::string_view name;
    StepKind kind;
    std::optional<std::int64_t> context;
    std::optional<std::int64_t> generation;
    std::string_view role;
};

TEST(StepMarkers, EveryEnginesNamesAreKnown) {
    const StepMarkers markers = StepMarkers::builtin();
    const MarkerCase cases[] = {
        {"execute_context_0(0)_generation_1(1)", StepKind::Decode, 0, 1, ""},
        {"execute_context_1(256)_generation_4(4)", StepKind::Mixed, 256, 4, ""},
        {"execute_context_2(900)_generation_0(0)", StepKind::Prefill, 900, 0, ""},
        {"execute_context_0(0)_generation_2(8)", StepKind::Decode, 0, 8, ""},
        {"execute_12_context_1(sq256sk256sqsq65536sqsk65536)_generation_4(sq4sk4000sqsq4sqsk4000)",
         StepKind::Mixed, 256, 4, ""},
        {"execute_new_0_cached_4", StepKind::Decode, {}, {}, ""},
        {"execute_new_1_cached_0", StepKind::Prefill, {}, {}, ""},
        {"step[DECODE bs=8]", StepKind::Decode, {}, 8, ""},
        {"step[EXTEND bs=1 toks=512]", StepKind::Prefill, 512, {}, ""},
        {"step[MIXED bs=4]", StepKind::Mixed, {}, {}, ""},
        {"step[IDLE bs=0]", StepKind::Idle, {}, {}, ""},
        {"step[TARGET_VERIFY bs=4]", StepKind::Decode, {}, 4, "verify"},
        {"step[DRAFT_EXTEND bs=4]", StepKind::Decode, {}, {}, "draft_extend"},
        {"step[DRAFT_LOOP raw_bs=3 bs=4 topk=1]", StepKind::Decode, {}, {}, "draft"},
        {"ProfilerStep#12", StepKind::Unknown, {}, {}, ""},
        {"[Executor] _forward_step 7: 1 ctx reqs, 128 ctx tokens, 3 gen reqs", StepKind::Mixed, 128, 3, ""},
        {"prefill[bs=1]", StepKind::Prefill, {}, {}, ""},
        {"decode[bs=117/128 x]", StepKind::Decode, {}, 117, ""},
        {"scheduler.run_batch", StepKind::Unknown, {}, {}, ""},
        {"gpu_model_runner: forward", StepKind::Unknown, {}, {}, ""},
    };
    for (const MarkerCase& one : cases) {
        SCOPED_TRACE(one.name);
        const auto found = markers.match(one.name);
        ASSERT_TRUE(found);
        EXPECT_EQ(nameOf(found->kind), nameOf(one.kind));
        EXPECT_EQ(found->contextTokens, one.context);
        EXPECT_EQ(found->generationTokens, one.generation);
        EXPECT_EQ(found->role, one.role);
    }
    for (const std::string_view name : {"nccl:all_reduce", "aten::mm", "capture_8_decode", "", "execute"})
        EXPECT_FALSE(markers.match(name)) << name;
    EXPECT_FALSE(markers.match(std::string(100'000, 'x')));
}

TEST(StepMarkers, WrongRulesAreRefusedWithAReason) {
    EXPECT_FALSE(StepMarkers::parse("{}"));
    EXPECT_FALSE(StepMarkers::parse("not json"));
    const auto broken = StepMarkers::parse(R"({"families": [{"markers": [{"pattern": "("}]}]})");
    ASSERT_FALSE(broken);
    EXPECT_NE(broken.error().message.find("regular expression"), std::string::npos);
    EXPECT_FALSE(StepMarkers::parse(R"({"families": [{"markers": [{}]}]})"));
}

/// Ten kernels a step, launched while a marker runs that ends long before they do.
void stepOf(MemoryRun& builder, std::size_t rank, const std::string& marker, TimeNs launch, TimeNs begin,
            int kernels = 10) {
    builder.annotation(rank, marker, launch, 50'000);
    for (int k = 0; k < kernels; ++k)
        builder.kernel(rank, fmt::format("kernel{}", k), begin + k * 10'000, 9'000,
                       begin + k * 10'000 - launch - 1'000 - k * 2'000);
}

TEST(FindSteps, AMarkerAheadOfTheGpuHoldsWhatItLaunched) {
    MemoryRun builder(1);
    // The host is two steps ahead: when step 0's kernels run, marker 2 is open already.
    for (int step = 0; step < 5; ++step)
        stepOf(builder, 0, "step[DECODE bs=1]", 1'000'000 + step * 60'000, 1'130'000 + step * 110'000);
    const StepTable table = findSteps(*builder.build());
    ASSERT_EQ(table.steps.size(), 5u);
    for (int step = 0; step < 5; ++step) {
        const RankStep& part = table.steps[static_cast<std::size_t>(step)].ranks[0];
        EXPECT_EQ(part.range, (TimeRange{1'130'000 + step * 110'000, 1'130'000 + step * 110'000 + 99'000}));
        EXPECT_EQ(part.kernels, 10u);
        EXPECT_EQ(part.busyNs, 90'000);
        EXPECT_EQ(part.idleNs(), 9'000);
        EXPECT_EQ(part.periodNs, step < 4 ? std::optional<TimeNs>(110'000) : std::nullopt);
    }
}

TEST(FindSteps, WorkBetweenMarkersIsOutsideAndCounted) {
    MemoryRun builder(1);
    for (int step = 0; step < 4; ++step) {
        stepOf(builder, 0, "execute_context_0(0)_generation_1(1)", 1'000'000 + step * 300'000,
               1'010'000 + step * 300'000);
        builder.kernel(0, "sampling", 1'200'000 + step * 300'000, 7'000);
    }
    const StepTable table = findSteps(*builder.build());
    ASSERT_EQ(table.steps.size(), 4u);
    EXPECT_EQ(table.ranks[0].outsideNs, 4 * 7'000);
    std::size_t outside = 0;
    for (std::size_t i = 0; i < table.ranks[0].events.size(); ++i)
        outside += table.ranks[0].stepOf(i) == RankActivities::kNone ? 1 : 0;
    EXPECT_EQ(outside, 4u);
    std::size_t visited = 0;
    table.forEachActivity(2, 0, [&](std::size_t index, std::uint16_t) {
        EXPECT_EQ(table.ranks[0].stepOf(index), 2u);
        ++visited;
    });
    EXPECT_EQ(visited, 10u);
}

TEST(FindSteps, DraftAndVerifyMakeOneStepWithNamedParts) {
    MemoryRun builder(1);
    TimeNs at = 1'000'000;
    // The capture begins within a cycle: at the verification.
    for (int cycle = 0; cycle < 5; ++cycle) {
        for (const std::string marker : {"step[DRAFT_LOOP raw_bs=1 bs=1 topk=1]", "step[TARGET_VERIFY bs=1]",
                                         "step[DRAFT_EXTEND bs=1]"}) {
            if (cycle == 0 && marker.find("LOOP") != std::string::npos)
                continue;
            stepOf(builder, 0, marker, at, at + 10'000, marker.find("VERIFY") != std::string::npos ? 20 : 5);
            at += 400'000;
        }
    }
    const StepTable table = findSteps(*builder.build());
    ASSERT_EQ(table.steps.size(), 5u);
    EXPECT_EQ(table.steps[0].parts.size(), 2u);
    for (std::size_t step = 1; step < 5; ++step) {
        const Step& whole = table.steps[step];
        EXPECT_EQ(whole.name, "step[TARGET_VERIFY bs=1]");
        ASSERT_EQ(whole.parts.size(), 3u);
        EXPECT_EQ(whole.parts[0].name, "draft");
        EXPECT_EQ(whole.parts[1].name, "verify");
        EXPECT_EQ(whole.parts[1].kernels, 20u);
        EXPECT_EQ(whole.parts[2].name, "draft_extend");
        EXPECT_EQ(whole.ranks[0].kernels, 30u);
    }
    EXPECT_TRUE(table.steps[0].cut);
}

TEST(FindSteps, SeveralMarkersOfOneTokenMakeOneStep) {
    MemoryRun builder(1);
    TimeNs at = 1'000'000;
    // Three graphs a token; the capture begins with the last of one.
    for (int piece = 2; piece < 20; ++piece) {
        builder.annotation(0, "step[DECODE bs=4]", at, 40'000);
        for (int k = 0; k <= piece % 3; ++k)
            builder.kernel(0, fmt::format("kernel{}_{}", piece % 3, k), at + 20'000 + k * 10'000, 9'000,
                           10'000);
        at += piece % 3 == 2 ? 150'000 : 60'000;
    }
    const StepTable table = findSteps(*builder.build());
    ASSERT_EQ(table.steps.size(), 7u);
    EXPECT_TRUE(table.steps[0].cut);
    EXPECT_TRUE(table.steps[6].cut);
    for (std::size_t step = 1; step < 6; ++step) {
        EXPECT_EQ(table.steps[step].ranks[0].kernels, 6u);
        EXPECT_EQ(table.steps[step].parts.size(), 3u);
    }
}

TEST(FindSteps, AnEnginesOwnMarkersComeBeforeTheProfilers) {
    MemoryRun builder(1);
    builder.annotation(0, "ProfilerStep#0", 900'000, 5'000'000);
    for (int step = 0; step < 6; ++step)
        stepOf(builder, 0, "execute_context_0(0)_generation_1(1)", 1'000'000 + step * 300'000,
               1'010'000 + step * 300'000);
    EXPECT_EQ(findSteps(*builder.build()).steps.size(), 6u);
}

TEST(FindSteps, AStepThatOneRankLacksIsSaidAndDoesNotShiftTheOthers) {
    DecodeRunOptions options;
    options.clockOffsetNs = {0, 900'000'000};
    const auto run = decodeRun(options);
    const StepTable whole = findSteps(*run);
    const TimeRange gone = whole.steps[3].ranks[1].range;
    const auto lossy = withRank(*run, 1, transformed(run->ranks[1], [&](EventId id) {
        return !isGpuActivity(run->ranks[1].events.kind(id)) ||
               !gone.overlaps(run->ranks[1].events.range(id));
    }));
    const StepTable table = findSteps(*lossy);
    ASSERT_EQ(table.steps.size(), whole.steps.size());
    EXPECT_TRUE(table.steps[3].ranks[0].present);
    EXPECT_FALSE(table.steps[3].ranks[1].present);
    EXPECT_EQ(table.steps[3].remark, "not on rank 1");
    EXPECT_EQ(table.steps[4].ranks[1].range, whole.steps[4].ranks[1].range);
    EXPECT_FALSE(table.notes.empty());
}

TEST(FindSteps, ASlowFirstStepIsAnOutlierAndNotTypical) {
    MemoryRun builder(1);
    TimeNs at = 1'000'000;
    for (int step = 0; step < 8; ++step) {
        builder.annotation(0, "execute_context_0(0)_generation_1(1)", at, 90'000);
        builder.kernel(0, "a", at + 10'000, 40'000 + step * 100);
        builder.kernel(0, "b", at + (step == 0 ? 900'000 : 60'000), 10'000, step == 0 ? 850'000 : 5'000);
        at += step == 0 ? 1'000'000 : 200'000;
    }
    const StepTable table = findSteps(*builder.build());
    ASSERT_EQ(table.steps.size(), 8u);
    EXPECT_TRUE(table.steps[0].outlier);
    EXPECT_NE(table.steps[0].remark.find("times the median"), std::string::npos);
    EXPECT_EQ(table.typicalSteps(), (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7}));
}

TEST(FindSteps, OnlyDecodeStepsAreTypicalWhereKindsAreKnown) {
    MemoryRun builder(1);
    for (int step = 0; step < 6; ++step)
        stepOf(builder, 0,
               step % 3 == 0 ? "execute_context_1(64)_generation_0(0)"
                             : "execute_context_0(0)_generation_1(1)",
               1'000'000 + step * 300'000, 1'010'000 + step * 300'000);
    EXPECT_EQ(findSteps(*builder.build()).typicalSteps(), (std::vector<std::uint32_t>{1, 2, 4, 5}));
}

TEST(FindSteps, ACaptureCutInMidStepSaysSo) {
    DecodeRunOptions options;
    options.ranks = 1;
    const auto run = decodeRun(options);
    const TimeRange first = findSteps(*run).steps[0].ranks[0].range;
    const auto late = withRank(*run, 0, transformed(run->ranks[0], [&](EventId id) {
        return !isGpuActivity(run->ranks[0].events.kind(id)) ||
               run->ranks[0].events.begin(id) >= first.begin + first.length() / 2;
    }));
    const StepTable table = findSteps(*late);
    EXPECT_TRUE(table.steps[0].cut);
    EXPECT_FALSE(table.steps[1].cut);
    EXPECT_EQ(table.typicalSteps().front(), 1u);
}

TEST(FindSteps, GraphReplaysAndThePeriodGiveTheMarkersSteps) {
    for (const bool graphs : {true, false}) {
        SCOPED_TRACE(graphs);
        DecodeRunOptions options;
        options.graphs = graphs;
        const StepTable with = findSteps(*decodeRun(options));
        options.markers = false;
        const StepTable without = findSteps(*decodeRun(options));
        EXPECT_EQ(with.source, StepSource::CpuAnnotation);
        EXPECT_EQ(without.source, graphs ? StepSource::GraphLaunch : StepSource::Period);
        EXPECT_EQ(outlineOf(with), outlineOf(without));
    }
}

TEST(FindSteps, ReplaysWithoutAnyCpuEventAreSteps) {
    DecodeRunOptions options;
    options.graphs = true;
    const auto run = decodeRun(options);
    const auto bare = withRanks(*run, [](const RankTrace& rank) {
        return transformed(rank, [&](EventId id) {
            return isGpuActivity(rank.events.kind(id));
        });
    });
    const StepTable table = findSteps(*bare);
    EXPECT_EQ(table.source, StepSource::GraphLaunch);
    EXPECT_EQ(outlineOf(table), outlineOf(findSteps(*run)));
}

TEST(FindSteps, ARankWithoutMarkersTakesItsStepsFromElsewhere) {
    DecodeRunOptions options;
    options.ranks = 3;
    options.graphs = true;
    const auto run = decodeRun(options);
    const auto mixed = withRank(*run, 2, withoutAnnotations(run->ranks[2]));
    const StepTable table = findSteps(*mixed);
    EXPECT_EQ(table.source, StepSource::CpuAnnotation);
    EXPECT_EQ(outlineOf(table), outlineOf(findSteps(*run)));
    ASSERT_FALSE(table.notes.empty());
    EXPECT_NE(table.notes.front().find("Rank 2"), std::string::npos);
}

TEST(FindSteps, NothingPeriodicGivesNoStepsAndANote) {
    MemoryRun builder(1);
    for (int k = 0; k < 30; ++k)
        builder.kernel(0, fmt::format("kernel{}", k), 1'000'000 + k * 10'000, 5'000);
    const StepTable table = findSteps(*builder.build());
    EXPECT_EQ(table.source, StepSource::None);
    EXPECT_TRUE(table.steps.empty());
    EXPECT_EQ(table.ranks[0].outsideNs, 30 * 5'000);
    EXPECT_FALSE(table.notes.empty());
}

TEST(FindSteps, AnEmptyRunAndARankWithoutGpuWorkAreNoError) {
    EXPECT_TRUE(findSteps(*MemoryRun(0).build()).steps.empty());
    EXPECT_TRUE(findSteps(*MemoryRun(2).build()).steps.empty());
    DecodeRunOptions options;
    const auto run = decodeRun(options);
    const auto idle = withRank(*run, 1, transformed(run->ranks[1], [](EventId) {
        return false;
    }));
    const StepTable table = findSteps(*idle);
    EXPECT_EQ(table.steps.size(), 8u);
    EXPECT_FALSE(table.steps[0].ranks[1].present);
}

TEST(FindSteps, ExposedCommunicationIsWhatNoComputeKernelHides) {
    MemoryRun builder(1);
    builder.annotation(0, "execute_context_0(0)_generation_1(1)", 990'000, 200'000);
    builder.kernel(0, "gemm", 1'000'000, 10'000, 5'000, 7);
    builder.kernel(0, "ncclDevKernel_AllReduce_Sum", 1'005'000, 20'000, 5'000, 8);
    builder.copy(0, "Memcpy HtoD", 1'012'000, 4'000, 9);
    builder.kernel(0, "norm", 1'022'000, 8'000, 5'000, 7);
    const StepTable table = findSteps(*builder.build());
    ASSERT_EQ(table.steps.size(), 1u);
    const RankStep& step = table.steps[0].ranks[0];
    EXPECT_EQ(step.exposedCommunicationNs, 12'000);
    EXPECT_EQ(step.kernelSumNs, 38'000);
    EXPECT_EQ(step.busyNs, 30'000);
    EXPECT_EQ(step.kernels, 3u);
}

} // namespace
} // namespace lockstep::test
