#include "model/import/rankfiles.h"

#include "tests/support/temporaryfolder.h"

#include <gtest/gtest.h>

using namespace lockstep;
using lockstep::test::TemporaryFolder;

TEST(RankFiles, ReadsTheRankOffEveryToolsNames) {
    const std::pair<const char*, int> kNames[] = {
        {"dp0_pp0_tp0_dcp0_ep0_rank0.1782967788.pt.trace.json.gz", 0},
        {"dp0_pp0_tp3_dcp0_ep3_rank11.1782967788.pt.trace.json.gz", 11},
        {"host-rank-5.1782967788.pt.trace.json.gz", 5},
        {"1789610161.42-TP-7.trace.json.gz", 7},
        {"D2_1789610161-TP-3.trace.json.gz", 3},
        {"1789610161-TP-1-DP-1-EP-1-DECODE.trace.json.gz", 1},
        {"rank6_trace.json", 6},
        {"trace-rank-0.json", 0},
        {"kimi-graph-4steps-rank1.pt.trace.json.gz", 1},
        {"Rank[2].json", 2},
        {"capture_3.json.gz", 3},
        {"model_tp4.json", 4},
    };
    for (const auto& [name, rank] : kNames)
        EXPECT_EQ(rankFromName(name), rank) << name;
}

TEST(RankFiles, DoesNotTakeOtherNumbersForARank) {
    for (const char* name :
         {"host_123456.1782967788.pt.trace.json", "trace.json", "frank3.json", "http2.json", "step12.json"})
        EXPECT_EQ(rankFromName(name), std::nullopt) << name;
}

TEST(RankFiles, SetsAsideWhatItsNameShowsToBeNoRank) {
    for (const char* name :
         {"host.async_llm.1782967788.pt.trace.json.gz", "merged-abc.trace.json.gz", "profiler_out_0.txt",
          "kimi-eager-profiler_out_1.txt", "cuda_graph_capture-target-TP-0.json.gz", "rank0.json.tmp",
          "server_args.json", "proton_dp0_rank0_run0.chrome_trace"})
        EXPECT_TRUE(reasonToSetAside(name)) << name;
    for (const char* name : {"rank0.pt.trace.json.gz", "submerged-rank0.json", "TP-0.trace.json"})
        EXPECT_FALSE(reasonToSetAside(name)) << name;
}

TEST(RankFiles, ListsAFolderInNaturalOrder) {
    TemporaryFolder folder;
    for (const char* name : {"rank-10.json", "rank-9.json", "rank-1.json.gz", "notes.md",
                             "profiler_out_0.txt", "sub/rank-2.json"})
        folder.write(name, "{}");
    const auto found = listTraceFiles({folder.path()});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->files, (std::vector{folder.path("rank-1.json.gz"), folder.path("rank-9.json"),
                                         folder.path("rank-10.json")}));
    ASSERT_EQ(found->setAside.size(), 1u);
    EXPECT_EQ(found->setAside[0].file, folder.path("profiler_out_0.txt"));
}

TEST(RankFiles, OpensWhatIsNoRankWhereNothingElseIsGiven) {
    TemporaryFolder folder;
    const std::string merged = folder.write("merged-1.trace.json", "{}");
    const std::string rank = folder.write("rank0.json", "{}");
    EXPECT_EQ(listTraceFiles({merged})->files, std::vector{merged});
    const auto both = listTraceFiles({merged, rank});
    EXPECT_EQ(both->files, std::vector{rank});
    EXPECT_EQ(both->setAside.size(), 1u);
}

TEST(RankFiles, SaysWhatToOpenWhereThereIsNothing) {
    TemporaryFolder folder;
    const auto none = listTraceFiles({folder.path()});
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("open the folder"), std::string::npos);
    EXPECT_EQ(listTraceFiles({folder.path("absent")}).error().code, ErrorCode::FileNotFound);
}
