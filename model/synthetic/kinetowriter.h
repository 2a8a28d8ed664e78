#pragma once

#include "model/core/result.h"
#include "model/synthetic/plannedstep.h"
#include "model/synthetic/simulation.h"

#include <cstdint>
#include <string>

namespace lockstep {

/// How a rank's clock runs against the true one.
struct SyntheticClock {
    TimeNs offsetNs = 0; ///< its reading − the true time, at the run's start
    double driftPpm = 0;

    /// What this clock reads `sinceStart` after the run's start.
    [[nodiscard]] TimeNs read(TimeNs sinceStart) const;
};

/// What one rank's trace says beside its events.
struct RankTraceText {
    int rank = 0;
    int worldSize = 8;
    SyntheticClock clock;
    bool graph = false;
    std::uint64_t seed = 0;
    std::string path;
    bool gzip = false;
};

/// `baseTimeNanoseconds` of every trace, and the true time of the run's start after it.
constexpr TimeNs kSyntheticBaseNs = 1'790'857'026'000'000'000;
constexpr TimeNs kSyntheticStartNs = 5'111'885'868'731'733;

/// Writes one rank's trace in the layout of Kineto's ChromeTraceLogger (header, CPU ops, GPU activities with
/// launches and flows, annotations, process and thread names). Returns the bytes of text written.
[[nodiscard]] Result<std::uint64_t> writeKinetoTrace(const PlannedStep& plan, const SimulatedRun& run,
                                                     const RankTraceText& text);

} // namespace lockstep
