#pragma once

#include "model/core/timerange.h"

#include <cmath>

namespace lockstep {

/// The linear map between a range of time and `width` pixels; plain arithmetic, without state.
struct TimeScale {
    TimeRange range;
    double width = 1;

    [[nodiscard]] double nsPerPixel() const { return static_cast<double>(range.length()) / width; }
    [[nodiscard]] double toPixel(TimeNs time) const {
        return static_cast<double>(time - range.begin) / nsPerPixel();
    }
    [[nodiscard]] TimeNs toTime(double pixel) const {
        return range.begin + static_cast<TimeNs>(std::llround(pixel * nsPerPixel()));
    }
    /// The range after zooming: `factor` below 1 shows less, and the moment at `pixel` stays there.
    [[nodiscard]] TimeRange zoomed(double factor, double pixel) const {
        const double length = static_cast<double>(range.length()) * factor;
        const auto before = static_cast<TimeNs>(std::llround(length * pixel / width));
        const TimeNs begin = toTime(pixel) - before;
        return {begin, begin + static_cast<TimeNs>(std::llround(length))};
    }
    /// The range after moving the view `pixels` towards later times.
    [[nodiscard]] TimeRange panned(double pixels) const {
        const auto by = static_cast<TimeNs>(std::llround(pixels * nsPerPixel()));
        return {range.begin + by, range.end + by};
    }
};

/// `visible` moved as little as needed to show `wanted`, with a margin; widened only where it is shorter.
[[nodiscard]] constexpr TimeRange revealed(TimeRange visible, TimeRange wanted) {
    const TimeNs margin = visible.length() / 20;
    if (wanted.length() + 2 * margin > visible.length()) {
        if (wanted.begin < visible.end && visible.begin < wanted.end)
            return visible; // some of it is in view already, and all of it would not fit
        return {wanted.begin - margin, wanted.begin - margin + visible.length()};
    }
    TimeNs by = 0;
    if (wanted.begin - margin < visible.begin)
        by = wanted.begin - margin - visible.begin;
    else if (wanted.end + margin > visible.end)
        by = wanted.end + margin - visible.end;
    return {visible.begin + by, visible.end + by};
}

} // namespace lockstep
