#include "model/analysis/breakdown.h"
#include "model/analysis/categories.h"
#include "model/analysis/runanalysis.h"
#include "model/run/runloader.h"
#include "model/synthetic/syntheticrun.h"
#include "tests/support/compression.h"
#include "tests/support/temporaryfolder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

using nlohmann::json;

/// A synthetic run, what its truth file says, and what the analysis finds.
struct Found {
    json truth;
    std::shared_ptr<const RunAnalysis> analysis;
};

Found find(SyntheticOptions options) {
    const test::TemporaryFolder folder;
    options.folder = folder.path();
    const auto report = writeSyntheticRun(options);
    const auto run = report ? loadRun(report->files) : loadRun({});
    EXPECT_TRUE(run.has_value());
    if (!run)
        return {};
    return {json::parse(test::readWhole(report->truthFile)), analyseRun(*run)};
}

SyntheticOptions stalled(int ranks, bool graph) {
    SyntheticOptions options;
    options.ranks = ranks;
    options.steps = 3;
    options.seed = 11;
    options.graph = graph;
    options.stalls = {{1, 30, ranks - 1, 700'000, SyntheticCause::Kernel},
                      {2, 12, 1, 400'000, SyntheticCause::Kernel}};
    return options;
}

void expectClocks(const Found& found) {
    const ClockAlignment& alignment = found.analysis->alignment;
    const json& clocks = found.truth["clocks"]["ranks"];
    ASSERT_EQ(alignment.method, AlignmentMethod::Collectives);
    ASSERT_EQ(alignment.reference, 0U);
    for (std::size_t r = 0; r < clocks.size(); ++r)
        EXPECT_NEAR(alignment.ranks[r].offsetNs, clocks[r]["offset_ns"].get<double>(), 300) << "rank " << r;
    EXPECT_EQ(alignment.causalityViolations, 0U);
}

/// The injected stalls must be the worst found, in order of their skew.
void expectStalls(const Found& found) {
    const StallTable& stalls = found.analysis->stalls;
    json expected = found.truth["stalls"];
    std::sort(expected.begin(), expected.end(), [](const json& a, const json& b) {
        return a["skew_ns"].get<TimeNs>() > b["skew_ns"].get<TimeNs>();
    });
    ASSERT_GE(stalls.worst.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::uint32_t index = stalls.worst[i];
        const Collective& collective = found.analysis->collectives.matched[index];
        const Stall& stall = stalls.stalls[index];
        EXPECT_EQ(collective.ordinal, expected[i]["ordinal"]);
        EXPECT_EQ(collective.step, expected[i]["step"]);
        EXPECT_EQ(collective.layer, expected[i]["layer"]);
        EXPECT_EQ(stall.straggler, expected[i]["straggler"]);
        EXPECT_NEAR(static_cast<double>(stall.skewNs), expected[i]["skew_ns"].get<double>(), 1000);
        const StallCause cause =
            causeOf(*found.analysis->run, found.analysis->steps, found.analysis->collectives,
                    found.analysis->alignment, stalls, index);
        EXPECT_EQ(nameOf(cause.kind), expected[i]["cause"]["kind"].get<std::string>());
        EXPECT_NEAR(static_cast<double>(cause.excessNs), expected[i]["delay_ns"].get<double>(), 10'000);
    }
}

TEST(SyntheticTruth, EightRanksAreFoundAsInjected) {
    SyntheticOptions options = stalled(8, false);
    options.stalls.push_back({1, 50, 4, 300'000, SyntheticCause::Host});
    const Found found = find(options);
    ASSERT_NE(found.analysis, nullptr);
    expectClocks(found);
    expectStalls(found);
    ASSERT_EQ(found.analysis->steps.steps.size(), 3U);
    EXPECT_EQ(found.analysis->steps.steps[0].ranks[0].layers, 61U);
    EXPECT_EQ(found.analysis->steps.steps[0].kind, StepKind::Decode);
    EXPECT_EQ(found.analysis->collectives.matched.size(), found.truth["collectives"].get<std::size_t>());
}

TEST(SyntheticTruth, SixtyFourRanksInGraphFormAreFoundAsInjected) {
    const Found found = find(stalled(64, true));
    ASSERT_NE(found.analysis, nullptr);
    expectClocks(found);
    expectStalls(found);
}

TEST(SyntheticTruth, BreakdownIsTheCaseStudysTable) {
    SyntheticOptions options;
    options.steps = 3;
    for (const char* preset : {"kimi-k2.5-int4-vllm", "glm-5-nvfp4-sglang"}) {
        for (const bool graph : {false, true}) {
            options.preset = preset;
            options.graph = graph;
            options.ranks = 2;
            const Found found = find(options);
            ASSERT_NE(found.analysis, nullptr);
            const auto rules = CategoryRules::builtin();
            ASSERT_TRUE(rules.has_value());
            const Breakdown breakdown = breakdownOf(*found.analysis, rules->set,
                                                    categorise(*found.analysis, *rules), Attribution::Sum);
            for (const json& row : found.truth["breakdown"]["rows"]) {
                double ms = 0;
                for (const BreakdownRow& group : breakdown.groups)
                    if (group.label == row["group"])
                        ms = breakdown.perStep(group.totalNs) / 1e6;
                EXPECT_NEAR(ms, row["per_step_ms"].get<double>(), 0.02)
                    << preset << (graph ? ", graph: " : ": ") << row["group"];
            }
        }
    }
}

} // namespace
} // namespace lockstep
