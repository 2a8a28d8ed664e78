#include "model/trace/track.h"

#include <fmt/format.h>

namespace lockstep {

std::string Track::label() const {
    switch (kind) {
    case TrackKind::GpuStream:
        return fmt::format("stream {}", tid);
    case TrackKind::GpuAnnotations:
        return fmt::format("annotations of stream {}", tid);
    case TrackKind::Instants:
        return "instants";
    default:
        break;
    }
    if (!threadName.empty())
        return threadName;
    if (kind == TrackKind::CpuThread)
        return fmt::format("thread {}", tid);
    return tid.empty() ? pid : tid;
}

} // namespace lockstep
