#include "views/common/colouring.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace lockstep {

ColourRole roleOfKind(EventKind kind) {
    switch (kind) {
    case EventKind::Kernel:
        return ColourRole::Kernel;
    case EventKind::Memcpy:
    case EventKind::Memset:
        return ColourRole::Copy;
    case EventKind::GpuAnnotation:
    case EventKind::Annotation:
        return ColourRole::Annotation;
    case EventKind::CpuOp:
        return ColourRole::CpuOp;
    case EventKind::Runtime:
    case EventKind::Driver:
        return ColourRole::Launch;
    case EventKind::PythonFunction:
        return ColourRole::Python;
    default:
        break;
    }
    return ColourRole::Other;
}

ColourRole roleOfGroup(std::string_view groupId) {
    static constexpr std::array<std::pair<std::string_view, ColourRole>, 6> kRoles{
        {{"allreduce", ColourRole::AllReduce},
         {"attention", ColourRole::Attention},
         {"other_gemm", ColourRole::OtherGemm},
         {"moe_gemm", ColourRole::MoeGemm},
         {"routing", ColourRole::Routing},
         {"dtype_cast", ColourRole::DtypeCast}}};
    const auto* const at = std::find_if(kRoles.begin(), kRoles.end(), [&](const auto& role) {
        return role.first == groupId;
    });
    return at == kRoles.end() ? ColourRole::EverythingElse : at->second;
}

ColourRole roleOfCategory(const CategorySet& set, std::uint8_t category) {
    if (category >= set.categories.size())
        return ColourRole::Kernel;
    if (set.categories[category].id == "all_to_all")
        return ColourRole::AllToAll;
    return roleOfGroup(set.groupOf(category).id);
}

ColourRole roleOf(const ShownRun& shown, std::size_t rank, EventId event) {
    const EventKind kind = shown.ranks[rank].trace->events.kind(event);
    if (kind != EventKind::Kernel || !shown.analysis)
        return roleOfKind(kind);
    if (shown.categorised && rank < shown.categorised->byEvent.size())
        return roleOfCategory(shown.categorised->rules.set, shown.categorised->byEvent[rank][event.index()]);
    const std::optional<std::uint32_t> collective = shown.ranks[rank].collectiveOf(event);
    if (!collective)
        return ColourRole::Kernel;
    const CollectiveTable& collectives = shown.analysis->collectives;
    switch (collectives.groups[collectives.matched[*collective].group].kind) {
    case CollectiveKind::AllReduce:
        return ColourRole::AllReduce;
    case CollectiveKind::AllToAll:
        return ColourRole::AllToAll;
    default:
        break;
    }
    return ColourRole::EverythingElse;
}

} // namespace lockstep
