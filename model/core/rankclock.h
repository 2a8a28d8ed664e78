#pragma once

#include "model/core/ids.h"

namespace lockstep {

/// How one rank's clock maps to the reference rank's: t + offsetNs + driftPpm·1e-6·(t − midNs).
struct RankClock {
    double offsetNs = 0; ///< at the run's middle
    double driftPpm = 0;
    TimeNs midNs = 0;

    [[nodiscard]] TimeNs toRunTime(TimeNs ownTime) const;
    /// The inverse of toRunTime, within a nanosecond.
    [[nodiscard]] TimeNs toOwnTime(TimeNs runTime) const;
};

} // namespace lockstep
