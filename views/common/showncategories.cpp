#include "views/common/showncategories.h"

#include "model/analysis/runanalysis.h"

#include <string_view>

namespace lockstep {

std::shared_ptr<const ShownCategories> showCategories(std::shared_ptr<const RunAnalysis> analysis,
                                                      CategoryRules rules) {
    auto shown = std::make_shared<ShownCategories>();
    shown->table = categorise(*analysis, rules);
    shown->rules = std::move(rules);
    shown->analysis = std::move(analysis);
    return shown;
}

ColourRole roleOfGroup(const CategorySet& set, std::uint8_t group) {
    const std::string_view id = set.groups[group].id;
    if (id == "allreduce")
        return ColourRole::AllReduce;
    if (id == "attention")
        return ColourRole::Attention;
    if (id == "other_gemm")
        return ColourRole::OtherGemm;
    if (id == "moe_gemm")
        return ColourRole::MoeGemm;
    if (id == "routing")
        return ColourRole::Routing;
    if (id == "dtype_cast")
        return ColourRole::DtypeCast;
    return ColourRole::EverythingElse;
}

ColourRole roleOfCategory(const CategorySet& set, std::uint8_t category) {
    if (category >= set.categories.size())
        return ColourRole::EverythingElse;
    if (set.categories[category].id == "all_to_all")
        return ColourRole::AllToAll;
    return roleOfGroup(set, set.categories[category].group);
}

} // namespace lockstep
