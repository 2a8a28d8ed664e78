#include "model/analysis/runfigures.h"

#include "model/analysis/runanalysis.h"
#include "tests/support/decoderun.h"

#include <cmath>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace lockstep::test {
namespace {

/// Six layers of two all-reduces; rank 2 is late wherever `late` says.
std::shared_ptr<const RunAnalysis> lateRun(std::vector<InjectedStall> late, std::size_t ranks = 4) {
    DecodeRunOptions options;
    options.ranks = ranks;
    options.steps = 6;
    options.stalls = std::move(late);
    return analyseRun(decodeRun(options));
}

/// Rank 2 comes 80 µs late to both collectives of layers 4 and 5 in every step.
std::vector<InjectedStall> habit() {
    std::vector<InjectedStall> stalls;
    for (std::size_t step = 0; step < 6; ++step)
        for (std::size_t collective = 8; collective < 12; ++collective)
            stalls.push_back({step, collective, 2, 80'000, InjectedCause::Kernel});
    return stalls;
}

std::shared_ptr<const RunFigures> figuresFor(const std::shared_ptr<const RunAnalysis>& analysis,
                                             const BreakdownSelection& selection = {}) {
    const auto rules = CategoryRules::builtin();
    return figuresOf(analysis, rules->set, categorise(*analysis, *rules), selection, selection);
}

TEST(StallSummary, AddsUpToTheStallTableOverAll) {
    const auto analysis = lateRun(habit());
    const StallSummary summary = summariseStalls(*analysis);
    EXPECT_EQ(summary.collectives, analysis->stalls.stalls.size());
    EXPECT_EQ(summary.worst, analysis->stalls.worst);
    for (std::size_t rank = 0; rank < 4; ++rank) {
        EXPECT_EQ(summary.ranks[rank].waitedNs, analysis->stalls.ranks[rank].waitedNs);
        EXPECT_EQ(summary.ranks[rank].causedNs, analysis->stalls.ranks[rank].causedNs);
        EXPECT_EQ(summary.ranks[rank].lastArrivals, analysis->stalls.ranks[rank].lastArrivals);
    }
}

TEST(StallSummary, CountsTheChosenStepsAlone) {
    const auto analysis = lateRun({{3, 5, 1, 300'000, InjectedCause::Host}});
    BreakdownSelection step;
    step.steps = {3};
    const StallSummary summary = summariseStalls(*analysis, step);
    EXPECT_EQ(summary.collectives, 12u);
    ASSERT_FALSE(summary.worst.empty());
    const std::uint32_t worst = summary.worst.front();
    EXPECT_EQ(analysis->stalls.stalls[worst].straggler, 1u);
    EXPECT_EQ(analysis->collectives.matched[worst].step, 3u);
    step.steps = {2};
    EXPECT_LT(summariseStalls(*analysis, step).ranks[1].causedNs, 300'000);
}

TEST(StallSummary, TheMapShowsWhichRankWasLateInWhichLayer) {
    const auto analysis = lateRun(habit());
    const StallSummary summary = summariseStalls(*analysis);
    ASSERT_EQ(summary.byLayer.columns.size(), 6u);
    ASSERT_EQ(summary.byStep.columns.size(), 6u);
    const LateCell& late = summary.byLayer.at(2, 5);
    EXPECT_GT(late.causedNs, 6 * 2 * 3 * 60'000);
    EXPECT_EQ(late.collectives, 12u);
    EXPECT_EQ(late.last, 12u);
    EXPECT_LT(summary.byLayer.at(2, 1).causedNs, late.causedNs / 20);
    EXPECT_EQ(analysis->stalls.stalls[late.worst].straggler, 2u);
    EXPECT_EQ(analysis->collectives.matched[late.worst].layer, 5u);
}

TEST(StallSummary, AHabitIsSystematicAndChanceIsNot) {
    EXPECT_EQ(summariseStalls(*lateRun(habit())).pattern, LatePattern::Systematic);
    EXPECT_EQ(summariseStalls(*lateRun(habit())).mostLate, 2u);
    const StallSummary fair = summariseStalls(*lateRun({}));
    EXPECT_NE(fair.pattern, LatePattern::Systematic) << fair.patternText;
}

TEST(RunFigures, SayWhoIsWaitedForInWhichLayersAndWhy) {
    const auto figures = figuresFor(lateRun(habit()));
    const auto stalls =
        std::find_if(figures->findings.begin(), figures->findings.end(), [](const Finding& finding) {
            return finding.kind == "stalls";
        });
    ASSERT_NE(stalls, figures->findings.end());
    EXPECT_NE(stalls->sentence.find("mostly for rank 2"), std::string::npos) << stalls->sentence;
    EXPECT_NE(stalls->sentence.find("layers 4 to 5"), std::string::npos) << stalls->sentence;
    EXPECT_NE(stalls->sentence.find("spin_kernel"), std::string::npos) << stalls->sentence;
}

TEST(RunFigures, TheShareOfWaitingIsThatOfTheBreakdown) {
    const auto figures = figuresFor(lateRun(habit()));
    for (const BreakdownRow& group : figures->sum.groups) {
        if (figures->set.groups[group.category].id != "allreduce")
            continue;
        const auto percent =
            std::lround(100.0 * static_cast<double>(*group.waitNs) / static_cast<double>(group.totalNs));
        const std::string begin = std::to_string(percent) + " % of AllReduce is waiting";
        EXPECT_TRUE(std::any_of(figures->findings.begin(), figures->findings.end(),
                                [&](const Finding& finding) {
                                    return finding.sentence.starts_with(begin);
                                }))
            << begin;
    }
}

TEST(RunFigures, CausesStandBesideTheWorstStalls) {
    const auto figures = figuresFor(lateRun({{2, 5, 1, 200'000, InjectedCause::Kernel}}));
    ASSERT_FALSE(figures->causes.empty());
    EXPECT_LE(figures->causes.size(), figures->stalls.worst.size());
    EXPECT_EQ(figures->causes.front().kind, CauseKind::Kernel);
    EXPECT_EQ(figures->causes.front().name, "spin_kernel(long)");
}

TEST(RunFigures, EndWhenAskedTo) {
    const auto analysis = lateRun({});
    const auto rules = CategoryRules::builtin();
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(figuresOf(analysis, rules->set, categorise(*analysis, *rules), {}, {}, stop.get_token()),
              nullptr);
}

} // namespace
} // namespace lockstep::test
