// The views that are exported: what they say of where their numbers come from, what they are narrowed to, and
// that nothing lies outside the picture.
#include "model/report/reportviews.h"

#include "model/analysis/timetext.h"
#include "model/core/sha256.h"
#include "model/report/viewtables.h"
#include "model/report/whatifview.h"
#include "model/run/runloader.h"

#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>

using namespace lockstep;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string capture(int rank) {
    return std::string(LOCKSTEP_TEST_DATA) + "/kimi-graph-4steps-rank" + std::to_string(rank) +
           ".pt.trace.json.gz";
}

std::shared_ptr<const RunAnalysis> analysisOf(const std::vector<std::string>& files) {
    return analyseRun(loadRun(files).value());
}

std::shared_ptr<const ReportSubject> subjectOf(const ReportScope& scope = {}, int ranks = 2) {
    std::vector<std::string> files;
    for (int rank = 0; rank < ranks; ++rank)
        files.push_back(capture(rank));
    return std::make_shared<const ReportSubject>(reportSubject(analysisOf(files), scope).value());
}

std::string figure(const std::vector<ReportView>& views, std::string_view id, double width = 1200) {
    FigureSize size;
    size.width = width;
    for (const ReportView& view : views)
        if (view.id == id)
            return view.figure(size);
    return {};
}

/// The numbers of an attribute in an SVG text.
std::vector<double> numbersOf(const std::string& svg, const std::string& attribute) {
    std::vector<double> numbers;
    const std::regex pattern(" " + attribute + "=\"([-0-9.]+)\"");
    for (auto at = std::sregex_iterator(svg.begin(), svg.end(), pattern); at != std::sregex_iterator(); ++at)
        numbers.push_back(std::atof((*at)[1].str().c_str()));
    return numbers;
}

std::size_t countOf(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

} // namespace

TEST(ReportViews, SayWhereTheirNumbersComeFrom) {
    const auto subject = subjectOf();
    const std::string hash = sha256OfFile(capture(0));
    for (const ReportView& view : reportViews({subject, nullptr, {}, {}})) {
        const ReportTable table = view.table();
        std::string notes;
        for (const std::string& note : table.notes)
            notes += note + "\n";
        EXPECT_THAT(notes, HasSubstr("kimi-graph-4steps-rank0.pt.trace.json.gz sha256 " + hash)) << view.id;
        EXPECT_THAT(notes, HasSubstr("Lockstep ")) << view.id;
        if (!view.figure)
            continue;
        const std::string svg = view.figure({});
        EXPECT_THAT(svg, HasSubstr("sha256 " + hash.substr(0, 16) + "…")) << view.id;
        EXPECT_THAT(svg, HasSubstr("categories built-in ")) << view.id;
    }
    const auto views = reportViews({subject, nullptr, {}, {}});
    EXPECT_THAT(figure(views, "breakdown"), HasSubstr("attribution sum"));
    EXPECT_THAT(figure(views, "breakdown-wall"), HasSubstr("attribution wall"));
    EXPECT_THAT(figure(views, "timeline"), HasSubstr("the typical one of median length"));
}

TEST(ReportViews, NothingLiesOutsideThePicture) {
    const auto subject = subjectOf();
    const auto projected =
        std::make_shared<const WhatIfResult>(projectSubject(*subject, expertParallelInputs()).value());
    for (const double width : {480.0, 700.0, 1200.0, 2400.0})
        for (const ReportView& view : reportViews({subject, subject, {}, projected})) {
            if (!view.figure)
                continue;
            FigureSize size;
            size.width = width;
            const std::string svg = view.figure(size);
            for (const double x : numbersOf(svg, "x"))
                EXPECT_TRUE(x >= 0 && x <= width) << view.id << " at " << width << ": " << x;
            for (const double bar : numbersOf(svg, "width"))
                EXPECT_TRUE(bar >= 0 && bar <= width) << view.id << " at " << width << ": " << bar;
            const double height = numbersOf(svg, "height").front();
            for (const double y : numbersOf(svg, "y"))
                EXPECT_TRUE(y >= 0 && y <= height) << view.id << " at " << width << ": " << y;
        }
}

TEST(ReportViews, KeepToTheChosenStep) {
    ReportScope scope;
    scope.step = 1;
    const auto one = reportViews({subjectOf(scope), nullptr, {}, {}});
    const auto all = reportViews({subjectOf(), nullptr, {}, {}});
    EXPECT_THAT(figure(one, "stalls"), HasSubstr("of step 1, head"));
    EXPECT_THAT(figure(all, "stalls"), HasSubstr("of the whole capture, head"));
    EXPECT_THAT(figure(one, "steps"), HasSubstr("not chosen"));
    EXPECT_EQ(countOf(figure(one, "steps"), "\"#C9DDF0\""), 3U * 2U + 1U); // three steps, and the legend
    EXPECT_THAT(figure(one, "timeline"), HasSubstr("step 1 on 2 ranks"));
    EXPECT_THAT(figure(one, "stall-map"), HasSubstr("who was late, by layer"));
}

TEST(ReportViews, FiltersLeaveWhatTheySay) {
    const auto all = subjectOf();
    const auto attention = all->rules.set.find("attention");
    ASSERT_TRUE(attention.has_value());
    ReportScope scope;
    scope.onlyCategories = {*attention};
    const auto left = subjectOf(scope);
    const auto nsOf = [&](const ReportSubject& subject) {
        for (const BreakdownRow& row : subject.sum.rows)
            if (row.category == *attention)
                return row.totalNs;
        return TimeNs{0};
    };
    EXPECT_GT(nsOf(*all), 0);
    EXPECT_EQ(nsOf(*left), nsOf(*all));
    EXPECT_EQ(left->sum.totalNs, nsOf(*all));
    EXPECT_EQ(left->sum.wallNs, all->sum.wallNs); // a step is as long as it was
    scope.onlyCategories.clear();
    scope.streams = {-77};
    EXPECT_EQ(subjectOf(scope)->sum.totalNs, 0);
    ReportScope ranks;
    ranks.ranks = {1};
    EXPECT_THAT(provenanceOf(*subjectOf(ranks)).back(), HasSubstr("ranks 1 of 2"));
}

TEST(ReportViews, AStretchOfTimeHoldsWhatOverlapsIt) {
    const auto subject = subjectOf();
    const TimeRange step = rangeOfStep(*subject->analysis, 2);
    const TimeRange part{step.begin + step.length() / 4, step.begin + step.length() / 2};
    const std::size_t some = timelineTable(*subject, part).rows.size();
    const std::size_t whole = timelineTable(*subject, step).rows.size();
    EXPECT_GT(some, whole / 8);
    EXPECT_LT(some, whole / 2);
    const auto views = reportViews({subject, nullptr, part, {}});
    EXPECT_EQ(views.front().id, "timeline-shown");
    EXPECT_THAT(figure(views, "timeline-shown"), HasSubstr(timeText(static_cast<double>(part.length()))));
}

TEST(ReportViews, OneRankIsToldThatItWaitsForNobody) {
    const auto views = reportViews({subjectOf({}, 1), nullptr, {}, {}});
    EXPECT_THAT(figure(views, "stalls"), HasSubstr("One rank: there is nobody to wait for."));
    EXPECT_THAT(figure(views, "stall-map"), HasSubstr("One rank: there is nobody to wait for."));
    EXPECT_THAT(figure(views, "timeline"), HasSubstr("on 1 rank"));
    EXPECT_THAT(figure(views, "timeline"), Not(HasSubstr("clocks")));
}

TEST(TimeText, ChoosesTheUnitBySize) {
    EXPECT_EQ(timeText(7'940), "7.9 µs");
    EXPECT_EQ(timeText(551'200), "551 µs");
    EXPECT_EQ(timeText(4'532'000), "4.53 ms");
    EXPECT_EQ(timeText(12'136'000), "12.1 ms");
    EXPECT_EQ(timeText(1'930'000'000), "1.93 s");
    EXPECT_EQ(timeText(-4'532'000), "-4.53 ms");
}
