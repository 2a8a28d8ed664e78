#include "model/layout/visiblespans.h"

#include "tests/support/handmaderank.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

namespace lockstep {
namespace {

/// "left-right name" a span, with the number of events where it stands for several.
std::string drawn(const RankTrace& rank, std::size_t lane, TimeRange range, int width) {
    const LanePyramid pyramid(rank.events, rank.lanes[lane]);
    std::vector<Span> spans;
    visibleSpans(rank.events, rank.lanes[lane], pyramid, range, width, spans);
    std::string text;
    for (const Span& span : spans)
        text += fmt::format("{}{}-{} {}{}", text.empty() ? "" : " | ", span.left, span.right,
                            rank.name(span.event), span.count > 1 ? fmt::format(" x{}", span.count) : "");
    return text;
}

RankTrace threeKernels() {
    test::HandmadeRank rank(0);
    rank.track(TrackKind::GpuStream, "7").kernel("a", 0, 100).kernel("b", 200, 50).kernel("c", 250, 150);
    return rank.build();
}

TEST(VisibleSpans, drawEachEventWhereItIsWide) {
    EXPECT_EQ(drawn(threeKernels(), 0, {0, 400}, 40), "0-10 a | 20-25 b | 25-40 c");
}

TEST(VisibleSpans, cutEventsAtBothEdges) {
    EXPECT_EQ(drawn(threeKernels(), 0, {50, 300}, 25), "0-5 a | 15-20 b | 20-25 c");
}

TEST(VisibleSpans, leaveOutWhatTouchesTheRangeOnly) {
    EXPECT_EQ(drawn(threeKernels(), 0, {100, 200}, 10), "");
    EXPECT_EQ(drawn(threeKernels(), 0, {400, 500}, 10), "");
}

TEST(VisibleSpans, fillTheWidthFromInsideOneEvent) {
    EXPECT_EQ(drawn(threeKernels(), 0, {260, 262}, 1000), "0-1000 c");
}

TEST(VisibleSpans, mergeWhatIsNarrowerThanAPixelAndKeepTheLongest) {
    test::HandmadeRank rank(0);
    rank.track(TrackKind::GpuStream, "7");
    for (int i = 0; i < 100; ++i)
        rank.kernel(i == 57 ? "long" : "short", i * 10, i == 57 ? 9 : 2);
    EXPECT_EQ(drawn(rank.build(), 0, {0, 1000}, 4),
              "0-1 short x25 | 1-2 short x25 | 2-3 long x25 | 3-4 short x25");
}

TEST(VisibleSpans, keepAWideEventThatBeginsInAMergedColumn) {
    test::HandmadeRank rank(0);
    rank.track(TrackKind::GpuStream, "7")
        .kernel("s1", 0, 1)
        .kernel("s2", 2, 1)
        .kernel("wide", 5, 95)
        .kernel("s3", 101, 1);
    EXPECT_EQ(drawn(rank.build(), 0, {0, 200}, 20), "0-1 s1 x2 | 1-10 wide | 10-11 s3");
}

TEST(VisibleSpans, neverLoseADominantEventOfExactlyOnePixel) {
    test::HandmadeRank rank(0);
    rank.track(TrackKind::GpuStream, "7").kernel("s1", 0, 1).kernel("dominant", 5, 10).kernel("s2", 21, 1);
    EXPECT_EQ(drawn(rank.build(), 0, {0, 200}, 20), "0-1 dominant x2 | 2-3 s2");
}

TEST(VisibleSpans, showMomentsAsOnePixel) {
    test::HandmadeRank rank(0);
    rank.track(TrackKind::Instants, "i").event(EventKind::Instant, "now", 50, 0);
    EXPECT_EQ(drawn(rank.build(), 0, {0, 100}, 100), "50-51 now");
}

TEST(VisibleSpans, ofNothingAreNone) {
    EXPECT_EQ(drawn(threeKernels(), 0, {0, 400}, 0), "");
    EXPECT_EQ(drawn(threeKernels(), 0, {5, 5}, 10), "");
}

TEST(VisibleSpans, holdTimesSinceTheUnixEpochToTheNanosecond) {
    const TimeNs base = 1'790'857'026'000'000'000 + 5'111'906'969'718'687;
    test::HandmadeRank rank(0);
    rank.track(TrackKind::GpuStream, "7").kernel("a", base, 10).kernel("b", base + 11, 10);
    EXPECT_EQ(drawn(rank.build(), 0, {base, base + 21}, 210), "0-100 a | 110-210 b");
}

TEST(VisibleSpans, neverOverlapAndCountEveryEventOnce) {
    std::mt19937 random(11);
    for (int round = 0; round < 200; ++round) {
        test::HandmadeRank rank(0);
        rank.track(TrackKind::GpuStream, "7");
        TimeNs at = 0;
        const int count = 400;
        for (int i = 0; i < count; ++i) {
            const auto duration = static_cast<TimeNs>(random() % (random() % 10 == 0 ? 500 : 8));
            rank.kernel("k", at, duration);
            at += duration + static_cast<TimeNs>(random() % 5);
        }
        const RankTrace trace = rank.build();
        const LanePyramid pyramid(trace.events, trace.lanes[0]);
        std::vector<Span> spans;
        visibleSpans(trace.events, trace.lanes[0], pyramid, {0, at + 1}, 1 + static_cast<int>(random() % 300),
                     spans);
        std::size_t events = 0;
        int right = 0;
        for (const Span& span : spans) {
            ASSERT_LE(right, span.left);
            ASSERT_LT(span.left, span.right);
            right = span.right;
            events += span.count;
        }
        ASSERT_EQ(events, static_cast<std::size_t>(count));
    }
}

TEST(SpanAt, findsTheSpanUnderAPixel) {
    const RankTrace rank = threeKernels();
    std::vector<Span> spans;
    visibleSpans(rank.events, rank.lanes[0], LanePyramid(rank.events, rank.lanes[0]), {0, 400}, 40, spans);
    EXPECT_EQ(spanAt(spans, 9)->event, EventId{0u});
    EXPECT_EQ(spanAt(spans, 25)->event, EventId{2u});
    EXPECT_EQ(spanAt(spans, 15), nullptr);
}

TEST(SpanAt, takesTheNearestWithinTheSlop) {
    const RankTrace rank = threeKernels();
    std::vector<Span> spans;
    visibleSpans(rank.events, rank.lanes[0], LanePyramid(rank.events, rank.lanes[0]), {0, 400}, 40, spans);
    EXPECT_EQ(spanAt(spans, 18, 3)->event, EventId{1u});
    EXPECT_EQ(spanAt(spans, 11, 3)->event, EventId{0u});
    EXPECT_EQ(spanAt(spans, 15, 3), nullptr);
    EXPECT_EQ(spanAt({}, 15, 3), nullptr);
}

} // namespace
} // namespace lockstep
