#include "model/analysis/breakdown.h"
#include "model/analysis/breakdownwall.h"
#include "model/analysis/runanalysis.h"
#include "model/analysis/samples.h"
#include "tests/model/runsketch.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

using namespace lockstep;
using lockstep::test::RunSketch;

namespace {

const CategoryRules& rules() {
    static const CategoryRules builtin = CategoryRules::builtin().value();
    return builtin;
}

RunAnalysis analysisOf(RunSketch& sketch) {
    RunAnalysis analysis;
    analysis.run = std::make_shared<const Run>(std::move(sketch.run));
    analysis.steps = std::move(sketch.steps);
    return analysis;
}

const BreakdownRow* rowOf(const Breakdown& breakdown, std::string_view label) {
    for (const BreakdownRow& row : breakdown.rows)
        if (row.label == label)
            return &row;
    return nullptr;
}

Breakdown breakdownOf(const RunAnalysis& analysis, Attribution attribution,
                      const BreakdownSelection& selection = {}) {
    return lockstep::breakdownOf(analysis, rules().set, categorise(analysis, rules()), attribution,
                                 selection);
}

TEST(WallShares, AnInstantIsSharedEquallyAmongActiveCategories) {
    const std::vector<CategoryInterval> intervals = {{{0, 10}, 0}, {{4, 10}, 1}, {{6, 8}, 2}};
    const WallShares shares = shareWallTime({0, 12}, intervals, 0, 0);
    // 0–4 alone; 4–6 and 8–10 shared by two (4 ns, 2 each); 6–8 by three (2 ns: 1, 1, 0)
    EXPECT_EQ(shares.categories[0].ns, 4 + 2 + 1);
    EXPECT_EQ(shares.categories[1].ns, 2 + 1);
    EXPECT_EQ(shares.categories[2].ns, 0);
    EXPECT_EQ(shares.idleNs, 2);
}

TEST(WallShares, OverlapWithinOneCategoryCountsOnce) {
    const std::vector<CategoryInterval> intervals = {{{0, 10}, 3}, {{2, 8}, 3}, {{5, 12}, 3}};
    EXPECT_EQ(shareWallTime({0, 12}, intervals, 0, 0).categories[3].ns, 12);
}

TEST(WallShares, CommunicationIsExposedWhereNothingComputes) {
    const std::vector<CategoryInterval> intervals = {{{0, 10}, 0}, {{6, 20}, 1}};
    EXPECT_EQ(shareWallTime({0, 20}, intervals, 1u << 1, 1u << 0).exposedCommunicationNs, 10);
}

TEST(WallShares, PartsAddUpToTheRangeForAnyOverlap) {
    std::mt19937 random(20240611);
    for (int round = 0; round < 300; ++round) {
        const TimeNs length = std::uniform_int_distribution<TimeNs>(1, 5000)(random);
        std::vector<CategoryInterval> intervals;
        const int count = std::uniform_int_distribution<int>(0, 60)(random);
        std::uniform_int_distribution<TimeNs> at(-100, length + 100);
        std::uniform_int_distribution<int> category(0, 30);
        std::uniform_int_distribution<int> part(0, 2);
        for (int i = 0; i < count; ++i) {
            const TimeNs a = at(random);
            const TimeNs b = at(random);
            intervals.push_back({{std::min(a, b), std::max(a, b)},
                                 static_cast<std::uint8_t>(category(random)),
                                 static_cast<CategoryInterval::Part>(part(random))});
        }
        const WallShares shares = shareWallTime({0, length}, intervals, 7, 56);
        TimeNs total = shares.idleNs;
        for (const WallShares::Share& share : shares.categories) {
            EXPECT_GE(share.ns, 0);
            EXPECT_LE(share.waitingNs + share.movingNs, share.ns);
            total += share.ns;
        }
        ASSERT_EQ(total, length) << "round " << round;
        // Idle must be what the union leaves.
        std::vector<bool> busy(static_cast<std::size_t>(length));
        for (const CategoryInterval& interval : intervals)
            for (TimeNs t = std::max<TimeNs>(0, interval.range.begin);
                 t < std::min(length, interval.range.end); ++t)
                busy[static_cast<std::size_t>(t)] = true;
        ASSERT_EQ(shares.idleNs, std::count(busy.begin(), busy.end(), false)) << "round " << round;
    }
}

TEST(Breakdown, SumAddsDurationsAndWallSharesThem) {
    RunSketch sketch;
    sketch.rank({{"nvjet_a", 0, 100, 1}, {"attn_fwd", 50, 100, 2}, {"nvjet_b", 170, 30, 1}}).build();
    const RunAnalysis analysis = analysisOf(sketch);
    const Breakdown sum = breakdownOf(analysis, Attribution::Sum);
    EXPECT_EQ(sum.totalNs, 230);
    EXPECT_EQ(sum.totalNs, sum.kernelSumNs);
    EXPECT_EQ(rowOf(sum, "Other GEMMs")->totalNs, 130);
    EXPECT_EQ(rowOf(sum, "Other GEMMs")->calls, 2u);
    EXPECT_EQ(rowOf(sum, "Idle"), nullptr);
    const Breakdown wall = breakdownOf(analysis, Attribution::Wall);
    EXPECT_EQ(wall.totalNs, 200);
    EXPECT_EQ(rowOf(wall, "Other GEMMs")->totalNs, 50 + 25 + 30);
    EXPECT_EQ(rowOf(wall, "Attention")->totalNs, 75);
    EXPECT_EQ(rowOf(wall, "Idle")->totalNs, 20);
    EXPECT_EQ(wall.busyNs, 180);
}

TEST(Breakdown, CopiesStandBesideTheSumAndInTheWall) {
    RunSketch sketch;
    sketch
        .rank(
            {{"nvjet_a", 0, 100}, {"Memcpy DtoH (Device -> Pinned)", 100, 40}, {"Memset (Device)", 140, 10}})
        .build();
    const RunAnalysis analysis = analysisOf(sketch);
    const Breakdown sum = breakdownOf(analysis, Attribution::Sum);
    EXPECT_EQ(sum.totalNs, 100);
    ASSERT_EQ(sum.besides.size(), 1u);
    EXPECT_EQ(sum.besides[0].totalNs, 50);
    EXPECT_EQ(sum.besides[0].calls, 2u);
    EXPECT_EQ(rowOf(sum, "Memory copies"), nullptr);
    const Breakdown wall = breakdownOf(analysis, Attribution::Wall);
    EXPECT_EQ(rowOf(wall, "Memory copies")->totalNs, 50);
    EXPECT_EQ(wall.totalNs, 150);
    EXPECT_TRUE(wall.besides.empty());
}

TEST(Breakdown, MeansAreOverStepsAndRanks) {
    RunSketch sketch;
    sketch.rank({{"nvjet", 0, 100, 7, 0}, {"nvjet", 200, 300, 7, 1}})
        .rank({{"nvjet", 0, 200, 7, 0}, {"nvjet", 250, 400, 7, 1}})
        .build();
    const RunAnalysis analysis = analysisOf(sketch);
    const Breakdown all = breakdownOf(analysis, Attribution::Sum);
    EXPECT_EQ(all.cells, 4u);
    EXPECT_DOUBLE_EQ(all.perStep(all.totalNs), 250);
    const BreakdownRow& row = *rowOf(all, "Other GEMMs");
    EXPECT_EQ(row.stepNs, (std::vector<double>{150, 350}));
    EXPECT_DOUBLE_EQ(row.p50Ns, 250);
    EXPECT_DOUBLE_EQ(all.callsPerStep(row), 1);
    EXPECT_DOUBLE_EQ(Breakdown::perCall(row), 250);
    const Breakdown one = breakdownOf(analysis, Attribution::Sum, {{1}, {0}, {}});
    EXPECT_EQ(one.cells, 1u);
    EXPECT_EQ(one.totalNs, 300);
}

TEST(Breakdown, ALayersWallIsItsOwn) {
    RunSketch sketch;
    sketch
        .rank({{"nvjet", 0, 100, 7, 0, "", 0},
               {"attn_fwd", 120, 30, 7, 0, "", 0},
               {"nvjet", 200, 50, 7, 0, "", 1}})
        .build();
    const RunAnalysis analysis = analysisOf(sketch);
    const auto layers =
        breakdownByLayer(analysis, rules().set, categorise(analysis, rules()), Attribution::Wall);
    ASSERT_EQ(layers.size(), 2u);
    EXPECT_EQ(layers[0].wallNs, 150);
    EXPECT_EQ(layers[0].idleNs, 20);
    EXPECT_EQ(layers[1].wallNs, 50);
}

TEST(Breakdown, AllReduceUnfoldsIntoWaitAndTransfer) {
    RunSketch sketch;
    sketch.rank({{"ncclDevKernel_AllReduce", 0, 100}}).rank({{"ncclDevKernel_AllReduce", 80, 20}}).build();
    RunAnalysis analysis = analysisOf(sketch);
    analysis.collectives.groups.resize(1);
    analysis.collectives.calls = {{{EventId(0u)}}, {{EventId(0u)}}};
    analysis.collectives.matched.resize(1);
    analysis.collectives.members = {0, 0};
    analysis.stalls.stalls.resize(1);
    analysis.stalls.ranks.resize(2);
    analysis.stalls.waits = {{0, 80, 20}, {80, 0, 20}};
    for (const Attribution attribution : {Attribution::Sum, Attribution::Wall}) {
        const Breakdown breakdown = breakdownOf(analysis, attribution);
        const BreakdownRow& row = *rowOf(breakdown, "AllReduce (NCCL)");
        EXPECT_EQ(row.waitNs, 80);
        EXPECT_EQ(row.transferNs, 40);
        EXPECT_EQ(breakdown.groups[0].label, "AllReduce");
        EXPECT_EQ(breakdown.groups[0].waitNs, 80);
    }
}

TEST(Breakdown, ExposedCommunicationIgnoresCopies) {
    RunSketch sketch;
    sketch
        .rank({{"ncclDevKernel_AllReduce", 0, 100, 1},
               {"Memcpy DtoD (Device -> Device)", 20, 30, 2},
               {"nvjet", 90, 50, 2}})
        .build();
    EXPECT_EQ(breakdownOf(analysisOf(sketch), Attribution::Wall).exposedCommunicationNs, 90);
}

TEST(Breakdown, RandomRunsAddUpPerGroupAndCategory) {
    const char* const names[] = {"nvjet",    "attn_fwd", "ncclDevKernel_AllReduce",       "topkGating",
                                 "rms_norm", "zz",       "Memcpy DtoH (Device -> Pinned)"};
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        RunSketch sketch;
        for (int r = 0; r < 2; ++r) {
            std::vector<RunSketch::Activity> activities;
            for (int i = 0; i < 40; ++i)
                activities.push_back({names[random() % std::size(names)],
                                      static_cast<TimeNs>(random() % 1000),
                                      static_cast<TimeNs>(random() % 200), static_cast<int>(random() % 3)});
            sketch.rank(std::move(activities));
        }
        sketch.build();
        const RunAnalysis analysis = analysisOf(sketch);
        for (const Attribution attribution : {Attribution::Sum, Attribution::Wall}) {
            const Breakdown breakdown = breakdownOf(analysis, attribution);
            TimeNs rows = 0;
            TimeNs groups = 0;
            TimeNs wall = 0;
            for (const RankStep& step : analysis.steps.steps[0].ranks)
                wall += step.wallNs();
            for (const BreakdownRow& row : breakdown.rows)
                rows += row.totalNs;
            for (const BreakdownRow& row : breakdown.groups)
                groups += row.totalNs;
            EXPECT_EQ(rows, breakdown.totalNs);
            EXPECT_EQ(groups, breakdown.totalNs);
            EXPECT_EQ(breakdown.totalNs, attribution == Attribution::Wall ? wall : breakdown.kernelSumNs);
        }
    }
}

TEST(Samples, QuantilesInterpolate) {
    const Samples samples({4, 1, 3, 2});
    EXPECT_DOUBLE_EQ(samples.median(), 2.5);
    EXPECT_DOUBLE_EQ(samples.quantile(1), 4);
    EXPECT_DOUBLE_EQ(samples.medianDeviation(), 1);
    EXPECT_DOUBLE_EQ(Samples().median(), 0);
}

} // namespace
