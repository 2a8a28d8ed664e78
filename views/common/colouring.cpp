#include "views/common/colouring.h"

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

ColourRole roleOf(const ShownRun& shown, std::size_t rank, EventId event) {
    const EventKind kind = shown.ranks[rank].trace->events.kind(event);
    if (kind != EventKind::Kernel || !shown.analysis)
        return roleOfKind(kind);
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
