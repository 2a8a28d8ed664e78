#include "tests/support/process.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace lockstep::test;
using nlohmann::json;
using testing::HasSubstr;

namespace {

Finished run(std::vector<std::string> arguments) {
    return runProgram(LOCKSTEP_CLI, std::move(arguments));
}

const std::string kData = LOCKSTEP_TEST_DATA;
const std::string kRank0 = kData + "/kimi-graph-4steps-rank0.pt.trace.json.gz";
const std::string kRank1 = kData + "/kimi-graph-4steps-rank1.pt.trace.json.gz";

} // namespace

TEST(CliWhatif, PrintsTheDocumentAndNothingElse) {
    const auto done = run(
        {"whatif", kRank0, kRank1, "--replace", "allreduce:moe=alltoall@5us", "--no-stalls", "--json", "-"});
    EXPECT_EQ(done.status, 0) << done.err;
    const json document = json::parse(done.out);
    EXPECT_EQ(document["schema"], "lockstep.whatif/1");
    ASSERT_EQ(document["lines"].size(), 2U);
    EXPECT_EQ(document["lines"][0]["calls_per_step"], 61);
    EXPECT_LT(document["lines"][0]["transfer_us"], document["lines"][0]["from_us"]);
    EXPECT_NEAR(document["resimulated"]["replay_error_percent"].get<double>(), 0, 0.5);
}

TEST(CliWhatif, TakesTimesFromATableAndTheBaselineFromAServingBenchmark) {
    const TemporaryFolder folder;
    const auto done = run({"whatif", kRank0, kRank1, "--replace", "allreduce:moe=alltoall@3us", "--serving",
                           folder.write("serving.json", R"({"max_concurrency": 1, "median_tpot_ms": 15.5})"),
                           "--json", "-"});
    EXPECT_EQ(done.status, 0) << done.err;
    const json document = json::parse(done.out);
    EXPECT_EQ(document["baseline_ms"], 15.5);
    EXPECT_THAT(document["baseline_source"].get<std::string>(), HasSubstr("median time per output token"));
    // A graph's all-reduces do not tell their size: the table cannot be asked, and that is said.
    const auto table = run({"whatif", kRank0, kRank1, "--replace", "allreduce:moe=alltoall", "--latencies",
                            folder.write("table.csv", "collective,bytes,us\nalltoall,14336,52.1\n")});
    EXPECT_EQ(table.status, 2);
    EXPECT_THAT(table.err, HasSubstr("does not tell the message size"));
    const auto eager =
        run({"whatif", kData + "/kimi-eager-1step-rank0.pt.trace.json.gz",
             kData + "/kimi-eager-1step-rank1.pt.trace.json.gz", "--replace", "allreduce:moe=alltoall",
             "--latencies", folder.path("table.csv"), "--json", "-"});
    EXPECT_EQ(eager.status, 0) << eager.err;
    EXPECT_NEAR(json::parse(eager.out)["lines"][0]["to_us"].get<double>(), 52.1, 1e-6);
}

TEST(CliWhatif, BadUsageIsStatusTwoWithASentence) {
    EXPECT_EQ(run({"whatif", kRank0, kRank1}).status, 2);
    EXPECT_THAT(run({"whatif", kRank0, kRank1}).err, HasSubstr("nothing to change"));
    EXPECT_EQ(run({"whatif", kRank0, kRank1, "--replace", "nonsense"}).status, 2);
    EXPECT_EQ(run({"whatif", kRank0, kRank1, "--no-stalls", "--steps", "99"}).status, 2);
    EXPECT_EQ(run({"whatif", kRank0, kRank1, "--drop", "no such category"}).status, 2);
    EXPECT_EQ(run({"whatif", "no/such/file.json", "--no-stalls"}).status, 1);
}

TEST(CliWhatif, OneRankAloneIsProjectedAndTheUnknownWaitingSaid) {
    const auto done = run({"whatif", kRank0, "--replace", "allreduce:moe=alltoall@5us", "--json", "-"});
    EXPECT_EQ(done.status, 0) << done.err;
    const json document = json::parse(done.out);
    EXPECT_EQ(document["lines"][0]["calls_per_step"], 61);
    EXPECT_EQ(document["lines"][0]["transfer_us"], document["lines"][0]["from_us"]);
    ASSERT_EQ(document["notes"].size(), 1U);
    EXPECT_THAT(document["notes"][0].get<std::string>(), HasSubstr("cannot be told"));
}
