#include "app/exportviews.h"

#include "model/report/figures.h"
#include "model/report/viewtables.h"

#include <QObject>

namespace lockstep {

std::vector<ExportView> exportViews(std::shared_ptr<const ReportSubject> subject) {
    std::vector<ExportView> views;
    const auto add = [&](const QString& name, const char* fileName, auto figure, auto table) {
        views.push_back({name, QLatin1String(fileName),
                         [subject, figure](double width) {
                             FigureSize size;
                             size.width = width;
                             return figure(*subject, size);
                         },
                         [subject, table] {
                             return table(*subject);
                         }});
    };
    add(QObject::tr("Timeline of a step"), "timeline", &timelineFigure, &timelineTable);
    const auto breakdown = [](Attribution attribution) {
        return [attribution](const ReportSubject& of, FigureSize size) {
            return breakdownFigure(of, attribution, size);
        };
    };
    add(QObject::tr("Breakdown, durations added up"), "breakdown", breakdown(Attribution::Sum),
        [](const ReportSubject& of) {
            return breakdownTable(of.sum, of.rules.set);
        });
    add(QObject::tr("Breakdown, wall time"), "breakdown-wall", breakdown(Attribution::Wall),
        [](const ReportSubject& of) {
            return breakdownTable(of.wall, of.rules.set);
        });
    add(QObject::tr("Who waits for whom"), "stalls", &stallsFigure, [](const ReportSubject& of) {
        return worstStallsTable(of, 1000);
    });
    add(QObject::tr("Stall map"), "stall-map", &heatmapFigure, &stallMapTable);
    add(QObject::tr("Steps"), "steps", &stepsFigure, &stepsTable);
    return views;
}

} // namespace lockstep
