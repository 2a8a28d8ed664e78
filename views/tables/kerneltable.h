#pragma once

#include "model/analysis/kernelstats.h"
#include "views/common/filters.h"
#include "views/tables/celltable.h"

namespace lockstep {

class StringPool;

[[nodiscard]] std::vector<TableColumn> kernelColumns();
/// GPU activities by name and category, largest total first, by their place in `stats`; without the
/// categories that `filters` leave out.
[[nodiscard]] std::vector<TableRow> kernelRows(const KernelStatsTable& stats, const StringPool& strings,
                                               const CategorySet& set, const Filters& filters);

} // namespace lockstep
