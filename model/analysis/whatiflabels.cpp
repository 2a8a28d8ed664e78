#include "model/analysis/whatiflabels.h"

namespace lockstep {

ActivityLabels activityLabels(const CategorySet& set, const CategoryTable& table) {
    ActivityLabels result;
    for (std::size_t c = 0; c < set.categories.size(); ++c)
        result.labels.push_back(
            {set.categories[c].id, set.categories[c].label, set.groupOf(static_cast<std::uint8_t>(c)).id});
    result.label = table.category;
    return result;
}

} // namespace lockstep
