#pragma once

#include "model/analysis/categoryrules.h"
#include "views/tables/celltable.h"

namespace lockstep {

[[nodiscard]] std::vector<TableColumn> ruleColumns();
/// The rules in the order in which they are asked, by their index.
[[nodiscard]] std::vector<TableRow> ruleRows(const CategoryRules& rules);

} // namespace lockstep
