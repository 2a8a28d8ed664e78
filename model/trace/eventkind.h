#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep {

/// What an event is, from its phase and category (all spellings since 2021, CUDA and ROCm).
enum class EventKind : std::uint8_t {
    Kernel,
    Memcpy,
    Memset,
    GpuAnnotation,
    CpuOp,
    Annotation,
    Runtime,
    Driver,
    PythonFunction,
    Overhead,
    Sync,
    Span,    ///< "Trace" and other whole-capture spans
    Async,   ///< made of a b/e pair
    Instant, ///< i, I, R, n: a moment; duration 0
    Other,
};

/// Kernel, copy or memset: what keeps the GPU busy (annotations are not).
[[nodiscard]] constexpr bool isGpuActivity(EventKind kind) {
    return kind == EventKind::Kernel || kind == EventKind::Memcpy || kind == EventKind::Memset;
}
/// A call that puts work on the GPU: CUDA or HIP runtime or driver.
[[nodiscard]] constexpr bool isLaunchCall(EventKind kind) {
    return kind == EventKind::Runtime || kind == EventKind::Driver;
}

/// The kind of a complete event by the text of its `cat`; Other where unknown.
[[nodiscard]] EventKind kindOfCategory(std::string_view category);
/// A short English name, for display ("CUDA runtime").
[[nodiscard]] std::string_view nameOf(EventKind kind);

} // namespace lockstep
