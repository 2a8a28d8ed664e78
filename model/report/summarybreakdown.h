#pragma once

#include "model/analysis/breakdown.h"
#include "model/import/summarytable.h"

#include <nlohmann/json_fwd.hpp>

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

/// The files among `paths`, or in the folders among them, that begin like a table of the profiler, in order.
[[nodiscard]] std::vector<std::string> summaryTablesIn(const std::vector<std::string>& paths);
/// A document of the form of `lockstep.analysis/1` whose only analysis is the breakdown.
[[nodiscard]] nlohmann::ordered_json summaryJson(const SummaryBreakdown& summary,
                                                 std::span<const SummaryTable> tables);
/// The same for people.
[[nodiscard]] std::string summaryText(const SummaryBreakdown& summary, std::span<const SummaryTable> tables,
                                      const CategorySet& set);
/// Whether table and trace agree, and where they do not: a line, and one more for each difference.
[[nodiscard]] std::string crossCheckText(const SummaryTable& table, const SummaryCrossCheck& check);

} // namespace lockstep
