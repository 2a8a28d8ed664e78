#pragma once

#include <vector>

namespace lockstep {

/// A set of measured values, for medians and spread. All results are 0 where there are no values.
class Samples {
public:
    Samples() = default;
    explicit Samples(std::vector<double> values);

    [[nodiscard]] bool empty() const { return m_sorted.empty(); }
    [[nodiscard]] std::size_t size() const { return m_sorted.size(); }
    [[nodiscard]] double minimum() const { return m_sorted.empty() ? 0 : m_sorted.front(); }
    [[nodiscard]] double maximum() const { return m_sorted.empty() ? 0 : m_sorted.back(); }
    [[nodiscard]] double mean() const;
    /// The value below which `fraction` (0 to 1) of the values lie, interpolated linearly.
    [[nodiscard]] double quantile(double fraction) const;
    [[nodiscard]] double median() const { return quantile(0.5); }
    /// Median absolute deviation from the median: half of the values lie within it.
    [[nodiscard]] double medianDeviation() const;

private:
    std::vector<double> m_sorted;
};

} // namespace lockstep
