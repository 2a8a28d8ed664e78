#include "model/analysis/timetext.h"

#include <cmath>
#include <fmt/format.h>

namespace lockstep {

std::string timeText(double ns) {
    const double size = std::abs(ns);
    if (size >= 1e9)
        return fmt::format("{:.2f} s", ns / 1e9);
    if (size >= 1e6)
        return fmt::format("{:.{}f} ms", ns / 1e6, size >= 1e7 ? 1 : 2);
    return fmt::format("{:.{}f} µs", ns / 1e3, size >= 1e5 ? 0 : 1);
}

} // namespace lockstep
