#pragma once

#include <cstddef>
#include <vector>

namespace lockstep {

/// The median (mean of the middle two); reorders `values`; 0 for none.
[[nodiscard]] double medianOf(std::vector<double>& values);
/// The value at place ⌊n·fraction⌋ in ascending order; reorders `values`; 0 for none.
[[nodiscard]] double quantileOf(std::vector<double>& values, double fraction);
/// The median of |value − centre|.
[[nodiscard]] double deviationOf(const std::vector<double>& values, double centre);

/// y = intercept + slope·x, through most of the points.
struct RobustLine {
    double intercept = 0;
    double slope = 0;
};
/// Theil and Sen's estimate over the pairs (i, i + n/2): linear, and half of the points may be far off. `x`
/// ascends.
[[nodiscard]] RobustLine robustLine(const std::vector<double>& x, const std::vector<double>& y);

} // namespace lockstep
