#include "model/import/rankfiles.h"
#include "model/run/runloader.h"
#include "model/synthetic/presets.h"
#include "model/synthetic/syntheticrun.h"
#include "tests/support/compression.h"
#include "tests/support/secondopinion.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace lockstep {
namespace {

using nlohmann::json;
using testing::HasSubstr;

SyntheticOptions options(const test::TemporaryFolder& folder, int ranks, int steps) {
    SyntheticOptions result;
    result.ranks = ranks;
    result.steps = steps;
    result.folder = folder.path("run");
    return result;
}

std::shared_ptr<const Run> load(const SyntheticReport& report) {
    auto run = loadRun(report.files);
    EXPECT_TRUE(run.has_value());
    return run ? *run : nullptr;
}

json truthOf(const SyntheticReport& report) {
    return json::parse(test::readWhole(report.truthFile));
}

bool isCollective(std::string_view kernel) {
    return kernel.starts_with("nccl") || kernel.find("cross_device_reduce") != std::string_view::npos;
}

double perStepMs(const json& truth, std::string_view group) {
    for (const json& row : truth["breakdown"]["rows"])
        if (row["group"] == group)
            return row["per_step_ms"];
    return 0;
}

TEST(Synthetic, KimiComesOutAsTheCaseStudyReports) {
    const test::TemporaryFolder folder;
    const auto report = writeSyntheticRun(options(folder, 8, 4));
    ASSERT_TRUE(report.has_value());
    const json truth = truthOf(*report);
    const std::vector<std::pair<std::string, double>> table{{"AllReduce", 11.17},  {"Attention", 3.32},
                                                            {"Other GEMMs", 2.90}, {"MoE GEMMs", 2.40},
                                                            {"Routing", 0.99},     {"Everything else", 0.92}};
    for (const auto& [group, ms] : table) {
        EXPECT_NEAR(perStepMs(truth, group), ms, 0.05) << group;
        EXPECT_NEAR(100 * perStepMs(truth, group) / truth["breakdown"]["total_per_step_ms"].get<double>(),
                    100 * ms / 21.7, 0.3)
            << group;
    }
    EXPECT_NEAR(truth["breakdown"]["total_per_step_ms"].get<double>(), 21.7, 0.1);
    EXPECT_NEAR(truth["period_ms"].get<double>(), 12.1, 0.1);
    EXPECT_EQ(truth["collectives_per_step"], 128);
}

TEST(Synthetic, PeriodDoesNotDependOnTheNumberOfRanksOrTheForm) {
    for (const bool graph : {false, true}) {
        for (const int ranks : {1, 2, 32}) {
            const PlannedStep plan = kimiStep();
            SimulationOptions simulation;
            simulation.ranks = ranks;
            simulation.steps = 3;
            simulation.graph = graph;
            const SimulatedRun run = simulate(plan, simulation);
            const double period = static_cast<double>(run.ops[0][2 * plan.ops.size()].begin -
                                                      run.ops[0][plan.ops.size()].begin);
            EXPECT_NEAR(period / 1e6, 12.1, 0.1) << ranks << (graph ? " graph" : "");
        }
    }
}

TEST(Synthetic, GlmSpends69PercentInTheCast) {
    const test::TemporaryFolder folder;
    SyntheticOptions glm = options(folder, 8, 2);
    glm.preset = "glm-5-nvfp4-sglang";
    const auto report = writeSyntheticRun(glm);
    ASSERT_TRUE(report.has_value());
    const json truth = truthOf(*report);
    EXPECT_NEAR(100 * perStepMs(truth, "Dtype cast") / truth["breakdown"]["total_per_step_ms"].get<double>(),
                69, 0.3);
    EXPECT_NEAR(truth["period_ms"].get<double>(), 151, 1);
    EXPECT_THAT(report->files[3], HasSubstr("-TP-3.trace.json"));
    const auto run = load(*report);
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->ranks.size(), 8U);
}

TEST(Synthetic, SameSeedGivesTheSameBytesAndAnotherSeedOthers) {
    const test::TemporaryFolder folder;
    SyntheticOptions one = options(folder, 2, 1);
    const auto first = writeSyntheticRun(one);
    one.folder = folder.path("again");
    one.threads = 1;
    const auto second = writeSyntheticRun(one);
    one.folder = folder.path("other");
    one.seed = 2;
    const auto third = writeSyntheticRun(one);
    ASSERT_TRUE(first && second && third);
    for (std::size_t r = 0; r < 2; ++r) {
        EXPECT_EQ(test::readWhole(first->files[r]), test::readWhole(second->files[r]));
        EXPECT_NE(test::readWhole(first->files[r]), test::readWhole(third->files[r]));
    }
    EXPECT_EQ(test::readWhole(first->truthFile), test::readWhole(second->truthFile));
}

TEST(Synthetic, LoadsWholeAsOneRunAndSaysThatItIsSynthetic) {
    const test::TemporaryFolder folder;
    const auto report = writeSyntheticRun(options(folder, 4, 2));
    ASSERT_TRUE(report.has_value());
    const auto run = load(*report);
    ASSERT_NE(run, nullptr);
    ASSERT_EQ(run->ranks.size(), 4U);
    EXPECT_EQ(run->worldSize, 4);
    const PlannedStep plan = kimiStep();
    for (std::size_t r = 0; r < 4; ++r) {
        const RankTrace& rank = run->ranks[r];
        EXPECT_EQ(rank.rank, static_cast<int>(r));
        EXPECT_EQ(rank.rankSource, RankSource::Content);
        EXPECT_FALSE(rank.report.damaged());
        EXPECT_TRUE(rank.report.warnings.empty());
        EXPECT_EQ(rank.gpuActivities().size(), 2 * plan.ops.size());
        EXPECT_EQ(rank.deviceName(), "NVIDIA RTX PRO 6000 Blackwell Server Edition");
        ASSERT_TRUE(rank.header.other.contains("lockstep_synthetic"));
        EXPECT_THAT(rank.header.other.at("lockstep_synthetic"), HasSubstr("not measured on any machine"));
        const auto again = test::readAgain(test::readWhole(report->files[r]));
        ASSERT_TRUE(again.has_value());
        EXPECT_EQ(again->events, rank.report.events);
    }
}

/// By launch call: correlation and time in µs.
struct Launches {
    std::map<std::int64_t, double> begin;
    std::map<std::int64_t, std::string> owner; ///< CPU op by External id
};

TEST(Synthetic, EveryKernelHasALaunchBeforeItAFlowAndACpuOp) {
    const test::TemporaryFolder folder;
    const auto report = writeSyntheticRun(options(folder, 1, 1));
    ASSERT_TRUE(report.has_value());
    const json document = json::parse(test::readWhole(report->files[0]));
    Launches launches;
    std::map<std::int64_t, int> flowEnds;
    for (const json& event : document["traceEvents"]) {
        const std::string category = event.value("cat", "");
        if (category == "cuda_runtime" || category == "cuda_driver")
            launches.begin[event["args"]["correlation"]] = event["ts"];
        if (category == "cpu_op")
            launches.owner[event["args"]["External id"]] = event["name"];
        if (category == "ac2g" && event["ph"] == "f")
            ++flowEnds[event["id"]];
    }
    std::size_t kernels = 0;
    for (const json& event : document["traceEvents"]) {
        if (event.value("cat", "") != "kernel")
            continue;
        ++kernels;
        const json& args = event["args"];
        const std::int64_t correlation = args["correlation"];
        ASSERT_TRUE(launches.begin.contains(correlation));
        EXPECT_LT(launches.begin[correlation], event["ts"].get<double>());
        EXPECT_EQ(flowEnds[correlation], 1);
        ASSERT_TRUE(launches.owner.contains(args["External id"]));
        const bool nccl = event["name"].get<std::string>().starts_with("nccl");
        EXPECT_EQ(args.contains("Collective name"), nccl);
        if (nccl) {
            EXPECT_EQ(launches.owner[args["External id"]], "record_param_comms");
            EXPECT_EQ(args["In msg nelems"], 7168);
        }
    }
    EXPECT_EQ(kernels, kimiStep().ops.size() - 1) << "all but the copy of the token";
}

TEST(Synthetic, CpuEventsNestAndStreamsDoNotOverlap) {
    const test::TemporaryFolder folder;
    SyntheticOptions one = options(folder, 2, 2);
    one.stalls = {{1, 7, 1, 300'000, SyntheticCause::Host}};
    const auto report = writeSyntheticRun(one);
    ASSERT_TRUE(report.has_value());
    const auto run = load(*report);
    ASSERT_NE(run, nullptr);
    for (const RankTrace& rank : run->ranks) {
        // What nests needs no second lane of its own at the same depth: a thread's lanes are as many as its
        // deepest call, which is four (op, record_param_comms, annotation, driver call) below the marker.
        for (const Track& track : rank.tracks)
            if (track.kind == TrackKind::CpuThread) {
                EXPECT_LE(track.laneCount, 5U);
            }
        std::map<std::int64_t, TimeNs> streamEnd;
        for (const EventId event : rank.gpuActivities()) {
            TimeNs& end = streamEnd[rank.streamOf(event)];
            EXPECT_GE(rank.events.begin(event), end);
            end = rank.events.end(event);
        }
        EXPECT_EQ(streamEnd.size(), 3U);
    }
}

TEST(Synthetic, GraphFormHasOneLaunchAStepAndNoMetadata) {
    const test::TemporaryFolder folder;
    SyntheticOptions graph = options(folder, 2, 3);
    graph.graph = true;
    const auto report = writeSyntheticRun(graph);
    ASSERT_TRUE(report.has_value());
    const auto run = load(*report);
    ASSERT_NE(run, nullptr);
    const RankTrace& rank = run->ranks[1];
    std::size_t launches = 0;
    for (std::size_t i = 0; i < rank.events.size(); ++i)
        launches += rank.name(EventId(i)) == "cudaGraphLaunch" ? 1 : 0;
    EXPECT_EQ(launches, 3U);
    EXPECT_TRUE(rank.arguments.collectives.empty());
}

TEST(Synthetic, ClocksAreSkewedAsTheTruthSays) {
    const test::TemporaryFolder folder;
    const auto report = writeSyntheticRun(options(folder, 4, 2));
    ASSERT_TRUE(report.has_value());
    const json truth = truthOf(*report);
    const auto run = load(*report);
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(truth["clocks"]["ranks"][0]["offset_ns"], 0);
    std::vector<TimeNs> lastEnd;
    for (const RankTrace& rank : run->ranks) {
        TimeNs last = 0;
        for (const EventId event : rank.gpuActivities())
            if (isCollective(rank.name(event)))
                last = std::max(last, rank.events.end(event));
        lastEnd.push_back(last);
    }
    for (std::size_t r = 1; r < 4; ++r) {
        const double offset = truth["clocks"]["ranks"][r]["offset_ns"];
        EXPECT_NE(offset, 0);
        // Half a run of at most 13 ms at 8 ppm, and ranks leave within 400 ns of each other.
        EXPECT_NEAR(static_cast<double>(lastEnd[r]) + offset, static_cast<double>(lastEnd[0]), 600) << r;
    }
}

TEST(Synthetic, InjectedStallsDelayAllRanksAndAreInTheTruth) {
    const PlannedStep plan = kimiStep();
    SimulationOptions simulation;
    simulation.ranks = 4;
    simulation.steps = 3;
    const SimulatedRun before = simulate(plan, simulation);
    simulation.stalls = {{1, 20, 2, 600'000, SyntheticCause::Kernel},
                         {2, 40, 3, 300'000, SyntheticCause::Host}};
    const SimulatedRun after = simulate(plan, simulation);
    ASSERT_EQ(after.stalls.size(), 2U);
    EXPECT_EQ(after.stalls[0].straggler, 2);
    EXPECT_NEAR(static_cast<double>(after.stalls[0].skewNs), 600'000, 10'000);
    EXPECT_NEAR(static_cast<double>(after.stalls[0].causedNs), 1'800'000, 30'000);
    EXPECT_THAT(after.stalls[0].name, HasSubstr("splitKreduce"));
    EXPECT_EQ(after.stalls[1].straggler, 3);
    EXPECT_EQ(after.stalls[1].name, "aten::mm");
    EXPECT_NEAR(static_cast<double>(after.stalls[1].skewNs), 300'000, 10'000);
    for (std::size_t r = 0; r < 4; ++r) {
        const TimeNs delay = after.ops[r].back().begin - before.ops[r].back().begin;
        EXPECT_NEAR(static_cast<double>(delay), 900'000, 15'000) << "later events shift on all ranks";
    }
}

TEST(Synthetic, RanksLeaveACollectiveTogether) {
    const PlannedStep plan = kimiStep();
    SimulationOptions simulation;
    simulation.steps = 2;
    simulation.stalls = {{0, 3, 1, 500'000, SyntheticCause::Kernel}};
    const SimulatedRun run = simulate(plan, simulation);
    for (std::size_t i = 0; i < run.ops[0].size(); ++i) {
        if (!plan.ops[i % plan.ops.size()].collective)
            continue;
        TimeNs firstEnd = std::numeric_limits<TimeNs>::max();
        TimeNs lastEnd = 0;
        TimeNs lastBegin = 0;
        for (const auto& ops : run.ops) {
            firstEnd = std::min(firstEnd, ops[i].begin + ops[i].duration);
            lastEnd = std::max(lastEnd, ops[i].begin + ops[i].duration);
            lastBegin = std::max(lastBegin, ops[i].begin);
        }
        ASSERT_LT(lastEnd - firstEnd, 1000);
        ASSERT_GT(firstEnd, lastBegin) << "nobody leaves before the last has come";
    }
}

TEST(Synthetic, SizeAskedForIsReachedAndGzipLoads) {
    const test::TemporaryFolder folder;
    SyntheticOptions sized = options(folder, 1, 0);
    sized.megabytesPerRank = 10;
    sized.gzip = true;
    const auto report = writeSyntheticRun(sized);
    ASSERT_TRUE(report.has_value());
    EXPECT_GE(report->textBytes, 10'000'000U);
    EXPECT_LT(report->textBytes, 16'000'000U);
    const auto run = load(*report);
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->ranks[0].report.compression, Compression::Gzip);
    EXPECT_EQ(run->ranks[0].report.jsonBytes, report->textBytes);
    EXPECT_FALSE(run->ranks[0].report.damaged());
}

TEST(Synthetic, StallTextIsReadAndNonsenseNamed) {
    const auto stall = parseInjectedStall("3:20:1:600");
    ASSERT_TRUE(stall.has_value());
    EXPECT_EQ(stall->delayNs, 600'000);
    EXPECT_EQ(stall->cause, SyntheticCause::Kernel);
    EXPECT_EQ(parseInjectedStall("3:20:1:600:host")->cause, SyntheticCause::Host);
    for (const char* text :
         {"", "1:2:3", "1:2:3:x", "-1:2:3:4", "1:2:3:4:gpu", "1:2:3:4:5:6", "1:2:3:99999999"}) {
        const auto bad = parseInjectedStall(text);
        ASSERT_FALSE(bad.has_value()) << text;
        EXPECT_THAT(bad.error().message, HasSubstr("STEP:LAYER:RANK:US"));
    }
}

TEST(Synthetic, WhatCannotBeWrittenIsSaid) {
    const test::TemporaryFolder folder;
    SyntheticOptions bad = options(folder, 2, 2);
    bad.stalls = {{0, 61, 0, 1000, SyntheticCause::Kernel}};
    EXPECT_THAT(writeSyntheticRun(bad).error().message, HasSubstr("layer 61"));
    bad.stalls = {{0, 0, 2, 1000, SyntheticCause::Kernel}};
    EXPECT_THAT(writeSyntheticRun(bad).error().message, HasSubstr("rank 2"));
    bad.stalls = {{2, 0, 0, 1000, SyntheticCause::Kernel}};
    EXPECT_THAT(writeSyntheticRun(bad).error().message, HasSubstr("step 2"));
    bad.stalls.clear();
    bad.ranks = 0;
    EXPECT_EQ(writeSyntheticRun(bad).error().code, ErrorCode::BadArgument);
    bad.ranks = 1;
    bad.preset = "llama";
    EXPECT_THAT(writeSyntheticRun(bad).error().message, HasSubstr("glm-5-nvfp4-sglang"));
    bad.preset = "kimi-k2.5-int4-vllm";
    bad.folder = folder.write("file", "x") + "/below";
    EXPECT_EQ(writeSyntheticRun(bad).error().code, ErrorCode::Unreadable);
}

} // namespace
} // namespace lockstep
