#include "model/trace/lanes.h"

#include <gtest/gtest.h>
#include <random>

using namespace lockstep;
using Depths = std::vector<std::uint32_t>;

namespace {
Depths depthsOf(std::vector<TimeRange> ranges) {
    return assignDepths(ranges);
}
} // namespace

TEST(Lanes, PutsEventsOneAfterAnotherInOneRow) {
    EXPECT_EQ(depthsOf({{0, 10}, {10, 20}, {20, 20}, {25, 30}}), (Depths{0, 0, 0, 0}));
}

TEST(Lanes, PutsAnInnerEventBelowTheOuter) {
    EXPECT_EQ(depthsOf({{0, 100}, {10, 50}, {20, 30}, {50, 90}, {100, 110}}), (Depths{0, 1, 2, 1, 0}));
}

TEST(Lanes, PutsAnOverlapInARowOfItsOwn) {
    EXPECT_EQ(depthsOf({{0, 10}, {5, 15}, {8, 20}, {16, 18}, {21, 30}}), (Depths{0, 1, 2, 3, 0}));
    EXPECT_EQ(depthsOf({{0, 10}, {5, 15}, {12, 20}}), (Depths{0, 1, 0}));
}

TEST(Lanes, LetsNoTwoEventsOfARowOverlap) {
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        std::vector<TimeRange> ranges;
        for (int i = 0; i < 120; ++i) {
            const TimeNs begin = random() % 1000;
            ranges.push_back({begin, begin + static_cast<TimeNs>(random() % 60)});
        }
        std::sort(ranges.begin(), ranges.end(), [](TimeRange a, TimeRange b) {
            return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
        });
        const Depths depths = assignDepths(ranges);
        std::vector<TimeNs> ends(kMaxLaneDepth, -1);
        for (std::size_t i = 0; i < ranges.size(); ++i) {
            EXPECT_GE(ranges[i].begin, ends[depths[i]]);
            ends[depths[i]] = ranges[i].end;
        }
    }
}

TEST(Lanes, StopsMakingRowsAtItsLimit) {
    std::vector<TimeRange> ranges;
    for (TimeNs i = 0; i < 2000; ++i)
        ranges.push_back({i, i + 100'000});
    for (const std::uint32_t depth : assignDepths(ranges))
        EXPECT_LT(depth, kMaxLaneDepth);
}
