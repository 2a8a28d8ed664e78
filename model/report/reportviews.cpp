#include "model/report/reportviews.h"

#include "model/analysis/kernelstats.h"
#include "model/report/comparisonreport.h"
#include "model/report/viewtables.h"
#include "model/report/whatifview.h"

#include <utility>

namespace lockstep {

namespace {

using Subject = std::shared_ptr<const ReportSubject>;

void addBreakdowns(std::vector<ReportView>& views, const Subject& subject) {
    for (const Attribution attribution : {Attribution::Sum, Attribution::Wall}) {
        const bool wall = attribution == Attribution::Wall;
        views.push_back({wall ? "breakdown-wall" : "breakdown",
                         wall ? "Breakdown, wall time" : "Breakdown, durations added up",
                         [subject, attribution](FigureSize size) {
                             return breakdownFigure(*subject, attribution, size);
                         },
                         [subject, attribution, wall] {
                             return withProvenance(
                                 breakdownTable(wall ? subject->wall : subject->sum, subject->rules.set),
                                 *subject, {attribution, {}, true});
                         }});
    }
}

void addComparisons(std::vector<ReportView>& views, const Subject& subject, const Subject& other) {
    for (const Attribution attribution : {Attribution::Sum, Attribution::Wall}) {
        const bool wall = attribution == Attribution::Wall;
        const auto comparison =
            std::make_shared<const Comparison>(compareSubjects(*subject, *other, attribution));
        views.push_back(
            {wall ? "comparison-wall" : "comparison",
             wall ? "Comparison, wall time" : "Comparison, durations added up",
             [subject, other, comparison, attribution](FigureSize size) {
                 std::vector<std::string> footer = provenanceOf(*subject, {attribution, {}, false});
                 for (std::string& line : provenanceOf(*other, {attribution, {}, false}))
                     footer.push_back(std::move(line));
                 return comparisonFigure(*comparison, footer, size);
             },
             [subject, other, comparison, attribution] {
                 const ProvenanceOf what{attribution, {}, true};
                 return withProvenance(withProvenance(comparedCategoriesTable(*comparison), *subject, what),
                                       *other, what);
             }});
    }
}

void addWhatIf(std::vector<ReportView>& views, const Subject& subject,
               const std::shared_ptr<const WhatIfResult>& projected) {
    views.push_back({"what-if", "What if",
                     [subject, projected](FigureSize size) {
                         return whatIfFigure(*subject, *projected, size);
                     },
                     [subject, projected] {
                         return withProvenance(whatIfTable(*projected), *subject);
                     }});
}

} // namespace

std::vector<ReportView> reportViews(const ReportViewsOf& of) {
    std::vector<ReportView> views;
    using Over = ProvenanceOf::Over;
    const auto add = [&](const char* id, const char* name, Over over, auto figure, auto table) {
        views.push_back({id, name,
                         [subject = of.subject, figure](FigureSize size) {
                             return figure(*subject, size);
                         },
                         [subject = of.subject, table, over] {
                             return withProvenance(table(*subject), *subject, {{}, {}, true, over});
                         }});
    };
    const auto addTable = [&](const char* id, const char* name, Over over, auto table) {
        views.push_back({id, name, {}, [subject = of.subject, table, over] {
                             return withProvenance(table(*subject), *subject, {{}, {}, true, over});
                         }});
    };
    if (of.visible)
        views.push_back({"timeline-shown", "Timeline as shown",
                         [subject = of.subject, range = *of.visible](FigureSize size) {
                             return timelineFigure(*subject, range, size);
                         },
                         [subject = of.subject, range = *of.visible] {
                             return withProvenance(timelineTable(*subject, range), *subject);
                         }});
    views.push_back(
        {"timeline", "Timeline of a step",
         [subject = of.subject](FigureSize size) {
             return timelineFigure(*subject, size);
         },
         [subject = of.subject] {
             return withProvenance(timelineTable(*subject), *subject, {{}, shownStep(*subject), true});
         }});
    addBreakdowns(views, of.subject);
    if (of.other)
        addComparisons(views, of.subject, of.other);
    add("stalls", "Who waits for whom", Over::Capture, &stallsFigure, [](const ReportSubject& subject) {
        return worstStallsTable(subject);
    });
    add("stall-map", "Stall map", Over::Capture, &heatmapFigure, &stallMapTable);
    add("steps", "Steps", Over::Chosen, &stepsFigure, &stepsTable);
    if (of.projected)
        addWhatIf(views, of.subject, of.projected);
    addTable("kernels", "Kernels", Over::Chosen, [](const ReportSubject& subject) {
        return kernelTable(kernelStats(*subject.analysis, subject.categories, subject.selection),
                           *subject.analysis->run, subject.rules.set);
    });
    addTable("collectives", "Collectives", Over::Everything, &collectivesTable);
    addTable("data-quality", "Data quality", Over::Everything, &qualityTable);
    return views;
}

} // namespace lockstep
