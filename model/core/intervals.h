#pragma once

#include "model/core/timerange.h"

#include <span>
#include <vector>

namespace lockstep {

/// The union of `ranges` (any order, overlaps allowed) as disjoint ranges in order; empty ones vanish.
[[nodiscard]] std::vector<TimeRange> unionOf(std::vector<TimeRange> ranges);
/// Total length of disjoint ranges, in nanoseconds.
[[nodiscard]] TimeNs lengthOf(std::span<const TimeRange> disjoint);
/// The parts of `a` outside `b`; both disjoint and in order.
[[nodiscard]] std::vector<TimeRange> difference(std::span<const TimeRange> a, std::span<const TimeRange> b);

} // namespace lockstep
