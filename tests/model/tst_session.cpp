#include "model/report/session.h"

#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

using namespace lockstep;
using namespace lockstep::test;

namespace {

Session sessionOn(const std::string& trace) {
    Session session;
    session.files.push_back(*sessionFile(trace));
    session.step = 7;
    session.zoomBeginNs = 1'790'857'026'000'000'123;
    session.zoomEndNs = 1'790'857'026'000'900'456;
    session.filters = {
        {0, 3}, {"attention"}, {"7"}, true, 1'790'857'026'000'000'200, 1'790'857'026'000'000'300};
    SessionView& view = session.view;
    view.selectedBeginNs = 5;
    view.selectedEndNs = 9;
    view.selectedRank = 1;
    view.selectedEvent = 77;
    view.stall = 3;
    view.steps = {1, 4};
    view.search = "a|b";
    view.medianBeside = true;
    view.foldedRanks = {1};
    view.hiddenRanks = {2};
    view.rankOrder = {3, 0};
    view.openSections = {"0 cpu"};
    view.hiddenTracks = {"stream 7"};
    view.trackOrder = {"stream 20", "stream 7"};
    view.panels = "AAAA";
    view.frontPanels = {"stalls", "steps"};
    session.clocks = {{0, 0, 0}, {1, -310.25, 0.125}};
    session.marks = {{1'790'857'026'000'000'500, "the <late> \"one\"\n\xC3\xA9"}};
    session.attribution = "wall";
    return session;
}

} // namespace

TEST(Session, ComesBackAsItWasSaved) {
    const TemporaryFolder folder;
    const Session saved = sessionOn(folder.write("traces/rank0.json", "{}"));
    ASSERT_TRUE(writeSession(saved, folder.path("run.lockstep")).has_value());
    const auto read = readSession(folder.path("run.lockstep"));
    ASSERT_TRUE(read.has_value()) << read.error().toLine();
    EXPECT_EQ(*read, saved);
    EXPECT_TRUE(problemsOf(*read).empty());
}

TEST(Session, MovesWithItsTraces) {
    const TemporaryFolder folder;
    ASSERT_TRUE(writeSession(sessionOn(folder.write("a/rank0.json", "{}")), folder.path("a/run.lockstep"))
                    .has_value());
    std::filesystem::rename(folder.path("a"), folder.path("b"));
    const auto read = readSession(folder.path("b/run.lockstep"));
    ASSERT_TRUE(read.has_value());
    EXPECT_TRUE(problemsOf(*read).empty());
}

TEST(Session, TellsMissingFromChangedFiles) {
    const TemporaryFolder folder;
    Session session = sessionOn(folder.write("rank0.json", "{}"));
    session.comparison.push_back(*sessionFile(folder.write("other.json", "[]")));
    folder.write("rank0.json", "{\"changed\":1}");
    std::filesystem::remove(folder.path("other.json"));
    const auto problems = problemsOf(session);
    ASSERT_EQ(problems.size(), 2U);
    EXPECT_FALSE(problems[0].missing);
    EXPECT_TRUE(problems[1].missing);
}

TEST(Session, RefusesWhatItDoesNotKnow) {
    const TemporaryFolder folder;
    const auto newer = readSession(
        folder.write("newer.lockstep", R"({"schema":"lockstep.session","version":2,"files":[]})"));
    ASSERT_FALSE(newer.has_value());
    EXPECT_THAT(newer.error().message, testing::HasSubstr("version 2"));
    EXPECT_FALSE(readSession(folder.write("trace.lockstep", R"({"traceEvents":[]})")).has_value());
    EXPECT_FALSE(readSession(folder.write("broken.lockstep", "{\"schema\":")).has_value());
    EXPECT_FALSE(readSession(folder.path("none.lockstep")).has_value());
}
