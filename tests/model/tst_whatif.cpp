#include "model/analysis/runanalysis.h"
#include "model/analysis/whatif.h"
#include "model/analysis/whatiflabels.h"
#include "model/run/runloader.h"
#include "model/synthetic/syntheticrun.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

using testing::HasSubstr;

/// A synthetic run, analysed.
struct Analysed {
    explicit Analysed(const SyntheticOptions& options) {
        const auto report = writeSyntheticRun(options);
        const auto run = report ? loadRun(report->files) : loadRun({});
        const auto rules = CategoryRules::builtin();
        if (!run || !rules) {
            ADD_FAILURE() << "the synthetic run cannot be analysed";
            return;
        }
        analysis = analyseRun(*run);
        labels = activityLabels(rules->set, categorise(*analysis, *rules));
    }
    std::shared_ptr<const RunAnalysis> analysis;
    ActivityLabels labels;
};

Analysed kimi(const std::vector<InjectedStall>& stalls = {}, int ranks = 8) {
    const test::TemporaryFolder folder;
    SyntheticOptions options;
    options.ranks = ranks;
    options.steps = 4;
    options.stalls = stalls;
    options.folder = folder.path();
    return Analysed(options);
}

const Analysed& quietKimi() {
    static const Analysed run = kimi();
    return run;
}

WhatIfResult project(const Analysed& run, const WhatIfInputs& inputs) {
    const auto result = projectRun(*run.analysis, run.labels, inputs);
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    return result ? *result : WhatIfResult();
}

WhatIfInputs expertParallel(const char* text = "allreduce:moe=alltoall@19us") {
    WhatIfInputs inputs;
    inputs.substitutions.push_back(parseReplacement(text).value());
    return inputs;
}

Substitution change(Substitution::Kind kind, std::string target = {}) {
    Substitution substitution;
    substitution.kind = kind;
    substitution.target = std::move(target);
    return substitution;
}

TEST(WhatIf, TheCaseStudysLineComesOutToTheDigit) {
    const WhatIfResult result = project(quietKimi(), expertParallel());
    ASSERT_EQ(result.lines.size(), 1U);
    EXPECT_EQ(result.lines[0].name, "60 MoE all-reduces become all-to-alls");
    EXPECT_EQ(result.lines[0].arithmetic, "60 × (78 − 19) µs = 3.54 ms, 29.3 % of 12.1 ms");
    EXPECT_NEAR(result.naive.savedMs, 3.54, 0.005);
    EXPECT_NEAR(result.naive.tpotMs, 12.1 - 3.54, 0.02);
    EXPECT_NEAR(result.lines[0].breakEvenUs.value_or(0), 78, 0.1);
}

TEST(WhatIf, OnlyTheTransferPartGainsWhereWaitingStays) {
    const WhatIfResult result = project(quietKimi(), expertParallel());
    EXPECT_LT(result.transferOnly.savedMs, result.naive.savedMs);
    EXPECT_GT(result.transferOnly.savedMs, 3.3) << "ranks wait for little more than a microsecond";
    EXPECT_NEAR(result.lines[0].transferBreakEvenUs.value_or(0), result.lines[0].transferUs, 1e-9);
}

TEST(WhatIf, ReplayShowsThatHiddenComputeBecomesTheFloor) {
    // Compute runs beside the all-reduces, so that it takes over when they get shorter.
    const WhatIfResult result = project(quietKimi(), expertParallel());
    EXPECT_LT(std::abs(result.replayErrorPercent), 1);
    EXPECT_LT(result.replayed.savedMs, 0.7 * result.naive.savedMs);
    EXPECT_GT(result.replayed.savedMs, 0);
    EXPECT_LE(result.savedLowMs, result.replayed.savedMs);
    EXPECT_GE(result.savedHighMs, result.naive.savedMs);
    ASSERT_TRUE(result.replayBreakEvenUs.has_value());
    EXPECT_NEAR(*result.replayBreakEvenUs, 77, 3);
}

TEST(WhatIf, TwoPartsAddUpAndTheTableAnswersWithoutATime) {
    const WhatIfResult parts =
        project(quietKimi(), expertParallel("allreduce:moe=dispatch@9us+combine@10us"));
    EXPECT_NEAR(parts.naive.savedMs, 3.54, 0.005);
    WhatIfInputs asked = expertParallel("allreduce:moe=alltoall");
    EXPECT_FALSE(projectRun(*quietKimi().analysis, quietKimi().labels, asked).has_value());
    asked.latencies = parseLatencyTable("collective,bytes,ranks,us\nalltoall,14336,8,19\n", "t.csv").value();
    const WhatIfResult table = project(quietKimi(), asked);
    EXPECT_NEAR(table.naive.savedMs, 3.54, 0.005);
    EXPECT_THAT(table.lines[0].remark, HasSubstr("measured at 14336 bytes"));
}

TEST(WhatIf, ImbalanceCostsTheBusiestRanksExperts) {
    WhatIfInputs inputs = expertParallel();
    inputs.imbalance = 1.5;
    const WhatIfResult result = project(quietKimi(), inputs);
    ASSERT_EQ(result.lines.size(), 2U);
    EXPECT_NEAR(result.lines[1].naiveMs, -1.2, 0.01) << "2.40 ms of expert GEMMs, half as much again";
    EXPECT_NEAR(result.naive.savedMs, 3.54 - 1.2, 0.02);
    EXPECT_LT(result.replayed.savedMs, project(quietKimi(), expertParallel()).replayed.savedMs);
}

TEST(WhatIf, NoStallsTakesBackWhatALateRankCost) {
    const Analysed run = kimi({{1, 20, 5, 2'000'000, SyntheticCause::Kernel}});
    WhatIfInputs inputs;
    inputs.substitutions = {change(Substitution::Kind::NoStalls)};
    inputs.steps = {1};
    const WhatIfResult result = project(run, inputs);
    EXPECT_NEAR(result.replayed.savedMs, 2.0 + 127 * 0.0022, 0.1)
        << "and two microseconds at each other collective";
    EXPECT_GT(result.naive.savedMs, 1.7) << "seven of eight ranks wait 2 ms";
    EXPECT_EQ(result.transferOnly.savedMs, 0);
}

TEST(WhatIf, CombinationCountsEachMicrosecondOnce) {
    WhatIfInputs inputs = expertParallel();
    inputs.substitutions.push_back(parseScale("allreduce=0.5").value());
    inputs.substitutions.push_back(change(Substitution::Kind::NoStalls));
    const WhatIfResult result = project(quietKimi(), inputs);
    ASSERT_EQ(result.lines.size(), 3U);
    double sum = 0;
    for (const WhatIfLine& line : result.lines)
        sum += line.naiveMs;
    EXPECT_NEAR(result.naive.savedMs, sum, 1e-9);
    // What the replacement has left is 60 × 19 µs; the rest of 11.16 ms is as measured; half of both goes.
    EXPECT_NEAR(result.lines[1].naiveMs, (11.16 - 60 * 0.078 + 60 * 0.019) / 2, 0.05);
    EXPECT_LT(result.naive.savedMs, 11.16);
}

TEST(WhatIf, CastFusedSavesTheCastAndLeavesTheAllReduces) {
    const test::TemporaryFolder folder;
    SyntheticOptions options;
    options.preset = "glm-5-nvfp4-sglang";
    options.ranks = 2;
    options.steps = 2;
    options.folder = folder.path();
    const Analysed glm(options);
    WhatIfInputs inputs;
    inputs.substitutions = {change(Substitution::Kind::FuseCast)};
    inputs.steps = {0};
    const WhatIfResult result = project(glm, inputs);
    EXPECT_NEAR(result.naive.savedMs, 102.8, 0.3);
    EXPECT_NEAR(result.naive.percent, 68, 0.5);
    EXPECT_NEAR(result.replayed.savedMs, result.naive.savedMs, 1) << "all on one stream: nothing hides it";
}

TEST(WhatIf, DroppedCategoryIsNamedByIdOrLabel) {
    WhatIfInputs inputs;
    inputs.substitutions = {change(Substitution::Kind::Drop, "Routing")};
    const WhatIfResult byLabel = project(quietKimi(), inputs);
    EXPECT_NEAR(byLabel.naive.savedMs, 0.99, 0.02);
    inputs.substitutions = {change(Substitution::Kind::Drop, "moe_gemm")};
    EXPECT_NEAR(project(quietKimi(), inputs).naive.savedMs, 2.4, 0.02);
}

TEST(WhatIf, ServingResultIsWhatSavingsAreTakenFrom) {
    WhatIfInputs inputs = expertParallel();
    inputs.servingTpotMs = 11.0;
    inputs.servingSource = "median time per output token";
    const WhatIfResult result = project(quietKimi(), inputs);
    EXPECT_NEAR(result.naive.tpotMs, 11 - 3.54, 0.01);
    EXPECT_THAT(result.lines[0].arithmetic, HasSubstr("% of 11 ms"));
    ASSERT_FALSE(result.notes.empty());
    EXPECT_THAT(result.notes[0], HasSubstr("The profiler's overhead"));
}

TEST(WhatIf, WhatTheRunDoesNotHaveIsSaid) {
    const auto message = [](const WhatIfInputs& inputs) {
        const auto result = projectRun(*quietKimi().analysis, quietKimi().labels, inputs);
        return result ? std::string() : result.error().message;
    };
    EXPECT_THAT(message(expertParallel("allgather=alltoall@5us")), HasSubstr("have no allgather"));
    EXPECT_THAT(message(expertParallel("gemm=alltoall@5us")), HasSubstr("is no collective"));
    EXPECT_THAT(message(expertParallel("allreduce:mine=alltoall@5us")), HasSubstr("is no kind of allreduce"));
    WhatIfInputs inputs;
    inputs.substitutions = {change(Substitution::Kind::FuseCast)};
    EXPECT_THAT(message(inputs), HasSubstr("no kernel of \"dtype_cast\""));
    inputs.imbalance = 0.5;
    EXPECT_THAT(message(inputs), HasSubstr("1 or more"));
}

TEST(WhatIf, JsonAndTextHoldAllThreeFiguresAndTheBounds) {
    const WhatIfResult result = project(quietKimi(), expertParallel());
    const nlohmann::ordered_json json = whatIfJson(result);
    for (const char* key : {"naive", "transfer_only", "resimulated"})
        EXPECT_TRUE(json[key].contains("saved_ms")) << key;
    EXPECT_EQ(json["schema"], "lockstep.whatif/1");
    EXPECT_EQ(json["lines"][0]["arithmetic"], result.lines[0].arithmetic);
    EXPECT_LE(json["bounds"]["saved_low_ms"], json["bounds"]["saved_high_ms"]);
    EXPECT_THAT(whatIfText(result), HasSubstr("60 × (78 − 19) µs = 3.54 ms, 29.3 % of 12.1 ms"));
}

} // namespace
} // namespace lockstep
