#include "model/report/session.h"
#include "tests/support/process.h"
#include "tests/support/runbuilder.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace lockstep;
using namespace lockstep::test;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

namespace {

Finished run(std::vector<std::string> arguments) {
    return runProgram(LOCKSTEP_CLI, std::move(arguments));
}

std::string fileText(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

/// Two ranks with kernels whose names try to be something else.
std::vector<std::string> hostileRun(const TemporaryFolder& folder) {
    RunBuilder builder(2);
    for (int step = 0; step < 4; ++step)
        builder.step(step)
            .compute("=cmd|' /C calc'!A0", 20us)
            .compute("<script>alert(\"1\")</script> & more", 30us)
            .allReduce({{step % 2, 40us}})
            .compute("line\nbreak <b>", 10us);
    return builder.writeTo(folder);
}

std::vector<std::string> with(std::vector<std::string> first, const std::vector<std::string>& more) {
    first.insert(first.end(), more.begin(), more.end());
    return first;
}

/// Whether xmllint takes the file; true where it is not installed.
bool isXml(const std::string& path) {
    if (!std::filesystem::exists("/usr/bin/xmllint"))
        return true;
    return runProgram("/usr/bin/xmllint", {"--noout", path}).status == 0;
}

} // namespace

TEST(CliExport, DrawsEveryViewAsSvgAndTablesOfItAreText) {
    const TemporaryFolder folder;
    const auto files = hostileRun(folder);
    for (const char* view : {"timeline", "breakdown", "stalls", "steps", "heatmap"}) {
        for (const char* ending : {"svg", "csv", "md", "json", "tex"}) {
            const std::string out = folder.path(std::string(view) + "." + ending);
            const auto done = run(with({"export", "--view", view, "-o", out}, files));
            ASSERT_EQ(done.status, 0) << view << ending << done.err;
            // In CSV, JSON and LaTeX "<" is text like any other.
            if (std::string_view(ending) == "svg" || std::string_view(ending) == "md") {
                EXPECT_THAT(fileText(out), Not(HasSubstr("<script")));
            }
        }
        EXPECT_TRUE(isXml(folder.path(std::string(view) + ".svg"))) << view;
        EXPECT_THAT(fileText(folder.path(std::string(view) + ".svg")), HasSubstr("sha256 "));
    }
    const json table = json::parse(fileText(folder.path("timeline.json")));
    EXPECT_EQ(table["rows"].size(), 8U);
    EXPECT_THAT(fileText(folder.path("timeline.csv")), HasSubstr("\"'=cmd|"));
}

TEST(CliExport, ProjectsAndSaysWhatItCannotProject) {
    const TemporaryFolder folder;
    const auto files = hostileRun(folder);
    const auto with19 = run(with(
        {"export", "--view", "whatif", "--replace", "allreduce=alltoall@19us", "-o", folder.path("w.svg")},
        files));
    ASSERT_EQ(with19.status, 0) << with19.err;
    EXPECT_THAT(fileText(folder.path("w.svg")), HasSubstr("become all-to-alls"));
    const auto unknown = run(
        with({"export", "--view", "whatif", "--replace", "nothing=alltoall@19us", "-o", folder.path("x.svg")},
             files));
    EXPECT_NE(unknown.status, 0);
    EXPECT_FALSE(std::filesystem::exists(folder.path("x.svg")));
    EXPECT_EQ(run(with({"export", "--view", "kernels", "-o", folder.path("k.png")}, files)).status, 2);
    EXPECT_EQ(run(with({"export", "--view", "kernels", "-o", folder.path("k.csv")}, files)).status, 0);
    EXPECT_EQ(run(with({"export", "--view", "timeline-shown", "-o", folder.path("t.svg")}, files)).status, 2);
}

TEST(CliExport, LeavesNoPieceOfAFileThatCannotBeWritten) {
    const TemporaryFolder folder;
    const auto files = hostileRun(folder);
    folder.write("there/kept.svg", "kept");
    const auto done =
        run(with({"export", "--view", "steps", "-o", folder.path("nowhere/at/all.svg")}, files));
    EXPECT_EQ(done.status, 1);
    EXPECT_THAT(done.err, HasSubstr("No such file or directory"));
    EXPECT_EQ(run(with({"export", "--view", "steps", "-o", folder.path("there/kept.svg")}, files)).status, 0);
    std::size_t entries = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path("there"))) {
        ++entries;
        EXPECT_EQ(entry.path().filename(), "kept.svg");
    }
    EXPECT_EQ(entries, 1U);
}

TEST(CliExport, ComparesTwoRunsAndKeepsToTheSize) {
    const TemporaryFolder folder;
    const auto files = hostileRun(folder);
    const TemporaryFolder other;
    const auto second = hostileRun(other);
    const std::string out = folder.path("two.svg");
    const auto done =
        run(with(with({"export", "--view", "comparison", "--size", "800x500", "-o", out}, files),
                 with({"--compare"}, second)));
    ASSERT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(fileText(out), HasSubstr("width=\"800\" height=\"500\""));
    EXPECT_EQ(run(with({"export", "--view", "comparison", "-o", out}, files)).status, 2);
}

TEST(CliExport, BadUsageIsStatusTwoWithASentence) {
    const TemporaryFolder folder;
    const auto files = hostileRun(folder);
    EXPECT_EQ(run(with({"export", "--view", "steps", "-o", folder.path("x.doc")}, files)).status, 2);
    EXPECT_EQ(run(with({"export", "--view", "moods", "-o", folder.path("x.svg")}, files)).status, 2);
    EXPECT_EQ(
        run(with({"export", "--view", "steps", "--size", "big", "-o", folder.path("x.svg")}, files)).status,
        2);
    const auto step =
        run(with({"export", "--view", "steps", "--step", "99", "-o", folder.path("x.svg")}, files));
    EXPECT_EQ(step.status, 2);
    EXPECT_THAT(step.err, HasSubstr("this run has 4 steps"));
}

TEST(CliReport, IsOnePageThatNeedsNothingElse) {
    const TemporaryFolder folder;
    const auto files = hostileRun(folder);
    const auto done = run(with({"report", "-o", folder.path("report")}, files));
    ASSERT_EQ(done.status, 0) << done.err;
    const std::string html = fileText(folder.path("report/index.html"));
    EXPECT_THAT(html, HasSubstr("Findings"));
    EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert"));
    for (const char* outside : {"<script", "src=", "href=", "url(", "@import"})
        EXPECT_THAT(html, Not(HasSubstr(outside)));
    EXPECT_TRUE(isXml(folder.path("report/index.html")));
    EXPECT_EQ(json::parse(fileText(folder.path("report/analysis.json")))["schema"], "lockstep.analysis/1");
    EXPECT_TRUE(std::filesystem::exists(folder.path("report/charts/timeline.svg")));
    EXPECT_TRUE(std::filesystem::exists(folder.path("report/tables/kernels.csv")));
}

TEST(CliReport, NeverEmptiesAFolder) {
    const TemporaryFolder folder;
    const auto files = hostileRun(folder);
    folder.write("report/mine.txt", "mine");
    const auto refused = run(with({"report", "-o", folder.path("report")}, files));
    EXPECT_EQ(refused.status, 2);
    EXPECT_EQ(fileText(folder.path("report/mine.txt")), "mine");
    EXPECT_EQ(run({"report", folder.path("nothing"), "-o", folder.path("other")}).status, 1);
    EXPECT_FALSE(std::filesystem::exists(folder.path("other")));
}

TEST(CliMerge, GivesARunThatInfoAndAnalyzeRead) {
    const TemporaryFolder folder;
    const auto files = hostileRun(folder);
    const std::string out = folder.path("out.json.gz");
    const auto merged = run(with({"merge", "-o", out}, files));
    ASSERT_EQ(merged.status, 0) << merged.err;
    EXPECT_THAT(merged.out, HasSubstr("2 ranks"));
    const auto before = run(with({"analyze", "--json", "-"}, files));
    const auto after = run({"analyze", "--json", "-", out});
    ASSERT_EQ(after.status, 0) << after.err;
    EXPECT_EQ(json::parse(before.out)["stalls"], json::parse(after.out)["stalls"]);
    EXPECT_EQ(json::parse(before.out)["alignment"], json::parse(after.out)["alignment"]);
}

TEST(CliSession, StandsForItsFilesUntilTheyChange) {
    const TemporaryFolder folder;
    const auto files = hostileRun(folder);
    Session session;
    for (const std::string& file : files)
        session.files.push_back(*sessionFile(file));
    session.marks.push_back({0, "look <here>"});
    const std::string path = folder.path("run.lockstep");
    ASSERT_TRUE(writeSession(session, path).has_value());
    const auto read = run({"analyze", "--json", "-", path});
    ASSERT_EQ(read.status, 0) << read.err;
    EXPECT_EQ(json::parse(read.out)["run"]["ranks"].size(), 2U);
    ASSERT_EQ(run({"report", path, "-o", folder.path("report")}).status, 0);
    EXPECT_THAT(fileText(folder.path("report/index.html")), HasSubstr("look &lt;here&gt;"));
    std::ofstream(files[0], std::ios::app) << " ";
    const auto changed = run({"analyze", path});
    EXPECT_EQ(changed.status, 1);
    EXPECT_THAT(changed.err, HasSubstr("has changed since session"));
}
