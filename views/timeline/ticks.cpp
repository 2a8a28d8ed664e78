#include "views/timeline/ticks.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

namespace lockstep {

namespace {

struct Unit {
    TimeNs length;
    const char* name;
};

/// The unit in which ticks `distance` apart read best around `farthest` from the origin.
Unit unitFor(TimeNs distance, TimeNs farthest) {
    if (distance >= 100'000'000 || (distance >= 1'000'000 && farthest >= 10'000'000'000))
        return {1'000'000'000, " s"};
    if (distance >= 10'000 || (distance >= 100 && farthest >= 1'000'000))
        return {1'000'000, " ms"};
    return {1'000, " µs"};
}

} // namespace

TimeNs tickDistance(double minimum) {
    const double power = std::pow(10.0, std::floor(std::log10(std::max(minimum, 1.0))));
    for (const double factor : {1.0, 2.0, 5.0})
        if (power * factor >= minimum)
            return static_cast<TimeNs>(std::llround(power * factor));
    return static_cast<TimeNs>(std::llround(power * 10));
}

std::vector<Tick> ticksOf(TimeRange range, TimeNs origin, double minimumDistance) {
    const TimeNs distance = tickDistance(minimumDistance);
    const TimeNs farthest = std::max(std::abs(range.begin - origin), std::abs(range.end - origin));
    const Unit unit = unitFor(distance, farthest);
    int decimals = 0;
    for (TimeNs part = unit.length; part > distance; part /= 10)
        ++decimals;
    QLocale locale(QLocale::English);
    std::vector<Tick> ticks;
    const TimeNs first = range.begin - origin;
    TimeNs at = first / distance * distance;
    if (at < first)
        at += distance;
    for (; at < range.end - origin; at += distance) {
        const double value = static_cast<double>(at) / static_cast<double>(unit.length);
        ticks.push_back({origin + at, locale.toString(value, 'f', decimals) + QString::fromUtf8(unit.name)});
    }
    return ticks;
}

} // namespace lockstep
