#pragma once

#include "model/core/ids.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

/// What a track shows; a GPU stream's annotations stand apart from its kernels, which they overlap by
/// construction.
enum class TrackKind : std::uint8_t {
    GpuStream,
    GpuAnnotations,
    CpuThread,
    Overhead,
    Spans,
    Instants,
    Async,
    Other
};

/// One row of events of a track; no two overlap unless one is inside an event of the lane above.
struct Lane {
    TrackId track;
    std::uint32_t depth = 0; ///< 0: the track's first row; deeper by nesting, or by overlap on one stream
    EventId first;           ///< its events are the ids [first, first + count)
    std::uint32_t count = 0;

    [[nodiscard]] std::size_t beginIndex() const { return first.index(); }
    [[nodiscard]] std::size_t endIndex() const { return first.index() + count; }
};

/// Events of one process and thread (or device and stream) of one rank, in one or more lanes.
struct Track {
    TrackKind kind = TrackKind::Other;
    std::string pid; ///< as in the file: an OS pid, a device ordinal, or a word such as "Spans"
    std::string tid; ///< a thread, or a stream
    std::string processName;
    std::string threadName;
    std::int64_t processSortIndex = 0;
    std::int64_t threadSortIndex = 0;
    LaneId firstLane;
    std::uint32_t laneCount = 0;

    /// A label for people: the thread's name, else what kind and number it is.
    [[nodiscard]] std::string label() const;
};

} // namespace lockstep
