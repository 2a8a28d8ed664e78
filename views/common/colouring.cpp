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

} // namespace lockstep
