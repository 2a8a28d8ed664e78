#pragma once

#include "model/analysis/categories.h"

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

namespace lockstep {

/// Which GPU activities of a run are left by filters of streams and categories. Immutable.
struct ActivityFilter {
    std::vector<std::vector<bool>> left; ///< by rank (index), like RankActivities::events

    [[nodiscard]] bool passes(std::size_t rank, std::size_t activity) const { return left[rank][activity]; }
};

/// The activities on one of `streams` and of one of `categories` (an empty set leaves all); null where both
/// are empty. A pass over all activities.
[[nodiscard]] std::shared_ptr<const ActivityFilter> activityFilter(const RunAnalysis& analysis,
                                                                   const CategoryTable& table,
                                                                   const std::set<std::int64_t>& streams,
                                                                   const std::set<std::uint8_t>& categories);

} // namespace lockstep
