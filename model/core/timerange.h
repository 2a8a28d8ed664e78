#pragma once

#include "model/core/ids.h"

#include <algorithm>

namespace lockstep {

/// Half-open range of time, [begin, end), in nanoseconds.
struct TimeRange {
    TimeNs begin = 0;
    TimeNs end = 0;

    [[nodiscard]] constexpr TimeNs length() const { return end - begin; }
    [[nodiscard]] constexpr bool empty() const { return end <= begin; }
    [[nodiscard]] constexpr bool contains(TimeNs t) const { return t >= begin && t < end; }
    [[nodiscard]] constexpr bool overlaps(TimeRange other) const {
        return begin < other.end && other.begin < end;
    }
    friend constexpr bool operator==(TimeRange, TimeRange) = default;
};

/// The common part of two ranges; empty where they do not overlap.
[[nodiscard]] constexpr TimeRange intersection(TimeRange a, TimeRange b) {
    return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

/// The smallest range that holds both; an empty range counts as nothing.
[[nodiscard]] constexpr TimeRange hull(TimeRange a, TimeRange b) {
    if (a.empty())
        return b;
    if (b.empty())
        return a;
    return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

} // namespace lockstep
