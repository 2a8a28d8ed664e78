#include "model/import/summarytable.h"
#include "model/report/summarybreakdown.h"
#include "model/run/runloader.h"
#include "tests/support/temporaryfolder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

using namespace lockstep;

namespace {

const std::string kTable =
    R"(-----------------------  ------------  ------------  ------------  ------------  ------------  ------------
                   Name    Self CPU %      Self CPU     Self CUDA   Self CUDA %    CUDA total    # of Calls
-----------------------  ------------  ------------  ------------  ------------  ------------  ------------
execute_context_0(0)_ge         0.00%       0.000us       1.604ms       138.80%       1.604ms             4
               aten::mm         8.92%     143.529us      60.000us         5.00%      60.000us             8
            nvjet_sm90_         0.00%       0.000us      60.000us         5.00%      60.000us             8
 a kernel  with(spaces)         0.00%       0.000us       5.000us         0.50%       5.000us             2
      void at::native::...         0.00%       0.000us      30.500us         3.00%      30.500us             4
      void at::native::...         0.00%       0.000us      20.000us         3.00%      20.000us             4
        nccl:all_reduce         0.00%       0.000us       1.002ms         3.00%       1.002ms             8
ncclDevKernel_AllReduce         0.00%       0.000us       1.002ms         3.00%       1.002ms             8
        Memset (Device)         0.00%       0.000us       2.000us         0.20%       2.000us             4
execute_context_0(0)_ge         3.00%       2.000ms       0.000us         0.00%       1.200ms             4
-----------------------  ------------  ------------  ------------  ------------  ------------  ------------
Self CPU time total: 1.610s
Self CUDA time total: 1.120ms
)";

TEST(SummaryTable, ReadsRowsTotalsAndRank) {
    const auto table = parseSummaryTable(kTable, "dir/profiler_out_3.txt");
    ASSERT_TRUE(table) << table.error().toLine();
    EXPECT_EQ(table->rank, 3);
    EXPECT_EQ(table->device, "CUDA");
    EXPECT_EQ(table->rows.size(), 10u);
    EXPECT_EQ(table->selfCpuTotalNs, 1'610'000'000);
    EXPECT_EQ(table->selfDeviceTotalNs, 1'120'000);
    EXPECT_EQ(table->rows[3].name, "a kernel  with(spaces)");
    EXPECT_EQ(table->rows[2].selfDeviceNs, 60'000);
    EXPECT_EQ(table->rows[2].resolutionNs, 1);
    EXPECT_EQ(table->rows[6].resolutionNs, 1'000);
    EXPECT_EQ(table->rows[4].calls, 4u);
    EXPECT_TRUE(table->rows[4].cut);
}

TEST(SummaryTable, RangesAreNoWorkOfTheirOwn) {
    const auto table = parseSummaryTable(kTable, "t.txt");
    ASSERT_TRUE(table);
    EXPECT_TRUE(table->rows[0].annotation);
    EXPECT_TRUE(table->rows[6].annotation);
    EXPECT_FALSE(table->rows[1].gpuSide); // a CPU op: its kernels have lines of their own
    EXPECT_TRUE(table->rows[2].gpuSide);
    EXPECT_FALSE(table->rank);
}

TEST(SummaryTable, ATextWithoutATableIsAnError) {
    const auto table = parseSummaryTable("hello\nworld\n", "x.txt");
    ASSERT_FALSE(table);
    EXPECT_EQ(table.error().code, ErrorCode::NotATrace);
    EXPECT_FALSE(looksLikeSummaryTable("hello\n----\nName\n"));
    EXPECT_TRUE(looksLikeSummaryTable(kTable));
    EXPECT_FALSE(readSummaryTable("no/such/file.txt"));
}

TEST(SummaryTable, GivesABreakdownAStepWithoutATimeline) {
    const auto table = parseSummaryTable(kTable, "profiler_out_0.txt");
    ASSERT_TRUE(table);
    const CategoryRules rules = CategoryRules::builtin().value();
    const SummaryBreakdown result = breakdownOf(std::span(&*table, 1), rules);
    EXPECT_EQ(result.steps, 4u);
    EXPECT_EQ(result.breakdown.cells, 4u);
    EXPECT_EQ(result.breakdown.totalNs, 60'000 + 5'000 + 30'500 + 20'000 + 1'002'000);
    ASSERT_EQ(result.breakdown.groups.size(), rules.set.groups.size());
    EXPECT_EQ(result.breakdown.groups[0].totalNs, 1'002'000);
    EXPECT_DOUBLE_EQ(result.breakdown.callsPerStep(result.breakdown.groups[0]), 2);
    ASSERT_EQ(result.breakdown.besides.size(), 1u);
    EXPECT_EQ(result.breakdown.besides[0].totalNs, 2'000);
    EXPECT_FALSE(result.notes.empty());
}

TEST(SummaryTable, IsFoundAmongFilesAndInFolders) {
    const test::TemporaryFolder folder;
    const std::string one = folder.write("profiler_out_1.txt", kTable);
    const std::string zero = folder.write("profiler_out_0.txt", kTable);
    const std::string other = folder.write("readme.txt", "hello");
    EXPECT_EQ(summaryTablesIn({folder.path()}), (std::vector<std::string>{zero, one}));
    EXPECT_EQ(summaryTablesIn({one, other, zero, "no-such-file"}), (std::vector<std::string>{one, zero}));
}

TEST(SummaryTable, ReportsOnlyWhatTablesKnow) {
    const auto table = parseSummaryTable(kTable, "profiler_out_0.txt");
    ASSERT_TRUE(table);
    const CategoryRules rules = CategoryRules::builtin().value();
    const SummaryBreakdown result = breakdownOf(std::span(&*table, 1), rules);
    const auto json = summaryJson(result, std::span(&*table, 1));
    EXPECT_EQ(json["breakdown"]["steps"], 4);
    EXPECT_TRUE(json["breakdown"]["wall_per_step_ms"].is_null());
    EXPECT_TRUE(json["breakdown"]["rows"][0]["p99_ms"].is_null());
    EXPECT_EQ(json["run"]["ranks"][0]["kernel_sum_ns"], result.breakdown.totalNs);
    EXPECT_EQ(json["run"]["ranks"][0]["kernels"], 26);
    const std::string text = summaryText(result, std::span(&*table, 1), rules.set);
    EXPECT_NE(text.find("AllReduce"), std::string::npos) << text;
    EXPECT_EQ(text.find("p99"), std::string::npos) << text;
}

class RealSummary : public testing::TestWithParam<const char*> {};

TEST_P(RealSummary, AgreesWithItsTrace) {
    const std::string real = std::string(LOCKSTEP_SHARED) + "/data/real/";
    if (!std::filesystem::exists(real))
        GTEST_SKIP() << "The captures in ../shared are not here.";
    for (const int rank : {0, 1}) {
        const std::string run = real + GetParam();
        const auto table = readSummaryTable(run + "-profiler_out_" + std::to_string(rank) + ".txt");
        ASSERT_TRUE(table) << table.error().toLine();
        EXPECT_EQ(table->rank, rank);
        const auto trace = loadRun({run + "-rank" + std::to_string(rank) + ".pt.trace.json.gz"});
        ASSERT_TRUE(trace) << trace.error().toLine();
        const SummaryCrossCheck check = crossCheck(*table, (*trace)->ranks[0]);
        EXPECT_TRUE(check.totalAgrees) << check.tableTotalNs << " and " << check.traceTotalNs;
        EXPECT_GE(check.compared, 28u);
        EXPECT_TRUE(check.notInTable.empty());
        for (const SummaryDifference& difference : check.differences)
            ADD_FAILURE() << difference.name << ": " << difference.sentence;
    }
}

TEST(SummaryTable, TellsTheCastFromTheTablesAlone) {
    const std::string file = std::string(LOCKSTEP_SHARED) + "/data/real/glm-eager-profiler_out_0.txt";
    if (!std::filesystem::exists(file))
        GTEST_SKIP() << "The tables in ../shared are not here.";
    const auto table = readSummaryTable(file);
    ASSERT_TRUE(table) << table.error().toLine();
    const CategoryRules rules = CategoryRules::builtin().value();
    const SummaryBreakdown result = breakdownOf(std::span(&*table, 1), rules);
    EXPECT_EQ(result.steps, 10u);
    for (const BreakdownRow& group : result.breakdown.groups)
        if (group.label == "Dtype cast") {
            EXPECT_NEAR(result.breakdown.percent(group), 60.8, 0.1);
        }
}

INSTANTIATE_TEST_SUITE_P(Captures, RealSummary, testing::Values("kimi-eager", "kimi-graph", "glm-eager"));

TEST(SummaryTable, TheCrossCheckNamesWhatDiffers) {
    const std::string data = std::string(LOCKSTEP_TEST_DATA) + "/kimi-eager-1step-rank0.pt.trace.json.gz";
    const auto run = loadRun({data});
    ASSERT_TRUE(run) << run.error().toLine();
    const auto table = parseSummaryTable(kTable, "profiler_out_0.txt");
    ASSERT_TRUE(table);
    const SummaryCrossCheck check = crossCheck(*table, (*run)->ranks[0]);
    EXPECT_FALSE(check.agrees());
    ASSERT_FALSE(check.differences.empty());
    bool missing = false;
    for (const SummaryDifference& difference : check.differences)
        missing = missing || (difference.name == "a kernel  with(spaces)" &&
                              difference.sentence == "in the table, not in the trace");
    EXPECT_TRUE(missing);
    ASSERT_FALSE(check.notInTable.empty());
    EXPECT_EQ(check.notInTable[0].sentence, "in the trace, not in the table");
}

} // namespace
