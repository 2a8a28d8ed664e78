#include "model/core/intervals.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TimeRange, IsHalfOpen) {
    constexpr TimeRange range{10, 20};
    EXPECT_EQ(range.length(), 10);
    EXPECT_TRUE(range.contains(10));
    EXPECT_TRUE(range.contains(19));
    EXPECT_FALSE(range.contains(20));
    EXPECT_FALSE(range.contains(9));
    EXPECT_TRUE((TimeRange{5, 5}.empty()));
    EXPECT_FALSE(range.empty());
}

TEST(TimeRange, TouchingRangesDoNotOverlap) {
    EXPECT_FALSE((TimeRange{0, 10}.overlaps({10, 20})));
    EXPECT_TRUE((TimeRange{0, 11}.overlaps({10, 20})));
    EXPECT_TRUE((TimeRange{0, 100}.overlaps({10, 20})));
}

TEST(TimeRange, IntersectionOfStrangersIsEmpty) {
    EXPECT_EQ(intersection({0, 10}, {5, 20}), (TimeRange{5, 10}));
    EXPECT_TRUE(intersection({0, 10}, {15, 20}).empty());
}

TEST(TimeRange, HullIgnoresEmptyRanges) {
    EXPECT_EQ(hull({0, 10}, {50, 60}), (TimeRange{0, 60}));
    EXPECT_EQ(hull({}, {50, 60}), (TimeRange{50, 60}));
    EXPECT_EQ(hull({50, 60}, {7, 7}), (TimeRange{50, 60}));
}

TEST(Intervals, UnionMergesOverlapsAndNeighboursInAnyOrder) {
    EXPECT_THAT(unionOf({{30, 40}, {0, 10}, {10, 20}, {5, 7}, {35, 50}}),
                ElementsAre(TimeRange{0, 20}, TimeRange{30, 50}));
}

TEST(Intervals, UnionDropsEmptyRanges) {
    EXPECT_THAT(unionOf({{5, 5}, {9, 3}}), IsEmpty());
}

TEST(Intervals, LengthAddsDisjointRanges) {
    const std::vector<TimeRange> ranges{{0, 10}, {20, 25}};
    EXPECT_EQ(lengthOf(ranges), 15);
    EXPECT_EQ(lengthOf({}), 0);
}

TEST(Intervals, DifferenceCutsHolesAndEnds) {
    const std::vector<TimeRange> a{{0, 100}, {200, 300}};
    const std::vector<TimeRange> b{{0, 10}, {20, 30}, {90, 210}, {299, 400}};
    EXPECT_THAT(difference(a, b), ElementsAre(TimeRange{10, 20}, TimeRange{30, 90}, TimeRange{210, 299}));
}

TEST(Intervals, DifferenceWithNothingIsTheSame) {
    const std::vector<TimeRange> a{{0, 100}};
    EXPECT_THAT(difference(a, {}), ElementsAre(TimeRange{0, 100}));
    EXPECT_THAT(difference({}, a), IsEmpty());
    EXPECT_THAT(difference(a, a), IsEmpty());
}

TEST(Intervals, AgreeWithCountingInstantByInstant) {
    std::mt19937 random(7);
    const auto ranges = [&] {
        std::vector<TimeRange> made;
        for (int i = 0; i < 12; ++i) {
            const TimeNs begin = std::uniform_int_distribution<TimeNs>(0, 99)(random);
            made.push_back({begin, begin + std::uniform_int_distribution<TimeNs>(0, 14)(random)});
        }
        return made;
    };
    for (int round = 0; round < 200; ++round) {
        const std::vector<TimeRange> rawA = ranges();
        const std::vector<TimeRange> rawB = ranges();
        TimeNs inA = 0;
        TimeNs onlyInA = 0;
        const auto covered = [](const std::vector<TimeRange>& list, TimeNs t) {
            return std::any_of(list.begin(), list.end(), [t](TimeRange r) {
                return r.contains(t);
            });
        };
        for (TimeNs t = 0; t < 120; ++t) {
            inA += covered(rawA, t) ? 1 : 0;
            onlyInA += covered(rawA, t) && !covered(rawB, t) ? 1 : 0;
        }
        const std::vector<TimeRange> a = unionOf(rawA);
        const std::vector<TimeRange> b = unionOf(rawB);
        EXPECT_EQ(lengthOf(a), inA);
        EXPECT_EQ(lengthOf(difference(a, b)), onlyInA);
    }
}

} // namespace
} // namespace lockstep
