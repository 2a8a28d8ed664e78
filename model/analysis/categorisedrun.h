#pragma once

#include "model/analysis/categories.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace lockstep {

/// A run's GPU activities by category, with the rules that put them there; shared, immutable.
struct CategorisedRun {
    static constexpr std::uint8_t kNone = 0xFF; ///< the event is no GPU activity
    CategoryRules rules;
    CategoryTable table;
    std::vector<std::vector<std::uint8_t>> byEvent; ///< per rank, by EventId: a category, or kNone
};

/// Sorts the activities of `analysis` by `rules`; a pass over all events, so not on the GUI thread.
[[nodiscard]] std::shared_ptr<const CategorisedRun> categoriseRun(const RunAnalysis& analysis,
                                                                  const CategoryRules& rules);

} // namespace lockstep
