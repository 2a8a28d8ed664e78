#include "model/layout/lanepyramid.h"

#include "tests/support/handmaderank.h"

#include <gtest/gtest.h>
#include <random>

namespace lockstep {
namespace {

RankTrace laneOf(const std::vector<TimeNs>& durations, std::size_t before = 0) {
    test::HandmadeRank rank(0);
    rank.track(TrackKind::GpuStream, "1");
    for (std::size_t i = 0; i < before; ++i)
        rank.kernel("before", static_cast<TimeNs>(i) * 100, 99);
    rank.track(TrackKind::GpuStream, "7");
    TimeNs at = 0;
    for (const TimeNs duration : durations) {
        rank.kernel("k", at, duration);
        at += duration + 1;
    }
    return rank.build();
}

TEST(LanePyramid, findsTheLongestEventOfAnyStretch) {
    std::mt19937 random(7);
    std::vector<TimeNs> durations(1000);
    for (TimeNs& duration : durations)
        duration = static_cast<TimeNs>(random() % 500);
    const std::size_t before = 5;
    const RankTrace rank = laneOf(durations, before);
    const LanePyramid pyramid(rank.events, rank.lanes[1]);
    for (int i = 0; i < 5000; ++i) {
        std::size_t first = random() % durations.size();
        std::size_t last = random() % durations.size();
        if (first > last)
            std::swap(first, last);
        ++last;
        const auto longest = std::max_element(durations.begin() + static_cast<std::ptrdiff_t>(first),
                                              durations.begin() + static_cast<std::ptrdiff_t>(last));
        const EventId found = pyramid.longest(rank.events, before + first, before + last);
        ASSERT_EQ(rank.events.duration(found), *longest) << first << ".." << last;
        ASSERT_TRUE(found.index() >= before + first && found.index() < before + last);
    }
}

TEST(LanePyramid, keepsToItsOwnLane) {
    const RankTrace rank = laneOf({1, 2, 3}, 50);
    const LanePyramid pyramid(rank.events, rank.lanes[1]);
    EXPECT_EQ(pyramid.longest(rank.events, 50, 53).index(), 52u);
}

TEST(LanePyramid, prefersTheEarliestOfEquals) {
    const RankTrace rank = laneOf(std::vector<TimeNs>(100, 7));
    const LanePyramid pyramid(rank.events, rank.lanes[1]);
    EXPECT_EQ(pyramid.longest(rank.events, 3, 90).index(), 3u);
}

TEST(LanePyramid, costsLessThanAByteAnEvent) {
    const RankTrace rank = laneOf(std::vector<TimeNs>(100'000, 1));
    const LanePyramid pyramid(rank.events, rank.lanes[1]);
    EXPECT_LT(pyramid.memoryBytes(), 100'000u);
}

TEST(LanePyramid, ofAnEmptyLaneIsEmpty) {
    const RankTrace rank = laneOf({});
    EXPECT_EQ(LanePyramid(rank.events, rank.lanes[1]).memoryBytes(), 0u);
}

} // namespace
} // namespace lockstep
