#include "model/analysis/samples.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockstep {

Samples::Samples(std::vector<double> values)
    : m_sorted(std::move(values)) {
    std::sort(m_sorted.begin(), m_sorted.end());
}

double Samples::mean() const {
    if (m_sorted.empty())
        return 0;
    return std::accumulate(m_sorted.begin(), m_sorted.end(), 0.0) / static_cast<double>(m_sorted.size());
}

double Samples::quantile(double fraction) const {
    if (m_sorted.empty())
        return 0;
    const double place = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(m_sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, m_sorted.size() - 1);
    const double part = place - static_cast<double>(below);
    return m_sorted[below] + (m_sorted[above] - m_sorted[below]) * part;
}

double Samples::medianDeviation() const {
    const double middle = median();
    std::vector<double> deviations;
    deviations.reserve(m_sorted.size());
    for (const double value : m_sorted)
        deviations.push_back(std::abs(value - middle));
    return Samples(std::move(deviations)).median();
}

} // namespace lockstep
