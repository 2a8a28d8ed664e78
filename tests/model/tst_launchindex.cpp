#include "model/trace/launchindex.h"

#include "model/trace/arguments.h"
#include "model/trace/eventstore.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class LaunchIndexTest : public ::testing::Test {
protected:
    EventId add(EventKind kind, TimeNs begin, TimeNs duration, std::uint32_t correlation,
                std::uint32_t externalId) {
        Event event;
        event.kind = kind;
        event.begin = begin;
        event.duration = duration;
        event.correlation = correlation;
        event.externalId = externalId;
        return events.append(event);
    }

    EventStore events;
};

TEST_F(LaunchIndexTest, JoinsAKernelToItsLaunchByCorrelation) {
    const EventId other = add(EventKind::Runtime, 0, 5, 11, 0);
    const EventId launch = add(EventKind::Runtime, 10, 5, 12, 0);
    const EventId kernel = add(EventKind::Kernel, 100, 50, 12, 0);
    const LaunchIndex index(events);
    EXPECT_EQ(index.launchOf(events, kernel), launch);
    EXPECT_THAT(index.activitiesOf(12), ElementsAre(kernel));
    EXPECT_THAT(index.activitiesOf(11), IsEmpty());
    EXPECT_NE(other, launch);
}

TEST_F(LaunchIndexTest, KnowsDriverLaunches) {
    const EventId launch = add(EventKind::Driver, 10, 5, 12, 0);
    const EventId kernel = add(EventKind::Kernel, 100, 50, 12, 0);
    EXPECT_EQ(LaunchIndex(events).launchOf(events, kernel), launch);
}

TEST_F(LaunchIndexTest, ListsAllKernelsOfAGraphLaunchInOrderOfBegin) {
    add(EventKind::Runtime, 0, 5, 7, 0);
    const EventId late = add(EventKind::Kernel, 300, 1, 7, 0);
    const EventId early = add(EventKind::Kernel, 100, 1, 7, 0);
    const EventId copy = add(EventKind::Memcpy, 200, 1, 7, 0);
    EXPECT_THAT(LaunchIndex(events).activitiesOf(7), ElementsAre(early, copy, late));
}

TEST_F(LaunchIndexTest, FindsTheInnermostCpuOpByExternalId) {
    add(EventKind::Annotation, 0, 100, 0, 5);
    const EventId op = add(EventKind::CpuOp, 10, 20, 0, 5);
    const EventId kernel = add(EventKind::Kernel, 100, 50, 12, 5);
    EXPECT_EQ(LaunchIndex(events).cpuOpOf(events, kernel), op);
}

TEST_F(LaunchIndexTest, FindsTheCpuOpThroughTheLaunchWhereTheKernelNamesNone) {
    const EventId op = add(EventKind::CpuOp, 10, 20, 0, 5);
    add(EventKind::Runtime, 12, 2, 12, 5);
    const EventId kernel = add(EventKind::Kernel, 100, 50, 12, 0);
    EXPECT_EQ(LaunchIndex(events).cpuOpOf(events, kernel), op);
}

TEST_F(LaunchIndexTest, DoesNotJoinEventsWithoutNumbers) {
    add(EventKind::Runtime, 0, 5, 0, 0);
    add(EventKind::CpuOp, 0, 5, 0, 0);
    const EventId kernel = add(EventKind::Kernel, 100, 50, 0, 0);
    const EventId lost = add(EventKind::Kernel, 200, 50, 404, 404);
    const LaunchIndex index(events);
    EXPECT_FALSE(index.launchOf(events, kernel).valid());
    EXPECT_FALSE(index.cpuOpOf(events, kernel).valid());
    EXPECT_FALSE(index.launchOf(events, lost).valid());
    EXPECT_FALSE(index.cpuOpOf(events, lost).valid());
    EXPECT_THAT(index.activitiesOf(0), IsEmpty());
}

TEST_F(LaunchIndexTest, IsEmptyWithoutEvents) {
    const LaunchIndex index(events);
    EXPECT_THAT(index.activitiesOf(1), IsEmpty());
}

TEST(Arguments, AreFoundByEventAndMissingOnesAreNull) {
    Arguments arguments;
    for (const std::uint32_t event : {2u, 5u, 9u}) {
        GpuArguments gpu;
        gpu.event = EventId{event};
        gpu.stream = 10 + event;
        arguments.gpu.push_back(gpu);
    }
    CollectiveArguments collective;
    collective.event = EventId{5u};
    collective.sequence = 42;
    arguments.collectives.push_back(collective);
    ASSERT_NE(arguments.gpuOf(EventId{5u}), nullptr);
    EXPECT_EQ(arguments.gpuOf(EventId{5u})->stream, 15);
    EXPECT_EQ(arguments.gpuOf(EventId{4u}), nullptr);
    EXPECT_EQ(arguments.gpuOf(EventId{10u}), nullptr);
    EXPECT_EQ(arguments.cpuOpOf(EventId{5u}), nullptr);
    ASSERT_NE(arguments.collectiveOf(EventId{5u}), nullptr);
    EXPECT_EQ(arguments.collectiveOf(EventId{5u})->sequence, 42);
}

} // namespace
} // namespace lockstep
