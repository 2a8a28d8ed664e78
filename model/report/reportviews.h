#pragma once

#include "model/analysis/whatif.h"
#include "model/report/figures.h"
#include "model/report/tables.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockstep {

/// One view that can be exported, as a picture and as a table. The window and `lockstep-cli export` take
/// their views from here, so that both write the same bytes.
struct ReportView {
    std::string id;                                ///< "stall-map": for the command line and file names
    std::string name;                              ///< for people
    std::function<std::string(FigureSize)> figure; ///< SVG text; null for what is a table only
    std::function<ReportTable()> table;
};

/// What views are made from.
struct ReportViewsOf {
    std::shared_ptr<const ReportSubject> subject;
    std::shared_ptr<const ReportSubject> other;    ///< another run to compare with, or null
    std::optional<TimeRange> visible;              ///< what the window shows, on the run's clock
    std::shared_ptr<const WhatIfResult> projected; ///< for the what-if view, or null
};

/// All views: timeline-shown (where something is visible), timeline, breakdown, breakdown-wall, comparison
/// and comparison-wall (with another run), stalls, stall-map, steps, what-if (of a projection),
/// kernels, collectives, data-quality.
[[nodiscard]] std::vector<ReportView> reportViews(const ReportViewsOf& of);

} // namespace lockstep
