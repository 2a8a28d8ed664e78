#pragma once

#include "model/core/timerange.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

/// Rows deeper than this are not made: what would need one shares the deepest.
inline constexpr std::uint32_t kMaxLaneDepth = 512;

/// The row of each event of one track, from 0. `sorted`: by begin, the longer first where begins are equal.
/// An event inside another lies below it; one that only overlaps takes the first free row; so no two overlap
/// in a row, up to kMaxLaneDepth.
[[nodiscard]] std::vector<std::uint32_t> assignDepths(std::span<const TimeRange> sorted);

} // namespace lockstep
