#pragma once

#include "model/core/timerange.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

/// A stretch of GPU activity of one category.
struct CategoryInterval {
    enum class Part : std::uint8_t { Work, Waiting, Moving };
    TimeRange range;
    std::uint8_t category = 0;
    Part part = Part::Work; ///< of a matched collective: waiting for the last rank, or moving data
};

/// The wall time of a range, divided among categories and idle: all parts add up to the range's length.
struct WallShares {
    struct Share {
        TimeNs ns = 0;
        TimeNs waitingNs = 0; ///< of ns
        TimeNs movingNs = 0;  ///< of ns
    };
    std::array<Share, 32> categories{};
    TimeNs idleNs = 0;
    TimeNs exposedCommunicationNs = 0; ///< a category of `communication` runs and none of `compute` does
};

/// Shares each instant of `range` equally among the categories active in it. Time is divided once for each
/// set of active categories; what does not divide goes, a nanosecond each, to the first categories of the
/// set.
[[nodiscard]] WallShares shareWallTime(TimeRange range, std::span<const CategoryInterval> intervals,
                                       std::uint32_t communication, std::uint32_t compute);

} // namespace lockstep
