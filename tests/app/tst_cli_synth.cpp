#include "tests/support/compression.h"
#include "tests/support/process.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

using namespace lockstep::test;
using nlohmann::json;
using testing::HasSubstr;

namespace {

Finished run(std::vector<std::string> arguments) {
    return runProgram(LOCKSTEP_CLI, std::move(arguments));
}

} // namespace

TEST(CliSynth, WritesAFolderThatInfoReads) {
    const TemporaryFolder folder;
    const auto done =
        run({"synth", "--preset", "kimi-k2.5-int4-vllm", "--ranks", "2", "--steps", "2", "--seed", "5",
             "--stall", "1:20:1:400", "--compress", "gzip", "-o", folder.path("kimi")});
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("synthetic run: kimi-k2.5-int4-vllm, 2 ranks, 2 steps, seed 5"));
    std::vector<std::string> arguments{"info", "--json", "-"};
    for (const auto& entry : std::filesystem::directory_iterator(folder.path("kimi")))
        if (entry.path().extension() == ".gz")
            arguments.push_back(entry.path().string());
    ASSERT_EQ(arguments.size(), 5U);
    const auto read = run(arguments);
    EXPECT_EQ(read.status, 0) << read.err;
    const json document = json::parse(read.out);
    EXPECT_EQ(document["files"][0]["kernels"], document["files"][1]["kernels"]);
    EXPECT_EQ(document["files"][0]["world_size"], 2);
    const json truth = json::parse(readWhole(folder.path("kimi/truth.json")));
    EXPECT_EQ(truth["seed"], 5);
    ASSERT_EQ(truth["stalls"].size(), 1U);
    EXPECT_EQ(truth["stalls"][0]["straggler"], 1);
}

TEST(CliSynth, BadUsageIsStatusTwoWithASentence) {
    const TemporaryFolder folder;
    const std::string out = folder.path("x");
    EXPECT_EQ(run({"synth", "--preset", "llama", "-o", out}).status, 2);
    EXPECT_EQ(run({"synth", "--preset", "kimi-k2.5-int4-vllm"}).status, 2);
    const auto stall = run({"synth", "--preset", "kimi-k2.5-int4-vllm", "--stall", "nonsense", "-o", out});
    EXPECT_EQ(stall.status, 2);
    EXPECT_THAT(stall.err, HasSubstr("STEP:LAYER:RANK:US"));
    const auto rank =
        run({"synth", "--preset", "kimi-k2.5-int4-vllm", "--ranks", "2", "--stall", "0:0:2:5", "-o", out});
    EXPECT_EQ(rank.status, 2);
    EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(CliSynth, FolderThatCannotBeMadeIsStatusOne) {
    const TemporaryFolder folder;
    const auto done = run({"synth", "--preset", "glm-5-nvfp4-sglang", "--ranks", "1", "--steps", "1", "-o",
                           folder.write("f", "") + "/x"});
    EXPECT_EQ(done.status, 1);
    EXPECT_THAT(done.err, HasSubstr("the folder cannot be made"));
}
