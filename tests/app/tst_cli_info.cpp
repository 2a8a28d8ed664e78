#include "tests/support/compression.h"
#include "tests/support/process.h"
#include "tests/support/temporaryfolder.h"
#include "tests/support/tracebuilder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace lockstep::test;
using nlohmann::json;

namespace {

Finished info(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "info");
    return runProgram(LOCKSTEP_CLI, arguments);
}

const std::string kData = LOCKSTEP_TEST_DATA;

} // namespace

TEST(CliInfo, PrintsTheDocumentAndNothingElse) {
    const auto done = info({"--json", "-", kData + "/kimi-graph-4steps-rank0.pt.trace.json.gz",
                            kData + "/kimi-graph-4steps-rank1.pt.trace.json.gz"});
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_EQ(done.err, "");
    const json document = json::parse(done.out);
    EXPECT_EQ(document["schema"], "lockstep.info/1");
    ASSERT_EQ(document["files"].size(), 2u);
    const json& file = document["files"][1];
    EXPECT_EQ(file["rank"], 1);
    EXPECT_EQ(file["rank_source"], "content");
    EXPECT_EQ(file["world_size"], 2);
    EXPECT_EQ(file["device"], "NVIDIA H200");
    EXPECT_EQ(file["compression"], "gzip");
    EXPECT_EQ(file["events"], 17745);
    EXPECT_EQ(file["by_category"]["kernel"], 8805);
    EXPECT_EQ(file["kernels"], 8805);
    EXPECT_EQ(file["kernel_sum_ns"], 61038584);
    EXPECT_EQ(file["first_ns"], 1795968932969826867);
    EXPECT_EQ(file["last_ns"], 1795968933036451718);
    EXPECT_EQ(file["skipped"], 0);
    EXPECT_EQ(file["truncated"], false);
    EXPECT_TRUE(file["set_aside"].is_null());
    EXPECT_TRUE(file["warnings"].empty());
}

TEST(CliInfo, ReadsAFolderAndSaysWhatItSetAside) {
    TemporaryFolder folder;
    folder.write("rank0.json", TraceBuilder(0, 2).kernel("k", 1us, 1us).text());
    folder.write("rank1.json.zst", zstd(TraceBuilder(1, 2).kernel("k", 1us, 1us).text()));
    folder.write("host.async_llm.pt.trace.json", TraceBuilder().text());
    const auto done = info({"--json", "-", folder.path()});
    EXPECT_EQ(done.status, 0) << done.err;
    const json document = json::parse(done.out);
    ASSERT_EQ(document["files"].size(), 3u);
    EXPECT_EQ(document["files"][1]["compression"], "zstd");
    EXPECT_TRUE(document["files"][2]["rank"].is_null());
    EXPECT_FALSE(document["files"][2]["set_aside"].get<std::string>().empty());
}

TEST(CliInfo, SaysThatDataWasLostAndWhere) {
    TemporaryFolder folder;
    std::string text = TraceBuilder().kernel("a", 1us, 1us).kernel("b", 3us, 1us).text();
    text.resize(text.find("\"b\""));
    const auto done = info({"--json", "-", folder.write("rank0.json", text)});
    EXPECT_EQ(done.status, 3);
    EXPECT_NE(done.err.find("at byte"), std::string::npos) << done.err;
    const json file = json::parse(done.out)["files"][0];
    EXPECT_EQ(file["truncated"], true);
    EXPECT_EQ(file["kernels"], 1);
}

TEST(CliInfo, RefusesWhatIsNoTraceInOneLine) {
    TemporaryFolder folder;
    const auto done = info({folder.write("rank0.json", "{\"a\": 1}")});
    EXPECT_EQ(done.status, 1);
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
    EXPECT_NE(done.err.find("rank0.json"), std::string::npos);
    EXPECT_EQ(info({folder.path("absent.json")}).status, 1);
}

TEST(CliInfo, RefusesBadUsage) {
    EXPECT_EQ(info({}).status, 2);
    EXPECT_EQ(info({"--no-such-option", "x"}).status, 2);
    EXPECT_EQ(runProgram(LOCKSTEP_CLI, {}).status, 2);
    EXPECT_EQ(runProgram(LOCKSTEP_CLI, {"--help"}).status, 0);
}
