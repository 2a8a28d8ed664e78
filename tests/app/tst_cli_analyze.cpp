#include "tests/support/process.h"
#include "tests/support/runbuilder.h"
#include "tests/support/temporaryfolder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace lockstep::test;
using nlohmann::json;

namespace {

Finished analyze(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "analyze");
    return runProgram(LOCKSTEP_CLI, arguments);
}

const std::string kData = LOCKSTEP_TEST_DATA;
const std::vector<std::string> kGraph{kData + "/kimi-graph-4steps-rank0.pt.trace.json.gz",
                                      kData + "/kimi-graph-4steps-rank1.pt.trace.json.gz"};

std::vector<std::string> graphWith(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = kGraph;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

/// Eight steps of four layers; rank 1 comes 300 µs late to the all-reduce of step 3, layer 2.
void writeRun(const TemporaryFolder& folder) {
    RunBuilder run(3);
    run.clock(1, 250ms);
    for (int step = 0; step < 8; ++step) {
        run.step(4);
        for (int layer = 0; layer < 4; ++layer) {
            run.compute("norm", 3us).compute("flash_fwd_kernel", 12us + std::chrono::nanoseconds(step * 137));
            if (step == 3 && layer == 2)
                run.compute("surprise_kernel", RunBuilder::PerRank{{1, 300us}});
            run.allReduce();
        }
    }
    run.writeTo(folder);
}

} // namespace

TEST(CliAnalyze, PrintsTheDocumentAndNothingElse) {
    const auto done = analyze(graphWith({"--json", "-"}));
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_EQ(done.err, "");
    const json document = json::parse(done.out);
    EXPECT_EQ(document["schema"], "lockstep.analysis/1");
    EXPECT_EQ(document["steps"]["items"].size(), 4u);
    EXPECT_EQ(document["collectives"]["matched"], 492);
    EXPECT_EQ(document["stalls"]["worst"][0]["cause"]["excess_ns"], 600'895);
}

TEST(CliAnalyze, PrintsASummaryAndWritesTheDocumentBesideIt) {
    const TemporaryFolder folder;
    const auto done = analyze(graphWith({"--json", folder.path("out.json")}));
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_NE(done.out.find("collectives: 492 matched"), std::string::npos) << done.out;
    EXPECT_NE(done.out.find("spin_kernel"), std::string::npos);
    const auto again = analyze(graphWith({"--json", folder.path("out.json")}));
    EXPECT_EQ(again.out, done.out);
}

TEST(CliAnalyze, FindsAnInjectedStallInAFolder) {
    const TemporaryFolder folder;
    writeRun(folder);
    const auto done = analyze({folder.path(), "--json", "-"});
    ASSERT_EQ(done.status, 0) << done.err;
    const json document = json::parse(done.out);
    EXPECT_EQ(document["steps"]["items"].size(), 8u);
    EXPECT_EQ(document["collectives"]["matched"], 32);
    EXPECT_NEAR(document["alignment"]["ranks"][1]["offset_ns"].get<double>(), -250e6, 100);
    const json& worst = document["stalls"]["worst"][0];
    EXPECT_EQ(worst["step"], 3);
    EXPECT_EQ(worst["layer"], 2);
    EXPECT_EQ(worst["ordinal"], 14);
    EXPECT_EQ(worst["straggler"], 1);
    EXPECT_EQ(worst["cause"]["kind"], "kernel");
    EXPECT_EQ(worst["cause"]["name"], "surprise_kernel");
    EXPECT_EQ(worst["cause"]["excess_ns"], 300'000);
}

TEST(CliAnalyze, StepsAndRankSelect) {
    const auto done = analyze(graphWith({"--json", "-", "--steps", "1..2", "--rank", "1"}));
    ASSERT_EQ(done.status, 0) << done.err;
    const json document = json::parse(done.out);
    EXPECT_EQ(document["steps"]["items"].size(), 2u);
    EXPECT_EQ(document["run"]["ranks"].size(), 1u);
    EXPECT_EQ(document["stalls"]["ranks"][0]["rank"], 1);
}

TEST(CliAnalyze, BadUsageIsTwo) {
    EXPECT_EQ(analyze({}).status, 2);
    for (const std::string range : {"x", "5..2", "3..x", "..-1"}) {
        const auto done = analyze(graphWith({"--steps", range}));
        EXPECT_EQ(done.status, 2) << range;
        EXPECT_EQ(done.out, "");
        EXPECT_NE(done.err.find("error: "), std::string::npos);
    }
    EXPECT_EQ(analyze(graphWith({"--steps", "9..12"})).status, 2);
    EXPECT_EQ(analyze(graphWith({"--rank", "7"})).status, 2);
}

TEST(CliAnalyze, AnUnusableInputIsOneAndATruncatedOneIsThree) {
    const TemporaryFolder folder;
    EXPECT_EQ(analyze({folder.path("absent.json")}).status, 1);
    RunBuilder run(2);
    for (int step = 0; step < 6; ++step) {
        run.step(1);
        for (int layer = 0; layer < 3; ++layer)
            run.compute("flash_fwd", 9us).allReduce();
    }
    const std::string cut = run.text(1).substr(0, run.text(1).size() * 2 / 3);
    const auto done =
        analyze({folder.write("rank0.json", run.text(0)), folder.write("rank1.json", cut), "--json", "-"});
    EXPECT_EQ(done.status, 3);
    const json document = json::parse(done.out);
    EXPECT_EQ(document["run"]["ranks"][1]["truncated"], true);
    EXPECT_GT(document["collectives"]["matched"], 4);
}

TEST(CliAnalyze, OneRankAlone) {
    const auto done = analyze({kGraph[0], "--json", "-"});
    EXPECT_EQ(done.status, 0) << done.err;
    const json document = json::parse(done.out);
    EXPECT_EQ(document["alignment"]["method"], "none");
    EXPECT_EQ(document["steps"]["items"].size(), 4u);
    EXPECT_TRUE(document["stalls"]["worst"].empty());
}
