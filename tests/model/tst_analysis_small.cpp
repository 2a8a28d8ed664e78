#include "model/report/analysisjson.h"
#include "tests/support/analysisof.h"
#include "tests/support/tracetransform.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lockstep::test {
namespace {

std::shared_ptr<const lockstep::Run> smallCapture(const std::string& name) {
    auto run = loadSet(LOCKSTEP_TEST_DATA, name);
    if (!run)
        ADD_FAILURE() << "tests/data lacks " << name;
    return run;
}

nlohmann::json documentOf(const RunAnalysis& analysis, const AnalysisSelection& selection = {}) {
    return nlohmann::json::parse(analysisJson(analysis, selection));
}

TEST(AnalysedSmallCapture, FourReplaysOfAGraph) {
    const auto run = smallCapture("kimi-graph-4steps");
    const auto analysis = analyseRun(run);
    ASSERT_EQ(analysis->steps.steps.size(), 4u);
    EXPECT_EQ(analysis->steps.source, StepSource::CpuAnnotation);
    const RankStep& first = analysis->steps.steps[0].ranks[0];
    EXPECT_EQ(first.kernels, 2201u);
    EXPECT_EQ(first.kernelSumNs, 15'101'050);
    EXPECT_EQ(first.wallNs(), 16'286'795);
    EXPECT_EQ(first.busyNs, 15'103'323);
    EXPECT_EQ(first.exposedCommunicationNs, 939'163);
    EXPECT_EQ(first.layers, 61u);
    EXPECT_EQ(analysis->steps.steps[1].ranks[1].kernels, 2202u);
    EXPECT_EQ(analysis->collectives.matched.size(), 492u);
    EXPECT_NEAR(analysis->alignment.ranks[1].offsetNs, -32, 50);
    EXPECT_NEAR(static_cast<double>(analysis->stalls.ranks[0].waitedNs), 769'956, 3'850);
    EXPECT_NEAR(static_cast<double>(analysis->stalls.ranks[1].waitedNs), 230'959, 1'155);
    const std::uint32_t worst = analysis->stalls.worst.front();
    EXPECT_EQ(analysis->collectives.matched[worst].ordinal, 123u);
    EXPECT_EQ(analysis->collectives.matched[worst].step, 1u);
    EXPECT_EQ(analysis->collectives.matched[worst].layer, 0u);
    const StallCause cause =
        causeOf(*run, analysis->steps, analysis->collectives, analysis->alignment, analysis->stalls, worst);
    EXPECT_EQ(cause.kind, CauseKind::Kernel);
    EXPECT_EQ(cause.excessNs, 600'895);
}

TEST(AnalysedSmallCapture, OneEagerStepWhoseHostCameLate) {
    const auto run = smallCapture("kimi-eager-1step");
    const auto analysis = analyseRun(run);
    ASSERT_EQ(analysis->steps.steps.size(), 1u);
    EXPECT_EQ(analysis->steps.steps[0].ranks[0].layers, 61u);
    EXPECT_EQ(analysis->collectives.matched.size(), 123u);
    EXPECT_NEAR(static_cast<double>(analysis->stalls.ranks[0].waitedNs), 95'752'153, 478'000);
    EXPECT_EQ(analysis->stalls.ranks[1].lastArrivals, 122u);
    const std::uint32_t worst = analysis->stalls.worst.front();
    EXPECT_EQ(analysis->collectives.matched[worst].ordinal, 40u);
    const StallCause cause =
        causeOf(*run, analysis->steps, analysis->collectives, analysis->alignment, analysis->stalls, worst);
    EXPECT_EQ(cause.kind, CauseKind::Host);
    EXPECT_EQ(cause.name, "cudaLaunchKernel");
    EXPECT_EQ(cause.excessNs, 9'503'916);
}

TEST(AnalysedSmallCapture, OneStepThatCastsItsWeights) {
    const auto analysis = analyseRun(smallCapture("glm-eager-1step"));
    ASSERT_EQ(analysis->steps.steps.size(), 1u);
    EXPECT_EQ(analysis->steps.steps[0].ranks[1].kernels, 2689u);
    EXPECT_EQ(analysis->steps.steps[0].ranks[1].kernelSumNs, 73'495'417);
    EXPECT_EQ(analysis->steps.steps[0].ranks[1].layers, 61u);
    EXPECT_NEAR(analysis->alignment.ranks[1].offsetNs, -70, 50);
    EXPECT_NEAR(static_cast<double>(analysis->stalls.ranks[1].waitedNs), 10'436'693, 52'000);
}

TEST(AnalysedSmallCapture, WithoutAnnotationsTheReplaysAreTheSteps) {
    const auto run = smallCapture("kimi-graph-4steps");
    const StepTable without = findSteps(*withRanks(*run, withoutAnnotations));
    EXPECT_EQ(without.source, StepSource::GraphLaunch);
    EXPECT_EQ(outlineOf(without), outlineOf(findSteps(*run)));
}

TEST(AnalysedSmallCapture, LostCollectivesAndALateStartLeaveTheRestMatched) {
    const auto run = smallCapture("kimi-graph-4steps");
    const auto whole = analyseRun(run);
    const std::vector<CollectiveCall>& calls = whole->collectives.calls[1];
    const auto lossy = analyseRun(withRank(
        *run, 1, withoutActivities(run->ranks[1], {calls[5].event, calls[200].event, calls[400].event})));
    EXPECT_EQ(lossy->collectives.matched.size(), 489u);
    EXPECT_EQ(lossy->collectives.unmatched[0], (std::vector<std::uint32_t>{5, 200, 400}));
    const TimeNs begin = whole->steps.steps[2].ranks[1].range.begin;
    const RankTrace cut = transformed(run->ranks[1], [&](EventId id) {
        return !isGpuActivity(run->ranks[1].events.kind(id)) || run->ranks[1].events.begin(id) >= begin;
    });
    const auto late = analyseRun(withRank(*run, 1, shifted(cut, 1'234'567'891, 0)));
    EXPECT_EQ(late->collectives.matched.size(), 246u);
    EXPECT_EQ(late->steps.steps.size(), 4u);
    EXPECT_NEAR(late->alignment.ranks[1].offsetNs, -1'234'567'891 - 32, 100);
}

TEST(AnalysedSmallCapture, AShiftedRankWaitsTheSame) {
    const auto run = smallCapture("kimi-eager-1step");
    const auto before = waitsOf(*analyseRun(run));
    const auto analysis = analyseRun(withRank(*run, 1, shifted(run->ranks[1], 1'234'567'891, 0)));
    EXPECT_EQ(waitsOf(*analysis), before);
    EXPECT_NEAR(analysis->alignment.ranks[1].offsetNs, -1'234'567'891 - 394, 1);
}

TEST(AnalysisDocument, HoldsEveryPartOfTheContract) {
    const auto analysis = analyseRun(smallCapture("kimi-graph-4steps"));
    const nlohmann::json document = documentOf(*analysis);
    EXPECT_EQ(document["schema"], "lockstep.analysis/1");
    EXPECT_EQ(document["run"]["ranks"][1]["rank"], 1);
    EXPECT_EQ(document["run"]["ranks"][1]["kernels"], 8805);
    EXPECT_EQ(document["run"]["ranks"][0]["first_ns"], 1'795'968'932'969'842'762);
    EXPECT_EQ(document["alignment"]["method"], "collectives");
    EXPECT_EQ(document["alignment"]["ranks"].size(), 2u);
    EXPECT_EQ(document["alignment"]["uncertain"], false);
    EXPECT_EQ(document["steps"]["items"].size(), 4u);
    EXPECT_EQ(document["steps"]["items"][0]["ranks"][1]["allreduce_calls"], 122);
    EXPECT_EQ(document["steps"]["items"][0]["kind"], "decode");
    EXPECT_TRUE(document["steps"]["items"][3]["ranks"][0]["period_ns"].is_null());
    EXPECT_EQ(document["collectives"]["groups"][0]["kind"], "allreduce");
    EXPECT_TRUE(document["collectives"]["groups"][0]["bytes"].is_null());
    EXPECT_EQ(document["stalls"]["worst"][0]["ordinal"], 123);
    EXPECT_EQ(document["stalls"]["worst"][0]["cause"]["kind"], "kernel");
    EXPECT_EQ(document["stalls"]["worst"][0]["wait_ns"].size(), 2u);
    EXPECT_TRUE(document["hbm"].is_null());
}

TEST(AnalysisDocument, CanBeOfSomeStepsAndOneRank) {
    StallOptions options;
    options.firstStep = 1;
    options.lastStep = 2;
    const auto analysis = analyseRun(smallCapture("kimi-graph-4steps"), options);
    AnalysisSelection selection;
    selection.firstStep = 1;
    selection.lastStep = 2;
    selection.rank = 1;
    selection.sections = {{"hbm", R"({"model": "m"})"}, {"breakdown", "[1]"}};
    const nlohmann::json document = documentOf(*analysis, selection);
    EXPECT_EQ(document["steps"]["items"].size(), 2u);
    EXPECT_EQ(document["steps"]["items"][0]["index"], 1);
    EXPECT_EQ(document["steps"]["items"][0]["ranks"].size(), 1u);
    EXPECT_EQ(document["run"]["ranks"].size(), 1u);
    EXPECT_EQ(document["stalls"]["worst"][0]["straggler"], 1);
    EXPECT_EQ(document["collectives"]["groups"][0]["count"], 244);
    EXPECT_EQ(document["hbm"]["model"], "m");
    EXPECT_EQ(document["breakdown"][0], 1);
}

TEST(AnalysisText, NamesTheStragglerAndItsCause) {
    const auto analysis = analyseRun(smallCapture("kimi-graph-4steps"));
    const std::string text = analysisText(*analysis);
    EXPECT_NE(text.find("steps: 4 by cpu_annotation"), std::string::npos) << text;
    EXPECT_NE(text.find("collective 123 (allreduce): rank 1 last by 551"), std::string::npos) << text;
    EXPECT_NE(text.find("spin_kernel"), std::string::npos) << text;
    EXPECT_NE(text.find("61 layers"), std::string::npos) << text;
}

} // namespace
} // namespace lockstep::test
