#include "model/import/servingresult.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

using testing::HasSubstr;

constexpr const char* kVllm =
    R"({"date": "20260211-101500", "endpoint_type": "openai", "model_id": "moonshotai/Kimi-K2.5",
    "num_prompts": 64, "request_rate": "inf", "max_concurrency": 1, "duration": 93.1, "completed": 64,
    "total_output_tokens": 8192, "output_throughput": 82.6, "mean_ttft_ms": 210.5, "median_ttft_ms": 201.0,
    "p99_ttft_ms": 400.25, "mean_tpot_ms": 12.3, "median_tpot_ms": 12.1, "p99_tpot_ms": 14.9,
    "mean_itl_ms": 12.2, "median_itl_ms": 12.0, "p99_itl_ms": 15.5, "itls": [[0.01, 0.02]]})";

TEST(ServingResult, VllmsSavedResultIsRead) {
    const auto results = parseServingResults(kVllm, "vllm.json");
    ASSERT_TRUE(results.has_value());
    ASSERT_EQ(results->size(), 1U);
    const ServingResult& result = results->front();
    EXPECT_EQ(result.maxConcurrency, 1.0);
    EXPECT_EQ(result.meanTpotMs, 12.3);
    EXPECT_EQ(result.p99TpotMs, 14.9);
    EXPECT_EQ(result.outputThroughput, 82.6);
    EXPECT_EQ(result.model, "moonshotai/Kimi-K2.5");
    EXPECT_FALSE(result.requestRate.has_value()) << "inf is no number";
    EXPECT_EQ(result.tpotMs(), 12.1);
    EXPECT_EQ(result.tpotSource(), "median time per output token");
}

TEST(ServingResult, SglangsLinesAreReadAndTheNearestConcurrencyIsChosen) {
    const std::string text =
        R"({"backend": "sglang", "max_concurrency": 1, "mean_tpot_ms": 9.0, "median_tpot_ms": 8.5}
{"backend": "sglang", "max_concurrency": 16, "mean_tpot_ms": 20.0, "median_tpot_ms": 19.5}
a line of a log
{"backend": "sglang", "max_concurrency": 128, "mean_tpot_ms": 60.0)";
    const auto results = parseServingResults(text, "online.jsonl");
    ASSERT_TRUE(results.has_value());
    ASSERT_EQ(results->size(), 2U);
    EXPECT_EQ(servingResultFor(*results, 12).tpotMs(), 19.5);
    EXPECT_EQ(servingResultFor(*results, 1).tpotMs(), 8.5);
    EXPECT_EQ(servingResultFor(*results, 1000).tpotMs(), 19.5);
}

TEST(ServingResult, MedianGivesWayToMeanAndInterTokenLatency) {
    // SGLang writes 0 where nothing was measured.
    const auto mean = parseServingResults(R"({"mean_tpot_ms": 5, "median_tpot_ms": -0.0})", "x");
    ASSERT_TRUE(mean.has_value());
    EXPECT_EQ(mean->front().tpotMs(), 5);
    const auto latency = parseServingResults(R"([{"median_itl_ms": 7.5}])", "x");
    ASSERT_TRUE(latency.has_value());
    EXPECT_EQ(latency->front().tpotSource(), "median inter-token latency");
}

TEST(ServingResult, AFileWithoutAResultIsSaidToHaveNone) {
    for (const char* text : {"", "{}", "[1, 2]", "{\"mean_tpot_ms\": \"fast\"}", "not json", "null"}) {
        const auto results = parseServingResults(text, "bench.json");
        ASSERT_FALSE(results.has_value()) << text;
        EXPECT_THAT(results.error().toLine(), HasSubstr("bench.json"));
        EXPECT_THAT(results.error().message, HasSubstr("--save-result"));
    }
    EXPECT_EQ(readServingResults("no/such/file.json").error().code, ErrorCode::FileNotFound);
}

TEST(ServingResult, IsReadFromAFile) {
    const test::TemporaryFolder folder;
    const auto results = readServingResults(folder.write("result.json", kVllm));
    ASSERT_TRUE(results.has_value());
    EXPECT_EQ(results->front().medianTpotMs, 12.1);
}

} // namespace
} // namespace lockstep
