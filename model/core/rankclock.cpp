#include "model/core/rankclock.h"

#include <cmath>

namespace lockstep {

TimeNs RankClock::toRunTime(TimeNs ownTime) const {
    // Whole and fraction apart: their sum past 2^53 would lose the nanosecond.
    const double whole = std::floor(offsetNs);
    const double rest = offsetNs - whole + driftPpm * 1e-6 * static_cast<double>(ownTime - midNs);
    return ownTime + static_cast<TimeNs>(whole) + static_cast<TimeNs>(std::floor(rest + 0.5));
}

TimeNs RankClock::toOwnTime(TimeNs runTime) const {
    TimeNs own = runTime - static_cast<TimeNs>(std::llround(offsetNs));
    for (int round = 0; round < 2; ++round)
        own += runTime - toRunTime(own);
    return own;
}

} // namespace lockstep
