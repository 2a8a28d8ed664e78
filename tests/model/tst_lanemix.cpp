#include "model/layout/lanemix.h"

#include "tests/support/handmaderank.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace lockstep;

namespace {

constexpr std::uint8_t kWaiting = 8;

/// A lane of `count` events of 100, 101 … ns whose classes go round 0, 1, 2; every fifth waits half its time.
struct Stage {
    RankTrace trace;
    std::vector<EventClass> classes;
    LaneMix mix;

    explicit Stage(std::size_t count) {
        test::HandmadeRank rank(0);
        rank.track(TrackKind::GpuStream, "7");
        for (std::size_t i = 0; i < count; ++i) {
            rank.kernel("k", static_cast<TimeNs>(i) * 1'000, 100 + static_cast<TimeNs>(i));
            classes.push_back(
                {static_cast<std::uint8_t>(i % 3), static_cast<std::uint8_t>(i % 5 == 0 ? 127 : 0)});
        }
        trace = rank.build();
        mix = LaneMix(trace.events, trace.lanes[0], classes, kWaiting);
    }
    [[nodiscard]] LaneMix::Times oneByOne(std::size_t first, std::size_t last) const {
        LaneMix::Times times{};
        for (std::size_t i = first; i < last; ++i) {
            const TimeNs duration = trace.events.durations()[i];
            const TimeNs waiting = duration * classes[i].waiting / 255;
            times[classes[i].own] += duration - waiting;
            times[kWaiting] += waiting;
        }
        return times;
    }
};

} // namespace

TEST(LaneMix, AddsUpAnyStretchAsIfEventByEvent) {
    for (const std::size_t count : {1u, 15u, 16u, 17u, 64u, 100u}) {
        const Stage stage(count);
        for (std::size_t first = 0; first < count; ++first)
            for (std::size_t last = first; last <= count; ++last)
                ASSERT_EQ(stage.mix.timesOf(stage.trace.events, stage.classes, first, last),
                          stage.oneByOne(first, last))
                    << count << " events, " << first << " to " << last;
    }
}

TEST(LaneMix, LosesNoTimeToTheSplit) {
    const Stage stage(50);
    const LaneMix::Times times = stage.mix.timesOf(stage.trace.events, stage.classes, 0, 50);
    EXPECT_EQ(std::accumulate(times.begin(), times.end(), TimeNs{0}), 50 * 100 + 49 * 50 / 2);
    EXPECT_GT(times[kWaiting], 0);
}

TEST(LaneMix, BandsFillTheHeightByShare) {
    LaneMix::Times times{};
    times[0] = 1;
    times[3] = 1;
    times[5] = 1;
    const auto bands = bandsOf(times, 20);
    EXPECT_EQ(std::accumulate(bands.begin(), bands.end(), 0), 20);
    for (const std::size_t c : {0u, 3u, 5u}) {
        EXPECT_GE(bands[c], 6);
        EXPECT_LE(bands[c], 7);
    }
    EXPECT_EQ(bands[1], 0);
}

TEST(LaneMix, NoTimeHasNoBands) {
    const auto bands = bandsOf({}, 20);
    EXPECT_EQ(std::accumulate(bands.begin(), bands.end(), 0), 0);
}
