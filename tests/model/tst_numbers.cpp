#include "model/analysis/breakdown.h"
#include "model/analysis/comparison.h"
#include "model/analysis/kernelstats.h"
#include "model/analysis/runanalysis.h"
#include "model/report/breakdownjson.h"
#include "model/report/comparisonreport.h"
#include "model/run/runloader.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <map>

using namespace lockstep;

namespace {

using Json = nlohmann::json;

const CategoryRules& rules() {
    static const CategoryRules builtin = CategoryRules::builtin().value();
    return builtin;
}

struct Capture {
    std::shared_ptr<const RunAnalysis> analysis;
    CategoryTable table;
};

/// Loaded once a program: the captures are large.
const Capture& captureOf(const std::string& prefix) {
    static std::map<std::string, Capture> loaded;
    const auto [it, isNew] = loaded.try_emplace(prefix);
    if (isNew) {
        const auto run = loadRun({prefix + "-rank0.pt.trace.json.gz", prefix + "-rank1.pt.trace.json.gz"});
        if (run) {
            it->second.analysis = analyseRun(*run);
            it->second.table = categorise(*it->second.analysis, rules());
        }
    }
    return it->second;
}

TimeNs groupNs(const Breakdown& breakdown, std::string_view label) {
    for (const BreakdownRow& row : breakdown.groups)
        if (row.label == label)
            return row.totalNs;
    return -1;
}

/// Every number of `expect` that a breakdown can say, per step and rank.
void expectNumbers(const Capture& capture, const Json& expect) {
    ASSERT_TRUE(capture.analysis);
    const RunAnalysis& analysis = *capture.analysis;
    ASSERT_EQ(analysis.steps.steps.size(), expect["steps"].size());
    for (const Json& step : expect["steps"]) {
        const auto index = step["index"].get<std::uint32_t>();
        for (const Json& rank : step["ranks"]) {
            const auto r = rank["rank"].get<std::size_t>();
            SCOPED_TRACE("step " + std::to_string(index) + " rank " + std::to_string(r));
            const BreakdownSelection cell{{index}, {r}, {}};
            const Breakdown sum = breakdownOf(analysis, rules().set, capture.table, Attribution::Sum, cell);
            EXPECT_EQ(sum.totalNs, rank["kernel_sum_ns"].get<TimeNs>());
            EXPECT_EQ(groupNs(sum, "Dtype cast"), rank["cast_ns"].get<TimeNs>());
            EXPECT_EQ(groupNs(sum, "AllReduce"), rank["allreduce_ns"].get<TimeNs>());
            EXPECT_EQ(sum.groups.front().calls, rank["allreduce_calls"].get<std::uint64_t>());
            EXPECT_EQ(sum.exposedCommunicationNs, rank["exposed_communication_ns"].get<TimeNs>());
            const Breakdown wall = breakdownOf(analysis, rules().set, capture.table, Attribution::Wall, cell);
            TimeNs rows = 0;
            for (const BreakdownRow& row : wall.rows)
                rows += row.totalNs;
            EXPECT_EQ(rows, rank["wall_ns"].get<TimeNs>());
            EXPECT_EQ(wall.totalNs, rank["wall_ns"].get<TimeNs>());
            EXPECT_EQ(wall.busyNs, rank["busy_ns"].get<TimeNs>());
        }
    }
}

Json readJson(const std::string& path) {
    std::ifstream file(path);
    return Json::parse(file, nullptr, false);
}

class SharedNumbers : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(std::string(LOCKSTEP_SHARED) + "/data/real"))
            GTEST_SKIP() << "The captures in ../shared are not here.";
    }
    static std::string prefix() { return std::string(LOCKSTEP_SHARED) + "/data/real/" + GetParam(); }
};

TEST_P(SharedNumbers, NumbersAreTheExpectedOnes) {
    expectNumbers(captureOf(prefix()),
                  readJson(std::string(LOCKSTEP_SHARED) + "/data/expect/" + GetParam() + ".json"));
}

TEST_P(SharedNumbers, LessThanAHundredthIsUnclassified) {
    const Capture& capture = captureOf(prefix());
    ASSERT_TRUE(capture.analysis);
    double share = 0;
    for (const UnmatchedName& name :
         unmatchedNames(*capture.analysis->run, capture.analysis->steps, rules(), capture.table))
        share += name.share;
    EXPECT_LT(share, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Captures, SharedNumbers,
                         testing::Values("kimi-eager", "kimi-graph", "glm-eager", "kimi-eager-stack",
                                         "rich-graph", "piecewise", "mixed"));

/// What the small captures hold, by the same independent reading as ../shared/data/expect.
struct SmallCell {
    const char* capture;
    std::uint32_t step;
    std::size_t rank;
    TimeNs kernelSumNs;
    TimeNs wallNs;
    TimeNs castNs;
};

class SmallCapture : public testing::TestWithParam<SmallCell> {};

TEST_P(SmallCapture, AddsUpToTheNanosecond) {
    const SmallCell& cell = GetParam();
    const Capture& capture = captureOf(std::string(LOCKSTEP_TEST_DATA) + "/" + cell.capture);
    ASSERT_TRUE(capture.analysis);
    const BreakdownSelection selection{{cell.step}, {cell.rank}, {}};
    const Breakdown sum =
        breakdownOf(*capture.analysis, rules().set, capture.table, Attribution::Sum, selection);
    EXPECT_EQ(sum.totalNs, cell.kernelSumNs);
    EXPECT_EQ(groupNs(sum, "Dtype cast"), cell.castNs);
    const Breakdown wall =
        breakdownOf(*capture.analysis, rules().set, capture.table, Attribution::Wall, selection);
    EXPECT_EQ(wall.totalNs, cell.wallNs);
    EXPECT_EQ(wall.unclassifiedShare, 0);
}

INSTANTIATE_TEST_SUITE_P(Captures, SmallCapture,
                         testing::Values(SmallCell{"kimi-eager-1step", 0, 0, 110654079, 114738858, 124830},
                                         SmallCell{"kimi-eager-1step", 0, 1, 15524438, 114829511, 126814},
                                         SmallCell{"kimi-graph-4steps", 0, 0, 15101050, 16286795, 129118},
                                         SmallCell{"kimi-graph-4steps", 0, 1, 15119571, 16303518, 128414},
                                         SmallCell{"kimi-graph-4steps", 1, 0, 15660812, 16840907, 129338},
                                         SmallCell{"kimi-graph-4steps", 1, 1, 15705671, 16894396, 127489},
                                         SmallCell{"kimi-graph-4steps", 2, 0, 15091123, 16283883, 129185},
                                         SmallCell{"kimi-graph-4steps", 2, 1, 15098110, 16288285, 127906},
                                         SmallCell{"kimi-graph-4steps", 3, 0, 15093947, 16296012, 128602},
                                         SmallCell{"kimi-graph-4steps", 3, 1, 15115232, 16297117, 128059},
                                         SmallCell{"glm-eager-1step", 0, 0, 66478151, 81579709, 47593784},
                                         SmallCell{"glm-eager-1step", 0, 1, 73495417, 81591007, 47543909}));

TEST(Numbers, ExpertsAndDenseGemmsAreToldApartInEagerAndInGraphCaptures) {
    const std::string data = LOCKSTEP_TEST_DATA;
    for (const char* const name : {"/kimi-eager-1step", "/kimi-graph-4steps"}) {
        const Capture& capture = captureOf(data + name);
        ASSERT_TRUE(capture.analysis);
        for (std::uint32_t step = 0; step < capture.analysis->steps.steps.size(); ++step)
            for (const std::size_t rank : {0u, 1u}) {
                const Breakdown sum = breakdownOf(*capture.analysis, rules().set, capture.table,
                                                  Attribution::Sum, {{step}, {rank}, {}});
                std::map<std::string, std::uint64_t> calls;
                for (const BreakdownRow& row : sum.groups)
                    calls[row.label] = row.calls;
                EXPECT_EQ(calls["MoE GEMMs"], 61u * 5) << name;
                EXPECT_EQ(calls["Other GEMMs"], 61u * 9 + 1) << name;
                EXPECT_EQ(calls["Attention"], 61u) << name;
                EXPECT_EQ(calls["Routing"], 61u * 2) << name;
                EXPECT_EQ(calls["AllReduce"], 122u) << name;
            }
    }
}

TEST(Numbers, LayersAddUpToNoMoreThanTheStep) {
    const Capture& capture = captureOf(std::string(LOCKSTEP_TEST_DATA) + "/kimi-graph-4steps");
    ASSERT_TRUE(capture.analysis);
    const BreakdownSelection step{{1}, {}, {}};
    const Breakdown whole =
        breakdownOf(*capture.analysis, rules().set, capture.table, Attribution::Sum, step);
    const auto layers =
        breakdownByLayer(*capture.analysis, rules().set, capture.table, Attribution::Sum, step);
    ASSERT_EQ(layers.size(), 61u);
    TimeNs total = 0;
    for (const Breakdown& layer : layers) {
        EXPECT_GT(layer.totalNs, 0);
        total += layer.totalNs;
    }
    EXPECT_LE(total, whole.totalNs);
    EXPECT_GT(total, whole.totalNs * 9 / 10);
}

TEST(Numbers, WaitAndTransferMakeUpTheAllReduces) {
    const Capture& capture = captureOf(std::string(LOCKSTEP_TEST_DATA) + "/kimi-eager-1step");
    ASSERT_TRUE(capture.analysis);
    const Breakdown sum =
        breakdownOf(*capture.analysis, rules().set, capture.table, Attribution::Sum, {{0}, {}, {}});
    const BreakdownRow& allReduce = sum.groups.front();
    ASSERT_TRUE(allReduce.waitNs && allReduce.transferNs);
    EXPECT_LE(*allReduce.waitNs + *allReduce.transferNs, allReduce.totalNs);
    EXPECT_GT(*allReduce.waitNs + *allReduce.transferNs, allReduce.totalNs * 99 / 100);
    EXPECT_GT(*allReduce.waitNs, 20 * *allReduce.transferNs);
}

TEST(Numbers, KernelStatisticsCoverEveryKernelOfTheSteps) {
    const Capture& capture = captureOf(std::string(LOCKSTEP_TEST_DATA) + "/glm-eager-1step");
    ASSERT_TRUE(capture.analysis);
    const BreakdownSelection step{{0}, {}, {}};
    const KernelStatsTable stats = kernelStats(*capture.analysis, capture.table, step);
    const Breakdown sum = breakdownOf(*capture.analysis, rules().set, capture.table, Attribution::Sum, step);
    TimeNs kernels = 0;
    double share = 0;
    for (const KernelStats& row : stats.rows) {
        kernels += row.kernel ? row.totalNs : 0;
        share += row.share;
        EXPECT_LE(static_cast<double>(row.minNs), row.p50Ns);
        EXPECT_LE(row.p50Ns, row.p99Ns);
        EXPECT_LE(row.p99Ns, static_cast<double>(row.maxNs));
        EXPECT_EQ(row.ranks[0].count + row.ranks[1].count, row.count);
    }
    EXPECT_EQ(kernels, sum.totalNs);
    EXPECT_NEAR(share, 1, 1e-9);
    EXPECT_NE(
        std::string(capture.analysis->run->strings->view(stats.rows[0].name)).find("direct_copy_kernel_cuda"),
        std::string::npos);
}

TEST(Numbers, TheBreakdownDocumentHasTheContractsKeys) {
    const Capture& capture = captureOf(std::string(LOCKSTEP_TEST_DATA) + "/kimi-graph-4steps");
    ASSERT_TRUE(capture.analysis);
    for (const Attribution attribution : {Attribution::Sum, Attribution::Wall}) {
        const auto json =
            breakdownJson(breakdownOf(*capture.analysis, rules().set, capture.table, attribution));
        for (const char* const key :
             {"attribution", "steps", "total_per_step_ms", "wall_per_step_ms", "period_per_step_ms", "rows"})
            EXPECT_TRUE(json.contains(key)) << key;
        double total = 0;
        for (const auto& row : json["rows"]) {
            for (const char* const key :
                 {"category", "group", "per_step_ms", "percent", "calls_per_step", "us_per_call", "p50_ms",
                  "p95_ms", "p99_ms", "wait_ms", "transfer_ms"})
                EXPECT_TRUE(row.contains(key)) << key;
            total += row["per_step_ms"].get<double>();
        }
        EXPECT_NEAR(total, json["total_per_step_ms"].get<double>(), 1e-9);
    }
}

ComparisonSide sideOf(const Capture& capture, const char* label) {
    ComparisonSide side;
    side.analysis = capture.analysis.get();
    side.categories = &capture.table;
    side.label = label;
    return side;
}

TEST(Comparison, SaysTheCastFirst) {
    const std::string data = LOCKSTEP_TEST_DATA;
    const Capture& glm = captureOf(data + "/glm-eager-1step");
    const Capture& kimi = captureOf(data + "/kimi-graph-4steps");
    ASSERT_TRUE(glm.analysis && kimi.analysis);
    for (const Attribution attribution : {Attribution::Sum, Attribution::Wall}) {
        const Comparison comparison =
            compareRuns(sideOf(glm, "glm"), sideOf(kimi, "kimi"), rules().set, attribution);
        ASSERT_FALSE(comparison.findings.empty());
        EXPECT_EQ(comparison.findings.front().subject, "Dtype cast");
        const std::string text = comparisonText(comparison);
        EXPECT_TRUE(text.starts_with("Dtype cast takes")) << text.substr(0, 200);
        EXPECT_NE(text.find("in glm against under 1 % in kimi"), std::string::npos) << text.substr(0, 200);
        const auto json = comparisonJson(comparison);
        EXPECT_EQ(json["schema"], "lockstep.comparison/1");
        EXPECT_EQ(json["findings"][0]["subject"], "Dtype cast");
    }
}

TEST(Comparison, SwappingTheRunsSwapsTheNumbers) {
    const std::string data = LOCKSTEP_TEST_DATA;
    const Capture& glm = captureOf(data + "/glm-eager-1step");
    const Capture& kimi = captureOf(data + "/kimi-graph-4steps");
    ASSERT_TRUE(glm.analysis && kimi.analysis);
    const Comparison one = compareRuns(sideOf(glm, "glm"), sideOf(kimi, "kimi"), rules().set);
    const Comparison other = compareRuns(sideOf(kimi, "kimi"), sideOf(glm, "glm"), rules().set);
    ASSERT_EQ(one.categories.size(), other.categories.size());
    for (std::size_t i = 0; i < one.categories.size(); ++i) {
        EXPECT_EQ(one.categories[i].id, other.categories[i].id);
        EXPECT_EQ(one.categories[i].ns.a, other.categories[i].ns.b);
        EXPECT_EQ(one.categories[i].percentB, other.categories[i].percentA);
    }
    ASSERT_EQ(one.findings.size(), other.findings.size());
    EXPECT_EQ(one.findings.front().sentence, other.findings.front().sentence);
    EXPECT_EQ(one.onlyA.size(), other.onlyB.size());
}

TEST(Comparison, ARunDoesNotDifferFromItself) {
    const Capture& kimi = captureOf(std::string(LOCKSTEP_TEST_DATA) + "/kimi-graph-4steps");
    ASSERT_TRUE(kimi.analysis);
    const Comparison comparison = compareRuns(sideOf(kimi, "kimi"), sideOf(kimi, "kimi"), rules().set);
    EXPECT_NE(comparison.labelA, comparison.labelB);
    for (const PortraitLine& line : comparison.portrait)
        EXPECT_FALSE(line.differs()) << line.key;
    for (const ComparedCategory& category : comparison.categories)
        EXPECT_EQ(category.ns.difference(), 0);
    for (const Finding& finding : comparison.findings)
        EXPECT_NE(finding.kind, "category") << finding.sentence;
    EXPECT_TRUE(comparison.onlyA.empty());
    EXPECT_TRUE(comparison.onlyB.empty());
}

TEST(Comparison, ThePortraitSaysWhatTheRunsAre) {
    const std::string data = LOCKSTEP_TEST_DATA;
    const Capture& graph = captureOf(data + "/kimi-graph-4steps");
    const Capture& eager = captureOf(data + "/kimi-eager-1step");
    ASSERT_TRUE(graph.analysis && eager.analysis);
    const RunPortrait a = portraitOf(*graph.analysis);
    const RunPortrait b = portraitOf(*eager.analysis);
    EXPECT_TRUE(a.graphs);
    EXPECT_FALSE(b.graphs);
    EXPECT_EQ(a.engine, "vLLM");
    EXPECT_EQ(a.layers, 61u);
    EXPECT_EQ(a.ranks, 2u);
    ASSERT_FALSE(b.collectives.empty());
    EXPECT_EQ(b.collectives[0].kind, "allreduce");
    EXPECT_EQ(b.collectives[0].bytes, 14336);
    EXPECT_EQ(portraitOf(*eager.analysis, "Mine").model, "Mine");
}

TEST(ComparedValue, TheEffectIsMeasuredAgainstTheSpread) {
    const ComparedValue value{10, 8, 10, 8, 1, 1};
    ASSERT_TRUE(value.effect());
    EXPECT_NEAR(*value.effect(), 2 / 1.4826, 1e-12);
    EXPECT_FALSE((ComparedValue{10, 8, 10, 8, 0, 0}).effect());
    EXPECT_FALSE((ComparedValue{10, 0, 10, 0, 1, 1}).ratio());
}

} // namespace
