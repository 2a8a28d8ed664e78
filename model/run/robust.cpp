#include "model/run/robust.h"

#include <algorithm>
#include <cmath>

namespace lockstep {

double medianOf(std::vector<double>& values) {
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double quantileOf(std::vector<double>& values, double fraction) {
    if (values.empty())
        return 0;
    const auto place =
        std::min(values.size() - 1, static_cast<std::size_t>(static_cast<double>(values.size()) * fraction));
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

double deviationOf(const std::vector<double>& values, double centre) {
    std::vector<double> away;
    away.reserve(values.size());
    for (const double value : values)
        away.push_back(std::abs(value - centre));
    return medianOf(away);
}

RobustLine robustLine(const std::vector<double>& x, const std::vector<double>& y) {
    const std::size_t half = x.size() / 2;
    std::vector<double> slopes;
    slopes.reserve(half + 1);
    for (std::size_t i = 0; i + half < x.size() && half > 0; ++i)
        if (x[i + half] > x[i])
            slopes.push_back((y[i + half] - y[i]) / (x[i + half] - x[i]));
    RobustLine line;
    line.slope = medianOf(slopes);
    std::vector<double> rest;
    rest.reserve(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        rest.push_back(y[i] - line.slope * x[i]);
    line.intercept = medianOf(rest);
    return line;
}

} // namespace lockstep
