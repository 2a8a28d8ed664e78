#include "tests/support/analysisof.h"
#include "tests/support/tracetransform.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lockstep::test {
namespace {

using nlohmann::json;

json readJson(const std::string& path) {
    std::ifstream file(path);
    return json::parse(file, nullptr, false);
}

void expectWithin(TimeNs got, double wanted, double share, const std::string& what) {
    EXPECT_LE(std::abs(static_cast<double>(got) - wanted), std::max(share * std::abs(wanted), 1.0))
        << what << ": " << got << " instead of " << wanted;
}

/// One of the captures with right answers beside it.
struct Capture {
    std::string name;
    std::string folder;
    std::uint32_t layers = 0;
};

std::ostream& operator<<(std::ostream& out, const Capture& capture) {
    return out << capture.name;
}

class AnalysedCapture : public testing::TestWithParam<Capture> {
protected:
    void SetUp() override {
        const std::string folder = sharedCaptures(GetParam().folder);
        if (folder.empty())
            GTEST_SKIP() << "the captures with right answers are not beside the sources";
        run = loadSet(folder, GetParam().name);
        ASSERT_TRUE(run);
        expected = readJson(sharedCaptures("expect") + "/" + GetParam().name + ".json");
        ASSERT_TRUE(expected.is_object());
        analysis = analyseRun(run);
    }

    std::shared_ptr<const lockstep::Run> run;
    std::shared_ptr<const RunAnalysis> analysis;
    json expected;
};

TEST_P(AnalysedCapture, StepsAreAsAnIndependentReadingFoundThem) {
    const StepTable& table = analysis->steps;
    const json& steps = expected["steps"];
    ASSERT_EQ(table.steps.size(), steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        SCOPED_TRACE(fmt::format("step {}", i));
        EXPECT_EQ(table.steps[i].name, steps[i]["name"]);
        for (std::size_t rank = 0; rank < run->ranks.size(); ++rank) {
            const json& wanted = steps[i]["ranks"][rank];
            const RankStep& got = table.steps[i].ranks[rank];
            EXPECT_EQ(got.kernels, wanted["kernels"]);
            EXPECT_EQ(got.kernelSumNs, wanted["kernel_sum_ns"]);
            EXPECT_EQ(got.wallNs(), wanted["wall_ns"]);
            EXPECT_EQ(got.busyNs, wanted["busy_ns"]);
            EXPECT_EQ(got.exposedCommunicationNs, wanted["exposed_communication_ns"]);
            EXPECT_EQ(got.layers, GetParam().layers);
        }
    }
}

TEST_P(AnalysedCapture, CollectivesClocksAndWaitsAgree) {
    const json& wanted = expected["collectives"];
    EXPECT_EQ(analysis->collectives.matched.size(), wanted["matched"]);
    EXPECT_EQ(analysis->alignment.method, AlignmentMethod::Collectives);
    EXPECT_FALSE(analysis->alignment.uncertain);
    for (std::size_t rank = 0; rank < run->ranks.size(); ++rank) {
        EXPECT_EQ(analysis->collectives.calls[rank].size(), wanted["per_rank"][rank]);
        EXPECT_TRUE(analysis->collectives.unmatched[rank].empty());
        EXPECT_NEAR(analysis->alignment.ranks[rank].offsetNs,
                    expected["alignment"]["offset_ns"][rank].get<double>(), 50);
        EXPECT_EQ(analysis->alignment.ranks[rank].driftPpm, 0);
        const RankStalls& sums = analysis->stalls.ranks[rank];
        expectWithin(sums.waitedNs, wanted["wait_ns"][rank], 0.005, "waited");
        expectWithin(sums.causedNs, wanted["caused_ns"][rank], 0.005, "caused");
        EXPECT_EQ(sums.lastArrivals, wanted["last_arrivals"][rank]);
    }
    for (const auto& [kind, sums] : wanted["by_kind"].items()) {
        for (std::size_t rank = 0; rank < run->ranks.size(); ++rank) {
            TimeNs wait = 0;
            TimeNs transfer = 0;
            for (std::size_t group = 0; group < analysis->collectives.groups.size(); ++group) {
                if (nameOf(analysis->collectives.groups[group].kind) != kind)
                    continue;
                wait += analysis->stalls.groups[group].waitNs[rank];
                transfer += analysis->stalls.groups[group].transferNs[rank];
            }
            expectWithin(wait, sums["wait_ns"][rank], 0.005, kind + " wait");
            expectWithin(transfer, sums["transfer_ns"][rank], 0.005, kind + " transfer");
        }
    }
}

TEST_P(AnalysedCapture, TheWorstStallsAreTheSame) {
    const json& worst = expected["collectives"]["worst"];
    for (std::size_t k = 0; k < worst.size(); ++k) {
        SCOPED_TRACE(fmt::format("stall {}", k));
        const std::uint32_t index = analysis->stalls.worst[k];
        EXPECT_EQ(analysis->collectives.matched[index].ordinal, worst[k]["ordinal"]);
        EXPECT_EQ(analysis->stalls.stalls[index].straggler, worst[k]["straggler"]);
        EXPECT_NEAR(static_cast<double>(analysis->stalls.stalls[index].skewNs),
                    worst[k]["skew_ns"].get<double>(), 60);
    }
    const json causes = readJson(sharedCaptures("expect") + "/causes.json");
    if (!causes.contains(GetParam().name))
        return;
    const json& wanted = causes[GetParam().name];
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        SCOPED_TRACE(fmt::format("stall {}", k));
        const std::uint32_t index = analysis->stalls.worst[k];
        const StallCause cause = causeOf(*run, analysis->steps, analysis->collectives, analysis->alignment,
                                         analysis->stalls, index);
        EXPECT_EQ(nameOf(cause.kind), wanted[k]["cause"]["kind"]);
        EXPECT_EQ(cause.name, wanted[k]["cause"]["name"]);
        EXPECT_EQ(cause.excessNs, wanted[k]["cause"]["excess_ns"]);
        EXPECT_EQ(analysis->stalls.stalls[index].headTransient, wanted[k]["cause"]["kind"] == "unknown");
        EXPECT_FALSE(cause.evidence.empty());
    }
}

INSTANTIATE_TEST_SUITE_P(
    Captures, AnalysedCapture,
    testing::Values(Capture{"kimi-eager", "real", 61}, Capture{"kimi-graph", "real", 61},
                    Capture{"glm-eager", "real", 61}, Capture{"kimi-eager-stack", "real", 61},
                    Capture{"rich-graph", "real", 24}, Capture{"piecewise", "real", 16},
                    Capture{"mixed", "real", 16}, Capture{"kimi-graph-4steps", "small", 61},
                    Capture{"kimi-eager-1step", "small", 61}, Capture{"glm-eager-1step", "small", 61}),
    [](const testing::TestParamInfo<Capture>& parameter) {
        std::string name = parameter.param.name;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

std::shared_ptr<const Run> realCapture(const std::string& name) {
    const std::string folder = sharedCaptures("real");
    return folder.empty() ? nullptr : loadSet(folder, name);
}

#define LOCKSTEP_CAPTURE(run, name)                                                                          \
    const auto run = realCapture(name);                                                                      \
    if (!(run))                                                                                              \
    GTEST_SKIP() << "the captures with right answers are not beside the sources"

TEST(RealCapture, GraphStallsAreKernelsThatRanOnlyThere) {
    LOCKSTEP_CAPTURE(run, "kimi-graph");
    const auto analysis = analyseRun(run);
    struct Wanted {
        std::uint32_t step;
        std::uint32_t ordinal;
        std::uint32_t straggler;
        TimeNs excess;
    };
    for (std::size_t k = 0; const Wanted& wanted : {Wanted{3, 369, 1, 600'895}, Wanted{6, 738, 0, 301'856}}) {
        const std::uint32_t index = analysis->stalls.worst[k++];
        const Collective& collective = analysis->collectives.matched[index];
        EXPECT_EQ(collective.step, wanted.step);
        EXPECT_EQ(collective.ordinal, wanted.ordinal);
        EXPECT_EQ(collective.layer, 0);
        EXPECT_EQ(analysis->stalls.stalls[index].straggler, wanted.straggler);
        const StallCause cause = causeOf(*run, analysis->steps, analysis->collectives, analysis->alignment,
                                         analysis->stalls, index);
        EXPECT_EQ(cause.kind, CauseKind::Kernel);
        EXPECT_EQ(cause.name, "at::cuda::(anonymous namespace)::spin_kernel(long)");
        EXPECT_EQ(cause.excessNs, wanted.excess);
        ASSERT_TRUE(cause.event.valid());
        EXPECT_EQ(run->ranks[wanted.straggler].events.duration(cause.event), wanted.excess);
    }
}

TEST(RealCapture, RichGraphNamesItsHeadTransientAndFindsStepFive) {
    LOCKSTEP_CAPTURE(run, "rich-graph");
    const auto analysis = analyseRun(run);
    EXPECT_EQ(analysis->collectives.matched.size(), 1152u);
    std::size_t symmetric = 0;
    for (std::size_t group = 0; group < analysis->collectives.groups.size(); ++group)
        if (analysis->collectives.groups[group].backend == CollectiveBackend::SymmetricMemory)
            symmetric += analysis->stalls.groups[group].count;
    EXPECT_EQ(symmetric, 1152u - 24u);
    EXPECT_TRUE(analysis->stalls.stalls.front().headTransient);
    EXPECT_GT(analysis->stalls.ranks[0].headTransientNs, 4'800'000);
    const auto step5 =
        std::find_if(analysis->stalls.worst.begin(), analysis->stalls.worst.end(), [&](std::uint32_t index) {
            return analysis->collectives.matched[index].step == 5;
        });
    ASSERT_NE(step5, analysis->stalls.worst.end());
    EXPECT_EQ(analysis->collectives.matched[*step5].ordinal, 240u);
    EXPECT_EQ(analysis->stalls.stalls[*step5].straggler, 1u);
}

TEST(RealCapture, MixedHasTwoMixedAndNineDecodeSteps) {
    LOCKSTEP_CAPTURE(run, "mixed");
    const StepTable table = findSteps(*run);
    const auto count = [&](StepKind kind) {
        return std::count_if(table.steps.begin(), table.steps.end(), [kind](const Step& step) {
            return step.kind == kind;
        });
    };
    EXPECT_EQ(count(StepKind::Mixed), 2);
    EXPECT_EQ(count(StepKind::Decode), 9);
    EXPECT_EQ(table.steps[2].contextTokens, 256);
    EXPECT_EQ(table.steps[2].generationTokens, 4);
}

/// The steps of a run by its annotations, and without them.
void expectSameStepsWithout(const Run& run, StepSource source) {
    const StepTable with = findSteps(run);
    const auto bare = withRanks(run, withoutAnnotations);
    const StepTable without = findSteps(*bare);
    EXPECT_EQ(with.source, StepSource::CpuAnnotation);
    EXPECT_EQ(without.source, source);
    EXPECT_EQ(outlineOf(with), outlineOf(without));
}

TEST(RealCapture, WithoutAnnotationsGraphLaunchesGiveTheSameSteps) {
    for (const std::string name : {"kimi-graph", "rich-graph"}) {
        SCOPED_TRACE(name);
        LOCKSTEP_CAPTURE(run, name);
        expectSameStepsWithout(*run, StepSource::GraphLaunch);
    }
}

TEST(RealCapture, WithoutAnnotationsThePeriodGivesTheSameSteps) {
    for (const std::string name : {"kimi-eager", "glm-eager", "kimi-eager-stack"}) {
        SCOPED_TRACE(name);
        LOCKSTEP_CAPTURE(run, name);
        expectSameStepsWithout(*run, StepSource::Period);
    }
}

TEST(RealCapture, WithoutAnnotationsThePeriodGivesThePiecewiseSteps) {
    LOCKSTEP_CAPTURE(run, "piecewise");
    const StepTable with = findSteps(*run);
    const auto bare = withRanks(*run, withoutAnnotations);
    const StepTable without = findSteps(*bare);
    EXPECT_EQ(without.source, StepSource::Period);
    auto wanted = outlineOf(with);
    auto got = outlineOf(without);
    ASSERT_EQ(got.size(), wanted.size());
    // A stalling kernel that no marker wraps belongs, by the period alone, to the step that it delays.
    EXPECT_EQ(got[4].kernels[1], wanted[4].kernels[1] + 1);
    got.erase(got.begin() + 4);
    wanted.erase(wanted.begin() + 4);
    EXPECT_EQ(got, wanted);
}

TEST(RealCapture, GpuAnnotationsAloneGiveTheSameSteps) {
    for (const std::string name : {"kimi-graph", "rich-graph", "mixed", "kimi-eager"}) {
        SCOPED_TRACE(name);
        LOCKSTEP_CAPTURE(run, name);
        const auto gpuOnly = withRanks(*run, [](const RankTrace& rank) {
            return transformed(rank, [&](EventId id) {
                return rank.events.kind(id) != EventKind::Annotation;
            });
        });
        const StepTable with = findSteps(*run);
        const StepTable without = findSteps(*gpuOnly);
        EXPECT_EQ(without.source, StepSource::GpuAnnotation);
        EXPECT_EQ(outlineOf(with), outlineOf(without));
    }
}

TEST(RealCapture, AShiftedAndDriftingRankWaitsTheSame) {
    for (const std::string name : {"kimi-eager", "glm-eager"}) {
        SCOPED_TRACE(name);
        LOCKSTEP_CAPTURE(run, name);
        constexpr TimeNs kShift = 1'234'567'891;
        constexpr double kDrift = 3.7;
        const auto before = analyseRun(run);
        const auto copy = withRank(*run, 1, shifted(run->ranks[1], kShift, kDrift));
        const auto after = analyseRun(copy);
        EXPECT_EQ(after->collectives.matched.size(), before->collectives.matched.size());
        for (std::size_t rank = 0; rank < 2; ++rank)
            expectWithin(after->stalls.ranks[rank].waitedNs,
                         static_cast<double>(before->stalls.ranks[rank].waitedNs), 0.005, "waited");
        EXPECT_NEAR(after->alignment.ranks[1].driftPpm, -kDrift, 0.1);
        // At the run's middle the clock has also drifted away by half of the span.
        const TimeNs middle = after->alignment.ranks[1].midNs;
        const double gained =
            kDrift * 1e-6 * static_cast<double>(middle - kShift - run->ranks[1].span().begin);
        EXPECT_NEAR(after->alignment.ranks[1].offsetNs,
                    before->alignment.ranks[1].offsetNs - static_cast<double>(kShift) - gained, 1'000);
    }
}

TEST(RealCapture, LostCollectivesDoNotShiftTheRest) {
    for (const std::string name : {"kimi-graph", "kimi-eager", "rich-graph", "piecewise", "mixed"}) {
        SCOPED_TRACE(name);
        LOCKSTEP_CAPTURE(run, name);
        const auto whole = analyseRun(run);
        const std::vector<CollectiveCall>& calls = whole->collectives.calls[1];
        const std::vector<std::size_t> lost{calls.size() / 7, calls.size() / 2, calls.size() - 10};
        std::vector<EventId> events;
        for (const std::size_t call : lost)
            events.push_back(calls[call].event);
        const auto copy = withRank(*run, 1, withoutActivities(run->ranks[1], events));
        const auto analysis = analyseRun(copy);
        ASSERT_EQ(analysis->collectives.matched.size(), whole->collectives.matched.size() - 3);
        ASSERT_EQ(analysis->collectives.unmatched[0].size(), 3u);
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_EQ(analysis->collectives.unmatched[0][k], lost[k]);
        EXPECT_TRUE(analysis->collectives.unmatched[1].empty());
        EXPECT_NEAR(analysis->alignment.ranks[1].offsetNs, whole->alignment.ranks[1].offsetNs, 50);
    }
}

TEST(RealCapture, ARankThatStartedTwoStepsLateMatchesAllTheRest) {
    for (const std::string name :
         {"kimi-graph", "kimi-eager", "glm-eager", "rich-graph", "piecewise", "mixed"}) {
        SCOPED_TRACE(name);
        LOCKSTEP_CAPTURE(run, name);
        const auto whole = analyseRun(run);
        const TimeNs begin = whole->steps.steps[2].ranks[1].range.begin;
        std::size_t before = 0;
        for (const CollectiveCall& call : whole->collectives.calls[1])
            before += call.step < 2 ? 1 : 0;
        // The launches of step 2 are there, as a profiler that started between the steps would show.
        const RankTrace& rank = run->ranks[1];
        const RankTrace cut = transformed(rank, [&](EventId id) {
            return !isGpuActivity(rank.events.kind(id)) || rank.events.begin(id) >= begin;
        });
        const auto analysis = analyseRun(withRank(*run, 1, cut));
        EXPECT_EQ(analysis->collectives.matched.size(), whole->collectives.matched.size() - before);
        EXPECT_EQ(analysis->steps.steps.size(), whole->steps.steps.size());
        EXPECT_FALSE(analysis->steps.steps[0].ranks[1].present);
        EXPECT_FALSE(analysis->steps.steps[1].ranks[1].present);
        EXPECT_TRUE(analysis->steps.steps[2].ranks[1].present);
        EXPECT_EQ(analysis->steps.steps[2].ranks[1].range.begin, begin);
        // The same on clocks that are seconds apart.
        const auto far = analyseRun(withRank(*run, 1, shifted(cut, -2'500'000'000, -3.7)));
        EXPECT_EQ(far->collectives.matched.size(), whole->collectives.matched.size() - before);
        EXPECT_EQ(far->steps.steps.size(), whole->steps.steps.size());
    }
}

} // namespace
} // namespace lockstep::test
