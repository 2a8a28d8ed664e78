#pragma once

#include "model/analysis/whatif.h"
#include "views/tables/celltable.h"

namespace lockstep {

[[nodiscard]] std::vector<TableColumn> whatIfColumns();
/// The projected step three ways, and the bounds.
[[nodiscard]] std::vector<TableRow> whatIfRows(const WhatIfResult& result);

} // namespace lockstep
