#pragma once

#include "model/analysis/breakdown.h"
#include "views/tables/celltable.h"

namespace lockstep {

/// The columns of the case study's table, with percentiles over the steps.
[[nodiscard]] std::vector<TableColumn> breakdownColumns();
/// Groups, each unfolding into its categories and into waiting and moving data; then the total, the wall time
/// and, in sum attribution, copies beside it.
[[nodiscard]] std::vector<TableRow> breakdownRows(const Breakdown& breakdown, const CategorySet& set);
/// The key of the row of a group (index into CategorySet::groups).
[[nodiscard]] std::int64_t keyOfGroup(std::uint8_t group);

} // namespace lockstep
