#pragma once

#include "model/analysis/casestudy.h"
#include "model/analysis/comparison.h"
#include "views/tables/celltable.h"

namespace lockstep {

/// A is the run that is open, B the other; `reported`: with a column of the case study's own figures.
[[nodiscard]] std::vector<TableColumn> comparedColumns(bool reported);
/// Groups, each unfolding into its categories; `reported` may be null.
[[nodiscard]] std::vector<TableRow> comparedRows(const Comparison& comparison, const CategorySet& set,
                                                 const ReportedRun* reported);

[[nodiscard]] std::vector<TableColumn> portraitColumns();
/// What differs about the runs; what they share is one line, told in full by its hint.
[[nodiscard]] std::vector<TableRow> portraitRows(const Comparison& comparison);

[[nodiscard]] std::vector<TableColumn> comparedFigureColumns();
/// Step times, stalls and HBM efficiency of both runs.
[[nodiscard]] std::vector<TableRow> comparedFigureRows(const Comparison& comparison);

} // namespace lockstep
