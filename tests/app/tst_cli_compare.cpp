#include "tests/support/process.h"
#include "tests/support/temporaryfolder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace lockstep::test;

namespace {

using Arguments = std::vector<std::string>;

Finished compare(const Arguments& arguments) {
    Arguments all = {"compare"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return runProgram(LOCKSTEP_CLI, all);
}

std::string traceOf(const std::string& run, int rank) {
    return std::string(LOCKSTEP_TEST_DATA) + "/" + run + "-rank" + std::to_string(rank) + ".pt.trace.json.gz";
}

/// The arguments that compare two of the small captures, and `more`.
Arguments both(const Arguments& more = {}) {
    Arguments arguments = {"--a", traceOf("glm-eager-1step", 0),  traceOf("glm-eager-1step", 1),
                           "--b", traceOf("kimi-eager-1step", 0), traceOf("kimi-eager-1step", 1)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

TEST(CliCompare, TellsTheStoryInItsFirstLines) {
    const Finished outcome = compare(both());
    EXPECT_EQ(outcome.status, 0);
    const std::string first = outcome.out.substr(0, outcome.out.find('\n'));
    EXPECT_TRUE(first.starts_with("Dtype cast takes")) << first;
    EXPECT_NE(first.find("under 1 %"), std::string::npos) << first;
    for (const char* const part : {"A = ", "B = ", "By category", "By step", "Kernels that both runs have"})
        EXPECT_NE(outcome.out.find(part), std::string::npos) << part;
}

TEST(CliCompare, PrintsOnlyTheDocumentWithJson) {
    const Finished outcome = compare(both({"--json", "-"}));
    EXPECT_EQ(outcome.status, 0);
    const auto json = nlohmann::json::parse(outcome.out, nullptr, false);
    ASSERT_FALSE(json.is_discarded()) << outcome.out.substr(0, 200);
    EXPECT_EQ(json["schema"], "lockstep.comparison/1");
    EXPECT_EQ(json["a"]["layers"], 61);
    EXPECT_EQ(json["findings"][0]["subject"], "Dtype cast");
    EXPECT_TRUE(json["stalls"]["b"]["wait_percent"].is_number());
}

TEST(CliCompare, AUsersRulesChangeTheCategories) {
    const TemporaryFolder folder;
    const std::string rules = folder.write("rules.json", R"({"disable": ["dtype-cast"]})");
    const Finished outcome = compare(both({"--json", "-", "--categories", rules}));
    EXPECT_EQ(outcome.status, 0);
    const auto json = nlohmann::json::parse(outcome.out, nullptr, false);
    ASSERT_FALSE(json.is_discarded());
    EXPECT_NE(json["findings"][0]["subject"], "Dtype cast");
}

TEST(CliCompare, GivesTheHbmEfficiencyOfModelsThatAreNamed) {
    const Finished outcome =
        compare(both({"--json", "-", "--model-a", "glm-5-nvfp4", "--model-b", "kimi-k2.5-int4"}));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out, nullptr, false);
    ASSERT_FALSE(json.is_discarded());
    EXPECT_GT(json["hbm"]["a"]["bytes_per_step_per_gpu"].get<double>(), 1e9);
    EXPECT_GT(json["hbm"]["b"]["step_efficiency_percent"].get<double>(), 0);
    EXPECT_TRUE(nlohmann::json::parse(compare(both({"--json", "-"})).out)["hbm"]["a"].is_null());
    EXPECT_EQ(compare(both({"--model-a", "no-such-model"})).status, 2);
    EXPECT_EQ(compare(both({"--model-a", "glm-5-nvfp4", "--hardware-a", "no-such-gpu"})).status, 2);
}

TEST(CliCompare, SaysByItsStatusWhatWentWrong) {
    EXPECT_EQ(compare({"--a", traceOf("glm-eager-1step", 0)}).status, 2);
    EXPECT_EQ(compare({"--a", traceOf("glm-eager-1step", 0), "--b", "no-such-folder"}).status, 1);
    EXPECT_EQ(compare(both({"--attribution", "both"})).status, 2);
    const Finished noRules = compare(both({"--categories", "no-such-file"}));
    EXPECT_EQ(noRules.status, 1);
    EXPECT_NE(noRules.err.find("no-such-file"), std::string::npos);
}

} // namespace
