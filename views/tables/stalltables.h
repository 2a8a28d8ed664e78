#pragma once

#include "model/analysis/runfigures.h"
#include "views/tables/celltable.h"

namespace lockstep {

[[nodiscard]] std::vector<TableColumn> stallRankColumns();
/// A row a rank, by index: waited, caused, last arrivals.
[[nodiscard]] std::vector<TableRow> stallRankRows(const RunFigures& figures);

[[nodiscard]] std::vector<TableColumn> worstStallColumns();
/// The worst stalls by their index into StallTable::stalls, largest skew first, with causes.
[[nodiscard]] std::vector<TableRow> worstStallRows(const RunFigures& figures);

} // namespace lockstep
