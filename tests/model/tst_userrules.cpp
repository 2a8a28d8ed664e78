#include "model/analysis/userrules.h"

#include "model/analysis/casestudy.h"
#include "model/analysis/categories.h"

#include <gtest/gtest.h>

namespace lockstep::test {
namespace {

UserRules oneRule(std::string expression) {
    UserRules rules;
    rules.rules.push_back({"own-1", "moe_gemm", std::move(expression), "", "a rule of your own"});
    return rules;
}

TEST(UserRules, ComeBackAsTheyWereWritten) {
    UserRules rules = oneRule("fused_\"moe\"<.*>");
    rules.rules.front().notName = "router";
    rules.disabled = {"mscclpp"};
    const auto read = UserRules::parse(rules.toText(), "mine.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->rules, rules.rules);
    EXPECT_EQ(read->disabled, rules.disabled);
}

TEST(UserRules, DecideBeforeTheBuiltInOnes) {
    const auto builtin = CategoryRules::builtin();
    const std::string kernel = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(int)";
    EXPECT_EQ(builtin->set.categories[verdictOfName(*builtin, kernel).category].id, "allreduce_nccl");
    const auto rules = oneRule("nccldevkernel").over(*builtin);
    ASSERT_TRUE(rules) << rules.error().message;
    EXPECT_EQ(rules->set.categories[verdictOfName(*rules, kernel).category].id, "moe_gemm");
    EXPECT_EQ(verdictOfName(*rules, kernel).ruleId, "own-1");
}

TEST(UserRules, AnExpressionThatIsNoneIsAnError) {
    EXPECT_FALSE(oneRule("(").over(*CategoryRules::builtin()));
    UserRules rules = oneRule("a");
    rules.rules.front().category = "no such category";
    EXPECT_FALSE(rules.over(*CategoryRules::builtin()));
}

TEST(UserRules, FilesThatSayMoreAreNotTakenInHalf) {
    EXPECT_FALSE(UserRules::parse("not json", "f"));
    EXPECT_FALSE(UserRules::parse(R"({"rules": [{"id": "a", "category": "norm", "op": "x"}]})", "f"));
    EXPECT_TRUE(UserRules::parse(R"({"rules": []})", "f"));
}

TEST(CaseStudy, GivesTheReportedFigures) {
    const auto runs = reportedRuns();
    ASSERT_TRUE(runs) << runs.error().message;
    ASSERT_EQ(runs->size(), 2u);
    const ReportedRun& kimi = runs->front();
    ASSERT_NE(kimi.find("AllReduce"), nullptr);
    EXPECT_DOUBLE_EQ(kimi.find("AllReduce")->perStepMs, 11.17);
    EXPECT_DOUBLE_EQ(kimi.find("AllReduce")->percent, 51.5);
    EXPECT_EQ(kimi.find("Dtype cast"), nullptr);
    EXPECT_DOUBLE_EQ(kimi.hbmPercent.value_or(0), 31.8);
    EXPECT_DOUBLE_EQ(runs->back().castPercent.value_or(0), 69);
}

} // namespace
} // namespace lockstep::test
