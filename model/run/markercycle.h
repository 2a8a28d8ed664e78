#pragma once

#include "model/core/ids.h"

#include <cstdint>
#include <span>

namespace lockstep {

/// How many markers in a row make one step, and at which the first whole one begins.
struct MarkerCycle {
    std::size_t length = 1;
    std::size_t first = 0;
};

/// Engines that break a step's graph open write several equal markers for one token. What they hold tells:
/// `signatures` (a hash of each marker's kernels) that come round in a cycle of different ones are the pieces
/// of one step. `gaps[i]` is the time between marker i − 1 and i: the longest on average is where steps
/// begin.
[[nodiscard]] MarkerCycle findMarkerCycle(std::span<const std::uint64_t> signatures,
                                          std::span<const TimeNs> gaps);

} // namespace lockstep
