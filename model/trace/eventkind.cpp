#include "model/trace/eventkind.h"

#include <array>
#include <utility>

namespace lockstep {

EventKind kindOfCategory(std::string_view category) {
    using enum EventKind;
    static constexpr std::array<std::pair<std::string_view, EventKind>, 33> kKinds{{
        {"cpu_op", CpuOp},
        {"kernel", Kernel},
        {"cuda_runtime", Runtime},
        {"cuda_driver", Driver},
        {"python_function", PythonFunction},
        {"gpu_memcpy", Memcpy},
        {"gpu_memset", Memset},
        {"user_annotation", Annotation},
        {"gpu_user_annotation", GpuAnnotation},
        {"hip_runtime", Runtime},
        {"hip_driver", Driver},
        {"overhead", Overhead},
        {"cuda_sync", Sync},
        {"cuda_event", Sync},
        {"Trace", Span},
        // 2021 and before
        {"Kernel", Kernel},
        {"Memcpy", Memcpy},
        {"Memset", Memset},
        {"Runtime", Runtime},
        {"Driver", Driver},
        {"Operator", CpuOp},
        {"User Annotation", Annotation},
        {"GPU User Annotation", GpuAnnotation},
        {"Python function", PythonFunction},
        {"Overhead", Overhead},
        {"concurrent_kernel", Kernel},
        // other accelerators
        {"xpu_runtime", Runtime},
        {"xpu_driver", Driver},
        {"mtia_runtime", Runtime},
        {"mtia_ccp_events", Kernel},
        {"privateuse1_runtime", Runtime},
        {"privateuse1_driver", Driver},
        {"glow_runtime", Runtime},
    }};
    for (const auto& [text, kind] : kKinds)
        if (text == category)
            return kind;
    return Other;
}

std::string_view nameOf(EventKind kind) {
    switch (kind) {
    case EventKind::Kernel:
        return "kernel";
    case EventKind::Memcpy:
        return "memory copy";
    case EventKind::Memset:
        return "memory set";
    case EventKind::GpuAnnotation:
        return "GPU annotation";
    case EventKind::CpuOp:
        return "CPU op";
    case EventKind::Annotation:
        return "annotation";
    case EventKind::Runtime:
        return "runtime call";
    case EventKind::Driver:
        return "driver call";
    case EventKind::PythonFunction:
        return "Python function";
    case EventKind::Overhead:
        return "profiler overhead";
    case EventKind::Sync:
        return "synchronisation";
    case EventKind::Span:
        return "capture span";
    case EventKind::Async:
        return "async event";
    case EventKind::Instant:
        return "instant";
    case EventKind::Other:
        break;
    }
    return "event";
}

} // namespace lockstep
