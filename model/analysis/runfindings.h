#pragma once

#include "model/analysis/comparison.h"
#include "model/analysis/stallsummary.h"

#include <vector>

namespace lockstep {

struct CategorySet;

/// What the figures of one run say, in sentences, weightiest first: kind "stalls", "links", "idle",
/// "category", "cause", "unclassified". `causes` stand beside the first of `stalls.worst`.
[[nodiscard]] std::vector<Finding> findingsOf(const RunAnalysis& analysis, const CategorySet& set,
                                              const Breakdown& sum, const Breakdown& wall,
                                              const StallSummary& stalls,
                                              const std::vector<StallCause>& causes);

} // namespace lockstep
