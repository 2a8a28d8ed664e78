#pragma once

#include "model/core/timerange.h"

#include <QString>
#include <vector>

namespace lockstep {

/// One labelled moment of a time axis.
struct Tick {
    TimeNs at = 0;
    QString label;
};

/// Distance of ticks: 1, 2 or 5 times a power of ten nanoseconds, at least `minimum`.
[[nodiscard]] TimeNs tickDistance(double minimum);

/// Ticks of `range` at round times since `origin`, at least `minimumDistance` nanoseconds apart, labelled in
/// µs, ms or s.
[[nodiscard]] std::vector<Tick> ticksOf(TimeRange range, TimeNs origin, double minimumDistance);

} // namespace lockstep
