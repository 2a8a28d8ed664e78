#pragma once

#include "model/core/timerange.h"

#include <vector>

namespace lockstep {

struct RunAnalysis;

/// The share of all ranks' time, 0 to 1, that each of `columns` equal parts of `range` (on the run's clock)
/// spends waiting in matched collectives.
[[nodiscard]] std::vector<double> waitDensity(const RunAnalysis& analysis, TimeRange range, int columns);

} // namespace lockstep
