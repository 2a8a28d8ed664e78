#pragma once

#include "model/analysis/categories.h"
#include "views/common/colourrole.h"

#include <memory>

namespace lockstep {

/// The category of every GPU activity of an analysed run, with the rules that chose it. Immutable.
struct ShownCategories {
    CategoryRules rules;
    CategoryTable table;
    std::shared_ptr<const RunAnalysis> analysis; ///< what it was made of
};

/// Categorises the activities of `analysis`; costs a pass over them, so not on the GUI thread.
[[nodiscard]] std::shared_ptr<const ShownCategories>
showCategories(std::shared_ptr<const RunAnalysis> analysis, CategoryRules rules);

/// The colour of a category: its group's, but all-to-all has its own.
[[nodiscard]] ColourRole roleOfCategory(const CategorySet& set, std::uint8_t category);
/// The colour of a group of categories (index into CategorySet::groups).
[[nodiscard]] ColourRole roleOfGroup(const CategorySet& set, std::uint8_t group);

} // namespace lockstep
