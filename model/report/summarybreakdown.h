#pragma once

#include "model/analysis/breakdown.h"
#include "model/import/summarytable.h"

#include <span>

namespace lockstep {

/// What tables alone can say: no timeline, so no wall time, no waits and no layers.
struct SummaryBreakdown {
    Breakdown breakdown;   ///< sum attribution; a cell is a step on a rank
    std::size_t steps = 0; ///< as the step markers' lines count them; 0: no such line, and a cell is a table
    std::vector<std::string> notes;
};

/// The breakdown of runs that are known by the profiler's own tables only, one table a rank.
[[nodiscard]] SummaryBreakdown breakdownOf(std::span<const SummaryTable> tables, const CategoryRules& rules);

} // namespace lockstep
