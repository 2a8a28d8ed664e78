#include "model/report/mergedtrace.h"

#include "model/import/mergedids.h"
#include "model/import/mergedlayout.h"
#include "model/report/analysisjson.h"
#include "model/report/mergedevent.h"
#include "model/run/runloader.h"
#include "tests/support/compression.h"
#include "tests/support/loading.h"
#include "tests/support/runbuilder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

using namespace lockstep;
using namespace lockstep::test;
using nlohmann::json;

namespace {

std::string fileText(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

std::shared_ptr<const RunAnalysis> analysed(const std::vector<std::string>& files) {
    const auto run = loadRun(files);
    EXPECT_TRUE(run.has_value());
    return run ? analyseRun(*run) : nullptr;
}

/// The analysis as a document, without the files' names.
json documentOf(const RunAnalysis& analysis) {
    json document = json::parse(analysisJson(analysis));
    document["run"].erase("name");
    for (json& rank : document["run"]["ranks"])
        rank.erase("file");
    return document;
}

std::vector<std::string> threeRanks(const TemporaryFolder& folder) {
    RunBuilder builder(3);
    builder.clock(1, 40'000ns, 3.7).clock(2, -7'000ns, -11.3);
    for (int step = 0; step < 6; ++step) {
        builder.step(step);
        for (int layer = 0; layer < 4; ++layer)
            builder.compute("flash_fwd_kernel", 20us).allReduce({{layer % 3, 3us * (step + 1)}});
    }
    builder.rank(0).raw(R"({"ph":"X","cat":"kernel","name":"odd \"name\" <b> \u00e9","pid":0,"tid":7,)"
                        R"("ts":5000.001,"dur":1.5,"args":{"correlation":0,"x":[1,{"y":null}]}})");
    return builder.writeTo(folder);
}

} // namespace

TEST(MergedTrace, GivesTheSameAnalysisBackToTheNanosecond) {
    const TemporaryFolder folder;
    const auto before = analysed(threeRanks(folder));
    ASSERT_NE(before, nullptr);
    for (const char* name : {"all.json", "all.json.gz", "all.json.zst"}) {
        const std::string path = folder.path(std::string("out/") + name);
        std::filesystem::create_directories(folder.path("out"));
        const auto merged = writeMergedTrace(*before, path);
        ASSERT_TRUE(merged.has_value()) << merged.error().toLine();
        EXPECT_GT(merged->waits, 0U);
        EXPECT_GT(merged->stalls, 0U);
        const auto after = analysed({path});
        ASSERT_NE(after, nullptr);
        EXPECT_EQ(documentOf(*after), documentOf(*before)) << name;
        for (std::size_t rank = 0; rank < 3; ++rank)
            EXPECT_EQ(after->run->ranks[rank].header.distributed->rank,
                      before->run->ranks[rank].header.distributed->rank);
    }
}

TEST(MergedTrace, IsChromeJsonWithIdsOfItsOwnForEachRank) {
    const TemporaryFolder folder;
    const auto analysis = analysed(threeRanks(folder));
    ASSERT_NE(analysis, nullptr);
    ASSERT_TRUE(writeMergedTrace(*analysis, folder.path("all.json")).has_value());
    const json document = json::parse(fileText(folder.path("all.json")));
    std::set<std::string> names;
    std::set<std::uint64_t> correlations;
    std::size_t kernels = 0;
    for (const json& event : document["traceEvents"]) {
        ASSERT_TRUE(event["pid"].is_number_integer()) << event;
        if (event.value("name", "") == "process_name")
            names.insert(event["args"]["name"].get<std::string>().substr(0, 6));
        if (event.value("cat", "") == "kernel" && event["args"]["correlation"] != 0) {
            ++kernels;
            correlations.insert(event["args"]["correlation"].get<std::uint64_t>());
        }
        if (event["ph"] == "X") {
            EXPECT_GE(event["ts"].get<double>(), 0);
        }
    }
    EXPECT_EQ(names, (std::set<std::string>{"rank 0", "rank 1", "rank 2"}));
    EXPECT_EQ(correlations.size(), kernels);
}

TEST(MergedTrace, BesideItsRanksIsSetAside) {
    const TemporaryFolder folder;
    const auto files = threeRanks(folder);
    const auto analysis = analysed(files);
    ASSERT_TRUE(writeMergedTrace(*analysis, folder.path("everything.json")).has_value());
    const auto run = loadRun({folder.path()});
    ASSERT_TRUE(run.has_value()) << run.error().toLine();
    EXPECT_EQ((*run)->ranks.size(), 3U);
    ASSERT_EQ((*run)->setAside.size(), 1U);
    EXPECT_THAT((*run)->setAside[0].reason, testing::HasSubstr("merged"));
}

TEST(MergedTrace, IsNotMergedAgainNorWrittenOverARank) {
    const TemporaryFolder folder;
    const auto files = threeRanks(folder);
    const auto analysis = analysed(files);
    EXPECT_FALSE(writeMergedTrace(*analysis, files[0]).has_value());
    ASSERT_TRUE(writeMergedTrace(*analysis, folder.path("all.json")).has_value());
    const auto again = analysed({folder.path("all.json")});
    const auto refused = writeMergedTrace(*again, folder.path("twice.json"));
    ASSERT_FALSE(refused.has_value());
    EXPECT_FALSE(std::filesystem::exists(folder.path("twice.json")));
}

TEST(MergedEvent, ChangesIdsAndKeepsTheRest) {
    EventChanges changes;
    changes.pid = "10003";
    changes.time = "7.500";
    changes.part = 2;
    std::string out;
    appendMergedEvent(R"({"ph": "s", "id": 12, "pid": "Spans", "ts": 1, "name": "a\"b",
        "args": {"External id": 5, "correlation": -1, "deep": {"correlation": 9}, "bad": nan, "list": [1, N/A]}})",
                      changes, out);
    const json event = json::parse(out);
    EXPECT_EQ(event["id"], 30000000012);
    EXPECT_EQ(event["pid"], 10003);
    EXPECT_EQ(event["ts"], 7.5);
    EXPECT_EQ(event["name"], "a\"b");
    EXPECT_EQ(event["args"]["External id"], 30000000005);
    EXPECT_EQ(event["args"]["correlation"], -1);
    EXPECT_EQ(event["args"]["deep"]["correlation"], 9);
    EXPECT_EQ(event["args"]["bad"], "nan");
    EXPECT_EQ(event["args"]["list"][1], "N/A");
    out.clear();
    appendMergedEvent(R"({"ph":"i"})", changes, out);
    EXPECT_EQ(json::parse(out)["pid"], 10003);
}

TEST(MergedIds, ComeBackAsTheyWere) {
    for (const char* token : {"1", "1234", "9999999999", "10000000000", "\"0x1f\"", "0", "-1", "\"77\""}) {
        const std::string merged = mergedId(token, 3);
        const json text = json::parse(merged);
        const std::string plain = text.is_string() ? text.get<std::string>() : merged;
        const json own = json::parse(token);
        EXPECT_EQ(originalId(plain), own.is_string() ? own.get<std::string>() : std::string(token));
        if (std::string_view(token) != "0" && std::string_view(token) != "-1") {
            EXPECT_NE(merged, mergedId(token, 4));
        }
    }
    EXPECT_EQ(partOfPid(mergedPid(5, 12)), std::optional<std::size_t>(5));
    EXPECT_FALSE(partOfPid("7").has_value());
    EXPECT_FALSE(partOfPid("Spans").has_value());
}

TEST(MergedLayout, TimesComeBackExactlyFromASlowClock) {
    MergedLayout layout;
    layout.baseNs = TraceBuilder::kBase;
    MergedRank& rank = layout.ranks.emplace_back();
    rank.header.baseTimeNs = TraceBuilder::kBase;
    rank.clock = {-1234.6, -900.0, TraceBuilder::kBase + 500'000}; // loses a nanosecond every 1.1 us
    for (TimeNs ns = 0; ns < 20'000; ns += 7) {
        const std::string own = std::to_string(ns / 1000) + "." + std::to_string(1000 + ns % 1000).substr(1);
        ASSERT_EQ(layout.originalTime(layout.mergedTime(own, 0), 0), own);
    }
}

TEST(RankSplitter, SplitsRanksThatSglangMerged) {
    std::string events;
    for (int rank = 0; rank < 2; ++rank)
        for (int i = 0; i < 3; ++i)
            events += std::string(events.empty() ? "" : ",") + R"({"ph":"X","cat":"kernel","name":"k)" +
                      std::to_string(i) + R"(","pid":"[TP0)" + std::to_string(rank) +
                      R"(-DP00] 0","tid":7,"ts":)" + std::to_string(10 * i + rank) +
                      R"(,"dur":5,"args":{"stream":7,"correlation":)" + std::to_string(i + 1) + "}}";
    const auto run = loadBytes("{\"traceEvents\":[" + events + "]}");
    ASSERT_TRUE(run.has_value()) << run.error().toLine();
    ASSERT_EQ((*run)->ranks.size(), 2U);
    EXPECT_EQ((*run)->ranks[0].rank, 0);
    EXPECT_EQ((*run)->ranks[1].rank, 1);
    EXPECT_EQ((*run)->ranks[1].events.size(), 3U);
    EXPECT_EQ((*run)->ranks[1].tracks.front().pid, "0");
    EXPECT_EQ(warningCount((*run)->ranks[1], "merged_base_lost"), 1U);
}
