#include "model/run/runloader.h"

#include "tests/support/compression.h"
#include "tests/support/loading.h"
#include "tests/support/runbuilder.h"
#include "tests/support/secondopinion.h"
#include "tests/support/temporaryfolder.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep::test {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> tracesIn(const std::filesystem::path& folder) {
    std::vector<std::string> files;
    if (std::filesystem::is_directory(folder))
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.path().string().find(".trace.json") != std::string::npos)
                files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

/// Compares what the loader and another parser find in a file that is well-formed.
void expectAgreement(const std::string& file) {
    SCOPED_TRACE(file);
    const auto opinion = readAgain(readWhole(file));
    ASSERT_TRUE(opinion.has_value());
    const auto run = loadRun({file});
    ASSERT_TRUE(run.has_value()) << run.error().toLine();
    const RankTrace& rank = (*run)->ranks.at(0);
    EXPECT_EQ(rank.report.events, opinion->events);
    EXPECT_EQ(rank.report.byPhase, opinion->byPhase);
    EXPECT_EQ(rank.report.byCategory, opinion->byCategory);
    EXPECT_EQ(rank.report.skipped, 0u);
    EXPECT_FALSE(rank.report.truncated);
    std::uint64_t kernels = 0;
    TimeNs kernelSum = 0;
    for (std::size_t i = 0; i < rank.events.size(); ++i) {
        if (rank.events.kind(EventId{i}) != EventKind::Kernel)
            continue;
        ++kernels;
        kernelSum += rank.events.duration(EventId{i});
    }
    EXPECT_EQ(kernels, opinion->kernels);
    EXPECT_EQ(kernelSum, opinion->kernelSumNs);
    if (opinion->firstNs) {
        EXPECT_EQ(rank.span().begin, opinion->firstNs);
        EXPECT_EQ(rank.span().end, opinion->lastNs);
    }
}

TEST(Loader, AgreesWithAnotherParserOnTheTestData) {
    const auto files = tracesIn(LOCKSTEP_TEST_DATA);
    ASSERT_GE(files.size(), 6u);
    for (const std::string& file : files)
        expectAgreement(file);
}

TEST(Loader, AgreesWithAnotherParserOnRealCaptures) {
    const auto files = tracesIn(std::string(LOCKSTEP_SHARED) + "/data/real");
    if (files.empty())
        GTEST_SKIP() << "the captures of ../shared/data/real are not here";
    for (const std::string& file : files)
        expectAgreement(file);
}

TEST(Loader, GivesTheSameRunWhateverTheThreadsAndWindows) {
    const std::vector<std::string> files = tracesIn(LOCKSTEP_TEST_DATA);
    const std::vector<std::string> pair{files.at(4), files.at(5)};
    std::string expected;
    for (const unsigned threads : {1u, 2u, 4u}) {
        for (const std::size_t window : {4096u, 65'536u, 1u << 20}) {
            LoadOptions options;
            options.threads = threads;
            options.windowBytes = window;
            const auto run = loadRun(pair, options);
            ASSERT_TRUE(run.has_value()) << run.error().toLine();
            std::string text;
            for (const RankTrace& rank : (*run)->ranks)
                text += describe(rank);
            if (expected.empty())
                expected = text;
            EXPECT_TRUE(text == expected) << threads << " threads, windows of " << window << " bytes";
        }
    }
}

TEST(Loader, ReadsTheSameFromAnyCompression) {
    const std::string text =
        RunBuilder(1).step(1).compute("gemm", 10us).compute("norm", 2us).allReduce().text(0);
    const RankTrace plain = loadRank(text);
    for (const std::string& bytes : {gzip(text), gzip(text, 3), zstd(text), zstd(text, 3)})
        for (const std::size_t window : {256u, 1u << 20})
            EXPECT_EQ(describe(loadRank(bytes, window)), describe(plain));
    EXPECT_EQ(loadRank(gzip(text)).report.jsonBytes, text.size());
    EXPECT_EQ(loadRank(gzip(text)).report.bytes, gzip(text).size());
}

TEST(Loader, FindsEachEventAgainByItsOffset) {
    const std::string file = tracesIn(LOCKSTEP_TEST_DATA).at(4);
    const std::string text = readWhole(file);
    const auto run = loadRun({file});
    ASSERT_TRUE(run.has_value());
    const RankTrace& rank = (*run)->ranks.at(0);
    for (std::size_t i = 0; i < rank.events.size(); i += 37) {
        const std::uint64_t offset = rank.events.byteOffset(EventId{i});
        ASSERT_LT(offset, text.size());
        ASSERT_EQ(text[offset], '{');
    }
}

TEST(Loader, JoinsKernelsToLaunches) {
    TraceBuilder trace;
    trace.cpuOp("aten::mm", 0us, 10us, "\"External id\": 3");
    trace.launchedKernel("gemm", 2us, 20us, 5us, {.externalId = 3});
    const RankTrace rank = loadRank(trace.text());
    const EventId kernel = findEvent(rank, "gemm");
    ASSERT_TRUE(kernel.valid());
    EXPECT_EQ(rank.launches.launchOf(rank.events, kernel), findEvent(rank, "cudaLaunchKernel"));
    EXPECT_EQ(rank.launches.cpuOpOf(rank.events, kernel), findEvent(rank, "aten::mm"));
    EXPECT_TRUE(rank.flows.empty()) << "an arrow that the launch index knows is kept twice";
}

TEST(Loader, KeepsArrowsThatAreNoLaunch) {
    TraceBuilder trace;
    trace.cpuOp("forward", 0us, 10us).cpuOp("backward", 50us, 10us);
    const auto arrow = [&](const char* phase, const char* id, Time at) {
        trace.event({.phase = phase,
                     .category = "fwdbwd",
                     .name = "fwdbwd",
                     .pid = "1000",
                     .tid = "1000",
                     .begin = at,
                     .more = std::string("\"id\": ") + id});
    };
    arrow("s", "1", 2us);
    arrow("f", "1", 50us);
    arrow("s", "2", 3us);
    const RankTrace rank = loadRank(trace.text());
    ASSERT_EQ(rank.flows.size(), 1u);
    EXPECT_EQ(rank.flows[0].from, findEvent(rank, "forward"));
    EXPECT_EQ(rank.flows[0].to, findEvent(rank, "backward"));
}

TEST(Loader, KeepsTheArgumentsThatAnalysesNeed) {
    RunBuilder run(2);
    run.step(1).allReduce();
    const RankTrace rank = loadRank(run.text(1));
    ASSERT_EQ(rank.arguments.collectives.size(), 1u);
    const CollectiveArguments& collective = rank.arguments.collectives.front();
    EXPECT_EQ(rank.strings->view(collective.collective), "allreduce");
    EXPECT_EQ(rank.strings->view(collective.dtype), "BFloat16");
    EXPECT_EQ(rank.strings->view(collective.processGroup), "0");
    EXPECT_EQ(collective.inElements, 7168);
    EXPECT_EQ(collective.groupSize, 2);
    EXPECT_EQ(collective.sequence, 1);
    const GpuArguments* gpu = rank.arguments.gpuOf(collective.event);
    ASSERT_NE(gpu, nullptr);
    EXPECT_EQ(gpu->device, 1);
    EXPECT_EQ(gpu->stream, 7);
}

TEST(Loader, NestsWhatLiesInsideAndPartsWhatOverlaps) {
    TraceBuilder trace;
    trace.cpuOp("outer", 0us, 100us)
        .cpuOp("inner", 10us, 20us)
        .cpuOp("next", 30us, 20us)
        .cpuOp("deep", 12us, 5us);
    trace.kernel("first", 0us, 50us).kernel("overlapping", 40us, 50us).kernel("later", 95us, 5us);
    const RankTrace rank = loadRank(trace.text());
    const auto depth = [&](std::string_view name) {
        return rank.lanes[rank.events.lane(findEvent(rank, name)).index()].depth;
    };
    EXPECT_EQ(depth("outer"), 0u);
    EXPECT_EQ(depth("inner"), 1u);
    EXPECT_EQ(depth("next"), 1u);
    EXPECT_EQ(depth("deep"), 2u);
    EXPECT_EQ(depth("first"), 0u);
    EXPECT_EQ(depth("overlapping"), 1u);
    EXPECT_EQ(depth("later"), 0u);
}

TEST(Loader, OpensAFolderAsOneRunSortedByRank) {
    const TemporaryFolder folder;
    RunBuilder run(4);
    run.step(1).compute("gemm", 10us).allReduce();
    run.writeTo(folder);
    const auto loaded = loadRun({folder.path()});
    ASSERT_TRUE(loaded.has_value()) << loaded.error().toLine();
    ASSERT_EQ((*loaded)->ranks.size(), 4u);
    EXPECT_EQ((*loaded)->worldSize, 4);
    for (int rank = 0; rank < 4; ++rank)
        EXPECT_EQ((*loaded)->ranks[static_cast<std::size_t>(rank)].rank, rank);
    EXPECT_EQ((*loaded)->ranks[0].strings, (*loaded)->ranks[3].strings);
}

TEST(Loader, TakesTheRankFromTheNameWhereTheContentIsSilent) {
    const TemporaryFolder folder;
    const auto silent = [](int stream) {
        return TraceBuilder().withoutDistributedInfo().kernel("k", 1us, 1us, {.stream = stream}).text();
    };
    for (const auto& [name, rank] :
         std::vector<std::pair<std::string, int>>{{"vllm_rank3.1234567.pt.trace.json", 3},
                                                  {"host-rank-5.99.pt.trace.json", 5},
                                                  {"D2_1789610161-TP-6.trace.json", 6}}) {
        const auto run = loadRun({folder.write(name, silent(rank))});
        ASSERT_TRUE(run.has_value()) << run.error().toLine();
        EXPECT_EQ((*run)->ranks.at(0).rank, rank) << name;
        EXPECT_EQ((*run)->ranks.at(0).rankSource, RankSource::Name) << name;
    }
}

TEST(Loader, TakesTheOrderWhereNothingTellsTheRank) {
    const TemporaryFolder folder;
    const std::string text = TraceBuilder().withoutDistributedInfo().kernel("k", 1us, 1us).text();
    const auto run = loadRun({folder.write("alpha.json", text), folder.write("beta.json", text)});
    ASSERT_TRUE(run.has_value()) << run.error().toLine();
    ASSERT_EQ((*run)->ranks.size(), 2u);
    EXPECT_EQ((*run)->ranks[1].rank, 1);
    EXPECT_EQ((*run)->ranks[1].rankSource, RankSource::Order);
}

TEST(Loader, RefusesTwoFilesOfOneRankAndNamesBoth) {
    const TemporaryFolder folder;
    const std::string text = TraceBuilder(1, 2).kernel("k", 1us, 1us).text();
    const auto run = loadRun({folder.write("first.json", text), folder.write("second.json", text)});
    ASSERT_FALSE(run.has_value());
    EXPECT_EQ(run.error().code, ErrorCode::RankConflict);
    EXPECT_THAT(run.error().toLine(), HasSubstr("first.json"));
    EXPECT_THAT(run.error().toLine(), HasSubstr("second.json"));
}

TEST(Loader, RefusesRanksOfDifferentWorldSizesAndNamesBoth) {
    const TemporaryFolder folder;
    const auto run = loadRun({folder.write("first.json", TraceBuilder(0, 2).kernel("k", 1us, 1us).text()),
                              folder.write("second.json", TraceBuilder(1, 8).kernel("k", 1us, 1us).text())});
    ASSERT_FALSE(run.has_value());
    EXPECT_THAT(run.error().toLine(), HasSubstr("first.json"));
    EXPECT_THAT(run.error().toLine(), HasSubstr("second.json"));
}

TEST(Loader, SetsAsideWhatIsNoRankWithAReason) {
    const TemporaryFolder folder;
    RunBuilder builder(2);
    builder.step(1).compute("gemm", 10us).allReduce();
    builder.writeTo(folder);
    folder.write("host_1.async_llm.2.pt.trace.json",
                 TraceBuilder().withoutDistributedInfo().cpuOp("x", 1us, 1us).text());
    folder.write("merged-17.trace.json", builder.text(0));
    folder.write("profiler_out_0.txt", "a table");
    const auto run = loadRun({folder.path()});
    ASSERT_TRUE(run.has_value()) << run.error().toLine();
    EXPECT_EQ((*run)->ranks.size(), 2u);
    ASSERT_GE((*run)->setAside.size(), 2u);
    for (const SetAsideFile& file : (*run)->setAside)
        EXPECT_FALSE(file.reason.empty()) << file.file;
}

TEST(Loader, StopsWhenAskedTo) {
    std::stop_source stop;
    stop.request_stop();
    LoadOptions options;
    options.stop = stop.get_token();
    const auto run = loadRun({tracesIn(LOCKSTEP_TEST_DATA).at(0)}, options);
    ASSERT_FALSE(run.has_value());
    EXPECT_EQ(run.error().code, ErrorCode::Cancelled);
}

TEST(Loader, TellsHowFarItIs) {
    LoadProgress progress;
    LoadOptions options;
    options.progress = &progress;
    const std::string file = tracesIn(LOCKSTEP_TEST_DATA).at(0);
    const auto run = loadRun({file}, options);
    ASSERT_TRUE(run.has_value());
    EXPECT_TRUE(progress.started);
    ASSERT_EQ(progress.files.size(), 1u);
    EXPECT_TRUE(progress.files[0]->done);
    EXPECT_EQ(progress.files[0]->bytesRead, std::filesystem::file_size(file));
    EXPECT_EQ(progress.files[0]->events, (*run)->ranks.at(0).report.events);
    EXPECT_EQ(progress.files[0]->jsonBytes, (*run)->ranks.at(0).report.jsonBytes);
}

} // namespace
} // namespace lockstep::test
