#include "tests/support/compression.h"
#include "tests/support/runbuilder.h"
#include "tests/support/secondopinion.h"
#include "tests/support/temporaryfolder.h"
#include "tests/support/tracebuilder.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lockstep::test {
namespace {

TEST(SecondOpinion, ReadsMicrosecondsByTheirDigits) {
    EXPECT_EQ(nanosecondsOf("12"), 12'000);
    EXPECT_EQ(nanosecondsOf("12.3"), 12'300);
    EXPECT_EQ(nanosecondsOf("5111906969718.687"), 5'111'906'969'718'687);
    EXPECT_EQ(nanosecondsOf("0.0019"), 1);
    EXPECT_EQ(nanosecondsOf("1.2e3"), 1'200'000);
    EXPECT_EQ(nanosecondsOf("1200E-2"), 12'000);
    EXPECT_EQ(nanosecondsOf("-3.5"), -3'500);
    EXPECT_EQ(nanosecondsOf("1e-9"), 0);
}

TEST(SecondOpinion, CountsTheEventsOfABuiltTrace) {
    TraceBuilder trace(1, 2);
    trace.annotation("step 7", 0us, 100us)
        .launchedKernel("gemm<float>", 5us, 20us, 11us)
        .memcpy(40us, 2us, 4096);
    for (const std::string& text : {trace.text(), TraceBuilder(trace).headerAfterEvents().text()}) {
        const auto opinion = readAgain(text);
        ASSERT_TRUE(opinion.has_value());
        EXPECT_EQ(opinion->events, trace.eventCount());
        EXPECT_EQ(opinion->byPhase, (std::map<std::string, std::uint64_t>{{"X", 4}, {"s", 1}, {"f", 1}}));
        EXPECT_EQ(opinion->byCategory.at("ac2g"), 2u);
        EXPECT_EQ(opinion->kernels, 1u);
        EXPECT_EQ(opinion->kernelSumNs, 11'000);
        EXPECT_EQ(opinion->firstNs, TraceBuilder::kBase + 20'000);
        EXPECT_EQ(opinion->lastNs, TraceBuilder::kBase + 42'000);
    }
}

TEST(SecondOpinion, ReadsTheArrayFormAndRefusesDamage) {
    const std::string text = TraceBuilder().arrayForm().kernel("k", 1us, 2us).raw("{}").text();
    const auto opinion = readAgain(text);
    ASSERT_TRUE(opinion.has_value());
    EXPECT_EQ(opinion->events, 2u);
    EXPECT_EQ(opinion->byPhase.at("None"), 1u);
    EXPECT_EQ(opinion->firstNs, 1'000);
    EXPECT_FALSE(readAgain(text.substr(0, text.size() / 2)).has_value());
}

TEST(TraceBuilder, WritesTheHeaderOfItsRank) {
    const auto json = nlohmann::json::parse(TraceBuilder(3, 8).header("vllm_version", "\"0.17\"").text());
    EXPECT_EQ(json["distributedInfo"]["rank"], 3);
    EXPECT_EQ(json["distributedInfo"]["world_size"], 8);
    EXPECT_EQ(json["deviceProperties"].size(), 8u);
    EXPECT_EQ(json["baseTimeNanoseconds"], TraceBuilder::kBase);
    EXPECT_EQ(json["vllm_version"], "0.17");
}

TEST(TraceBuilder, LaunchesShareTheirCorrelationWithKernelAndArrows) {
    const auto json = nlohmann::json::parse(
        TraceBuilder().launchedKernel("a", 1us, 2us, 3us).launchedKernel("b", 4us, 5us, 6us).text());
    const auto& events = json["traceEvents"];
    ASSERT_EQ(events.size(), 8u);
    EXPECT_EQ(events[4]["args"]["correlation"], 2);
    EXPECT_EQ(events[5]["id"], 2);
    EXPECT_EQ(events[6]["args"]["correlation"], 2);
    EXPECT_EQ(events[7]["bp"], "e");
}

TEST(RunBuilder, EndsACollectiveOnAllRanksAtOnce) {
    RunBuilder run(2);
    run.step(7).allReduce({{0, 10us}, {1, 45us}}, 5us);
    const auto first = nlohmann::json::parse(run.text(0))["traceEvents"];
    const auto second = nlohmann::json::parse(run.text(1))["traceEvents"];
    const auto kernelOf = [](const nlohmann::json& events) {
        for (const auto& event : events)
            if (event["cat"] == "kernel")
                return event;
        return nlohmann::json{};
    };
    EXPECT_EQ(kernelOf(first)["dur"], 40.0);
    EXPECT_EQ(kernelOf(second)["dur"], 5.0);
    EXPECT_EQ(kernelOf(first)["args"]["Seq"], 1);
    EXPECT_NEAR(kernelOf(second)["ts"].get<double>() - kernelOf(first)["ts"].get<double>(), 35.0, 0.01);
}

TEST(RunBuilder, ShiftsWhatARanksClockShows) {
    RunBuilder straight(2);
    RunBuilder shifted(2);
    shifted.clock(1, 3ms);
    straight.step(0).compute("gemm", 10us).allReduce();
    shifted.step(0).compute("gemm", 10us).allReduce();
    EXPECT_EQ(straight.text(0), shifted.text(0));
    const auto before = readAgain(straight.text(1));
    const auto after = readAgain(shifted.text(1));
    ASSERT_TRUE(before && after);
    EXPECT_EQ(after->firstNs.value_or(0) - before->firstNs.value_or(0), 3'000'000);
    EXPECT_EQ(after->kernelSumNs, before->kernelSumNs);
}

TEST(RunBuilder, ALateHostLeavesTheGpuIdleAndLaunchesLate) {
    RunBuilder run(1);
    run.step(0).compute("a", 5us).hostDelay({{0, 100us}}).compute("b", 5us);
    const auto events = nlohmann::json::parse(run.text(0))["traceEvents"];
    double launch = 0;
    double begin = 0;
    double firstEnd = 0;
    for (const auto& event : events) {
        if (event["name"] == "cudaLaunchKernel")
            launch = event["ts"];
        if (event["name"] == "a")
            firstEnd = event["ts"].get<double>() + event["dur"].get<double>();
        if (event["name"] == "b")
            begin = event["ts"];
    }
    EXPECT_NEAR(begin - firstEnd, 100.0, 0.01);
    EXPECT_GT(launch, firstEnd + 90.0);
    EXPECT_LT(launch, begin);
}

TEST(Compression, GivesBackTheTextFromAnyNumberOfParts) {
    const TemporaryFolder folder;
    std::string text;
    for (int i = 0; i < 50'000; ++i)
        text += std::to_string(i);
    EXPECT_EQ(readWhole(folder.write("plain", text)), text);
    for (const std::size_t parts : {1, 2, 7}) {
        EXPECT_EQ(readWhole(folder.write("gzip", gzip(text, parts))), text);
        EXPECT_EQ(readWhole(folder.write("zstd", zstd(text, parts))), text);
    }
    EXPECT_LT(gzip(text).size(), text.size());
}

TEST(TemporaryFolder, IsGoneWithAllItHeldWhenItsTestEnds) {
    std::string path;
    {
        const TemporaryFolder folder;
        path = folder.path();
        folder.write("deep/er/file", "text");
        EXPECT_TRUE(std::filesystem::exists(folder.path("deep/er/file")));
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

} // namespace
} // namespace lockstep::test
