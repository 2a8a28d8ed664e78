#pragma once

#include "model/report/reportsubject.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// Size of a picture in pixels, its footer included.
struct FigureSize {
    double width = 1200;
    double height = 0; ///< 0: as high as what is drawn needs
};

/// One step of all ranks on one clock: a row a GPU stream, collectives in waiting and transfer, the last
/// arrival of the step's largest stall as a line through all ranks.
[[nodiscard]] std::string timelineFigure(const ReportSubject& subject, FigureSize size = {});
/// The same of any stretch of time on the run's clock, as the window shows it.
[[nodiscard]] std::string timelineFigure(const ReportSubject& subject, TimeRange range, FigureSize size);
/// GPU time a step by group: a bar each, AllReduce in waiting and transfer.
[[nodiscard]] std::string breakdownFigure(const ReportSubject& subject, Attribution attribution,
                                          FigureSize size = {});
/// Per rank: how long it waited for others, and how long others waited for it.
[[nodiscard]] std::string stallsFigure(const ReportSubject& subject, FigureSize size = {});
/// The time of every step on every rank, as bars.
[[nodiscard]] std::string stepsFigure(const ReportSubject& subject, FigureSize size = {});
/// Who was late: rank × step, by how long the others waited for it; rank × layer where one step is chosen.
[[nodiscard]] std::string heatmapFigure(const ReportSubject& subject, FigureSize size = {});
/// Two runs, group by group.
[[nodiscard]] std::string comparisonFigure(const Comparison& comparison,
                                           const std::vector<std::string>& provenance, FigureSize size = {});

/// The colour of a category group by its id, "#RRGGBB": Okabe–Ito, as in the window.
[[nodiscard]] std::string_view groupColour(std::string_view groupId);

/// How long others waited for each rank, by step (or by layer of the chosen step), in nanoseconds:
/// head transients left out.
struct StallMap {
    bool byLayer = false;
    std::vector<std::string> columns;          ///< step or layer numbers
    std::vector<std::vector<TimeNs>> causedNs; ///< by rank (like Run::ranks), then column
};
[[nodiscard]] StallMap stallMapOf(const ReportSubject& subject);

} // namespace lockstep
