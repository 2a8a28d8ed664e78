#pragma once

#include "model/analysis/categories.h"
#include "model/analysis/whatif.h"

namespace lockstep {

/// What a what-if must know of `table`: the name of every activity's category.
[[nodiscard]] ActivityLabels activityLabels(const CategorySet& set, const CategoryTable& table);

} // namespace lockstep
