#include "model/analysis/latencytable.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

using testing::HasSubstr;

LatencyTable table(std::string_view text, const std::string& file = "table.csv") {
    auto parsed = parseLatencyTable(text, file);
    EXPECT_TRUE(parsed.has_value()) << text;
    return parsed ? *parsed : LatencyTable();
}

constexpr const char* kCsv = "collective,bytes,ranks,us,backend\n"
                             "all_to_all,1024,8,10,nccl\n"
                             "all_to_all,4096,8,20,nccl\n"
                             "AllReduce,4096,8,78,nccl\n"
                             "allreduce,4096,4,40,nccl\n"
                             "allreduce,4096,8,1125,custom\n";

TEST(LatencyTable, SizesBetweenAreInterpolatedInLogSize) {
    const LatencyTable t = table(kCsv);
    ASSERT_EQ(t.samples.size(), 5U);
    const auto half = t.at("alltoall", 2048, 8);
    ASSERT_TRUE(half.has_value());
    EXPECT_NEAR(half->microseconds, 14.142, 0.001) << "halfway in log size is the geometric mean";
    EXPECT_FALSE(half->extrapolated);
    EXPECT_THAT(half->basis, HasSubstr("between 1024 bytes"));
    EXPECT_DOUBLE_EQ(t.at("alltoall", 4096, 8)->microseconds, 20);
}

TEST(LatencyTable, SizesOutsideTakeTheNearestAndSaySo) {
    const LatencyTable t = table(kCsv);
    const auto big = t.at("alltoall", 1e6, 8);
    ASSERT_TRUE(big.has_value());
    EXPECT_DOUBLE_EQ(big->microseconds, 20);
    EXPECT_TRUE(big->extrapolated);
    EXPECT_THAT(big->basis, HasSubstr("outside the table"));
    EXPECT_DOUBLE_EQ(t.at("alltoall", 1, 8)->microseconds, 10);
}

TEST(LatencyTable, RanksAndBackendSelect) {
    const LatencyTable t = table(kCsv);
    EXPECT_DOUBLE_EQ(t.at("all_reduce", 4096, 4)->microseconds, 40);
    EXPECT_DOUBLE_EQ(t.at("allreduce", 4096, 8, "custom")->microseconds, 1125);
    EXPECT_FALSE(t.at("allreduce", 4096, 16).has_value());
    EXPECT_FALSE(t.at("allgather", 4096).has_value());
}

TEST(LatencyTable, ColumnsMayStandInAnyOrderWithUnitsAndSeparators) {
    const LatencyTable t = table("# measured in May\n\"Op\";\"Size (bytes)\";\"Latency "
                                 "(us)\"\n\"all-reduce\";\"14336\";\"37.9\"\nnonsense\n");
    ASSERT_EQ(t.samples.size(), 1U);
    EXPECT_EQ(t.samples[0].collective, "allreduce");
    EXPECT_DOUBLE_EQ(t.samples[0].microseconds, 37.9);
    EXPECT_EQ(t.notes.size(), 1U);
    EXPECT_DOUBLE_EQ(table("collective,bytes,time_ms\nalltoall,8,0.5\n").samples[0].microseconds, 500);
    EXPECT_DOUBLE_EQ(table("collective,bytes,\xC2\xB5s\nalltoall,8,5\n").samples[0].microseconds, 5);
}

TEST(LatencyTable, TheTextThatNcclTestsPrintIsRead) {
    const LatencyTable t =
        table("# nThread 1 nGpus 2 minBytes 8192 maxBytes 16384 step: 2(factor) warmup iters: 5 iters: 20 "
              "agg iters: 1 validation: 1 graph: 0\n"
              "# Using devices\n"
              "#  Rank  0 Group  0 Pid   4242 on       node device  0 [0000:17:00] NVIDIA H200\n"
              "#  Rank  1 Group  0 Pid   4242 on       node device  1 [0000:3d:00] NVIDIA H200\n"
              "#\n"
              "#                                                              out-of-place                   "
              "    in-place\n"
              "#       size         count      type   redop    root     time   algbw   busbw #wrong     time "
              "  algbw   busbw #wrong\n"
              "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us) "
              " (GB/s)  (GB/s)\n"
              "        8192          2048     float     sum      -1    12.34    0.66    0.66      0    12.10 "
              "   0.68    0.68      0\n"
              "       16384          4096     float     sum      -1    13.50    1.21    1.21      0    13.21 "
              "   1.24    1.24    N/A\n"
              "# Out of bounds values : 0 OK\n",
              "logs/all_reduce_perf.txt");
    ASSERT_EQ(t.samples.size(), 2U);
    EXPECT_EQ(t.samples[0].collective, "allreduce");
    EXPECT_EQ(t.samples[0].ranks, 2);
    EXPECT_DOUBLE_EQ(t.samples[0].bytes, 8192);
    EXPECT_DOUBLE_EQ(t.samples[0].microseconds, 12.34);
    EXPECT_DOUBLE_EQ(t.samples[1].microseconds, 13.5);
}

TEST(LatencyTable, NcclTestsWithoutReductionAreRead) {
    const LatencyTable none =
        table("# nccl-tests alltoall_perf\n 1024 128 float none -1 9.5 0.1 0.1 0 9.4 0.1 0.1 N/A\n", "a.txt");
    ASSERT_EQ(none.samples.size(), 1U);
    EXPECT_EQ(none.samples[0].collective, "alltoall");
    EXPECT_DOUBLE_EQ(none.samples[0].microseconds, 9.5);
    const LatencyTable bare =
        table(" 1024 256 float 7.5 0.1 0.1 0e+00 7.4 0.1 0.1 0e+00\n", "all_gather_perf.log");
    ASSERT_EQ(bare.samples.size(), 1U);
    EXPECT_EQ(bare.samples[0].collective, "allgather");
    EXPECT_DOUBLE_EQ(bare.samples[0].microseconds, 7.5);
}

TEST(LatencyTable, WhatMeasuresNothingIsAnError) {
    for (const char* text : {"", "a,b,c\n1,2,3\n", "collective,bytes,us\n",
                             "collective,bytes,us\nalltoall,-5,3\nalltoall,5,nan\n"}) {
        const auto parsed = parseLatencyTable(text, "t.csv");
        ASSERT_FALSE(parsed.has_value()) << text;
        EXPECT_THAT(parsed.error().message, HasSubstr("collective,bytes,ranks,us,backend"));
    }
    EXPECT_EQ(readLatencyTable("no/such.csv").error().code, ErrorCode::FileNotFound);
    const test::TemporaryFolder folder;
    EXPECT_TRUE(readLatencyTable(folder.write("t.csv", kCsv)).has_value());
}

} // namespace
} // namespace lockstep
