#include "model/trace/eventstore.h"

#include "model/trace/importreport.h"
#include "model/trace/rank.h"
#include "model/trace/track.h"

#include <array>

#include <gtest/gtest.h>

namespace lockstep {
namespace {

Event kernelAt(TimeNs begin, TimeNs duration) {
    Event event;
    event.begin = begin;
    event.duration = duration;
    event.name = StringId{3u};
    event.category = StringId{1u};
    event.lane = LaneId{2u};
    event.kind = EventKind::Kernel;
    event.correlation = 77;
    event.externalId = 99;
    event.byteOffset = 123'456'789'012;
    return event;
}

TEST(EventStore, GivesBackEveryFieldOfAnEvent) {
    EventStore store;
    const EventId id = store.append(kernelAt(1'790'857'026'000'000'001, 17));
    EXPECT_EQ(store.size(), 1u);
    EXPECT_EQ(store.begin(id), 1'790'857'026'000'000'001);
    EXPECT_EQ(store.duration(id), 17);
    EXPECT_EQ(store.end(id), 1'790'857'026'000'000'018);
    EXPECT_EQ(store.name(id), StringId{3u});
    EXPECT_EQ(store.category(id), StringId{1u});
    EXPECT_EQ(store.lane(id), LaneId{2u});
    EXPECT_EQ(store.kind(id), EventKind::Kernel);
    EXPECT_EQ(store.correlation(id), 77u);
    EXPECT_EQ(store.externalId(id), 99u);
    EXPECT_EQ(store.byteOffset(id), 123'456'789'012u);
}

TEST(EventStore, ReassemblesTheWholeEvent) {
    EventStore store;
    const Event in = kernelAt(5, 6);
    const Event out = store.event(store.append(in));
    EXPECT_EQ(out.begin, in.begin);
    EXPECT_EQ(out.duration, in.duration);
    EXPECT_EQ(out.kind, in.kind);
    EXPECT_EQ(out.category, in.category);
    EXPECT_EQ(out.byteOffset, in.byteOffset);
    EXPECT_EQ(out.correlation, in.correlation);
}

TEST(EventStore, KeepsAMissingCategoryApartFromTheFirst) {
    EventStore store;
    Event event = kernelAt(0, 1);
    const EventId with = store.append(event);
    event.category = {};
    const EventId without = store.append(event);
    EXPECT_TRUE(store.category(with).valid());
    EXPECT_FALSE(store.category(without).valid());
}

TEST(EventStore, SurvivesMoreCategoriesThanItKeepsApart) {
    EventStore store;
    Event event = kernelAt(0, 1);
    for (std::uint32_t i = 0; i < 66'000; ++i) {
        event.category = StringId{i};
        store.append(event);
    }
    EXPECT_EQ(store.category(EventId{65'000u}), StringId{65'000u});
    EXPECT_FALSE(store.category(EventId{65'999u}).valid());
    EXPECT_EQ(store.kind(EventId{65'999u}), EventKind::Kernel);
}

TEST(EventStore, LimitsAByteOffsetWithoutTouchingTheKind) {
    EventStore store;
    Event event = kernelAt(0, 1);
    event.byteOffset = ~0ull;
    event.kind = EventKind::Other;
    const EventId id = store.append(event);
    EXPECT_EQ(store.byteOffset(id), EventStore::kMaxOffset);
    EXPECT_EQ(store.kind(id), EventKind::Other);
    EXPECT_EQ(store.category(id), StringId{1u});
}

TEST(EventStore, RenamesNamesAndCategories) {
    EventStore store;
    const EventId id = store.append(kernelAt(0, 1));
    Event nameless = kernelAt(0, 1);
    nameless.name = {};
    const EventId second = store.append(nameless);
    const std::array<StringId, 4> to{StringId{10u}, StringId{11u}, StringId{12u}, StringId{13u}};
    store.renameStrings(to);
    EXPECT_EQ(store.name(id), StringId{13u});
    EXPECT_EQ(store.category(id), StringId{11u});
    EXPECT_FALSE(store.name(second).valid());
}

TEST(EventStore, NeedsFortyBytesAnEvent) {
    EventStore store;
    store.reserve(1000);
    for (TimeNs i = 0; i < 1000; ++i)
        store.append(kernelAt(i, 1));
    EXPECT_EQ(store.memoryBytes(), 40'000u);
}

TEST(EventKind, KnowsTheSpellingsOfAllYearsAndVendors) {
    EXPECT_EQ(kindOfCategory("kernel"), EventKind::Kernel);
    EXPECT_EQ(kindOfCategory("Kernel"), EventKind::Kernel);
    EXPECT_EQ(kindOfCategory("Memcpy"), EventKind::Memcpy);
    EXPECT_EQ(kindOfCategory("gpu_memset"), EventKind::Memset);
    EXPECT_EQ(kindOfCategory("Operator"), EventKind::CpuOp);
    EXPECT_EQ(kindOfCategory("hip_runtime"), EventKind::Runtime);
    EXPECT_EQ(kindOfCategory("cuda_driver"), EventKind::Driver);
    EXPECT_EQ(kindOfCategory("gpu_user_annotation"), EventKind::GpuAnnotation);
    EXPECT_EQ(kindOfCategory("no such thing"), EventKind::Other);
    EXPECT_EQ(kindOfCategory(""), EventKind::Other);
}

TEST(EventKind, AnnotationsAreNoActivity) {
    EXPECT_TRUE(isGpuActivity(EventKind::Kernel));
    EXPECT_TRUE(isGpuActivity(EventKind::Memcpy));
    EXPECT_TRUE(isGpuActivity(EventKind::Memset));
    EXPECT_FALSE(isGpuActivity(EventKind::GpuAnnotation));
    EXPECT_FALSE(isGpuActivity(EventKind::Runtime));
    EXPECT_TRUE(isLaunchCall(EventKind::Driver));
    EXPECT_FALSE(isLaunchCall(EventKind::CpuOp));
}

TEST(ImportReport, CountsEachKindOfDamageAndKeepsItsFirstPlace) {
    ImportReport report;
    report.warn("event_skipped", "An event could not be read.", 100);
    report.warn("event_skipped", "Another.", 200);
    report.warn("repaired", "A quote was added.");
    ASSERT_EQ(report.warnings.size(), 2u);
    EXPECT_EQ(report.warnings[0].count, 2u);
    EXPECT_EQ(report.warnings[0].offset, 100u);
    EXPECT_EQ(report.warnings[0].message, "An event could not be read.");
    EXPECT_FALSE(report.warnings[1].offset.has_value());
}

TEST(ImportReport, IsDamagedByACutAndBySkippedOrRepairedEvents) {
    ImportReport report;
    report.warn("flow_unbound", "An arrow has no end.");
    EXPECT_FALSE(report.damaged());
    report.skipped = 1;
    EXPECT_TRUE(report.damaged());
    report.skipped = 0;
    report.repaired = 1;
    EXPECT_TRUE(report.damaged());
    report.repaired = 0;
    report.truncated = true;
    EXPECT_TRUE(report.damaged());
}

TEST(Track, IsLabelledByItsThreadElseByKindAndNumber) {
    Track track;
    track.pid = "1000";
    track.tid = "7";
    track.kind = TrackKind::CpuThread;
    EXPECT_EQ(track.label(), "thread 7");
    track.threadName = "thread 7 (python3)";
    EXPECT_EQ(track.label(), "thread 7 (python3)");
    track.kind = TrackKind::GpuStream;
    EXPECT_EQ(track.label(), "stream 7");
}

/// One rank with one stream's track and lane, to which events are appended.
RankTrace emptyRank() {
    RankTrace rank;
    rank.strings = std::make_shared<StringPool>();
    Track stream;
    stream.kind = TrackKind::GpuStream;
    stream.pid = "0";
    stream.tid = "7";
    stream.firstLane = LaneId{0u};
    stream.laneCount = 1;
    rank.tracks.push_back(stream);
    Lane lane;
    lane.track = TrackId{0u};
    lane.first = EventId{0u};
    rank.lanes.push_back(lane);
    return rank;
}

Event inLane(EventKind kind, TimeNs begin, TimeNs duration) {
    Event event;
    event.kind = kind;
    event.begin = begin;
    event.duration = duration;
    event.lane = LaneId{0u};
    return event;
}

TEST(RankTrace, SpansItsGpuActivitiesNotItsCpuEvents) {
    RankTrace rank = emptyRank();
    rank.events.append(inLane(EventKind::CpuOp, 10, 1000));
    rank.events.append(inLane(EventKind::Kernel, 100, 50));
    rank.events.append(inLane(EventKind::Memcpy, 300, 25));
    EXPECT_EQ(rank.span(), (TimeRange{100, 325}));
}

TEST(RankTrace, SpansAllEventsWhereThereIsNoGpuActivity) {
    RankTrace rank = emptyRank();
    rank.events.append(inLane(EventKind::CpuOp, 10, 1000));
    EXPECT_EQ(rank.span(), (TimeRange{10, 1010}));
    EXPECT_TRUE(emptyRank().span().empty());
}

TEST(RankTrace, DoesNotStretchItsSpanToBrokenTimesOfZero) {
    RankTrace rank = emptyRank();
    rank.header.baseTimeNs = 1000;
    rank.events.append(inLane(EventKind::Kernel, 1000, 0));
    rank.events.append(inLane(EventKind::Kernel, 900'000, 50));
    EXPECT_EQ(rank.span(), (TimeRange{900'000, 900'050}));
}

TEST(RankTrace, TakesAStreamFromTheArgumentElseFromTheTrack) {
    RankTrace rank = emptyRank();
    const EventId with = rank.events.append(inLane(EventKind::Kernel, 0, 1));
    const EventId without = rank.events.append(inLane(EventKind::Kernel, 2, 1));
    GpuArguments arguments;
    arguments.event = with;
    arguments.stream = 20;
    rank.arguments.gpu.push_back(arguments);
    EXPECT_EQ(rank.streamOf(with), 20);
    EXPECT_EQ(rank.streamOf(without), 7);
    rank.tracks[0].tid = "stream seven";
    EXPECT_EQ(rank.streamOf(without), -1);
}

TEST(RankTrace, NamesTheDeviceThatMostKernelsRanOn) {
    RankTrace rank = emptyRank();
    rank.header.devices.resize(2);
    rank.header.devices[0].name = "NVIDIA H100";
    rank.header.devices[1].id = 1;
    rank.header.devices[1].name = "NVIDIA H200";
    EXPECT_EQ(rank.deviceName(), "");
    for (const int device : {1, 0, 1}) {
        GpuArguments arguments;
        arguments.event = rank.events.append(inLane(EventKind::Kernel, 0, 1));
        arguments.device = device;
        rank.arguments.gpu.push_back(arguments);
    }
    EXPECT_EQ(rank.deviceName(), "NVIDIA H200");
}

TEST(RankTrace, ListsGpuActivitiesByBegin) {
    RankTrace rank = emptyRank();
    rank.events.append(inLane(EventKind::Kernel, 300, 1));
    rank.events.append(inLane(EventKind::CpuOp, 0, 1));
    rank.events.append(inLane(EventKind::Memset, 100, 1));
    const std::vector<EventId> expected{EventId{2u}, EventId{0u}};
    EXPECT_EQ(rank.gpuActivities(), expected);
}

} // namespace
} // namespace lockstep
