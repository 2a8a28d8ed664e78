#pragma once

#include "model/core/ids.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep {

/// One GPU activity of a step as it was measured, on the run's clock.
struct ReplayActivity {
    TimeNs begin = 0;
    TimeNs end = 0;
    std::int64_t stream = 0;
    std::int32_t collective = -1;      ///< which of the step's matched collectives; -1: none
    std::optional<TimeNs> launch = {}; ///< begin of the host's call, where known
};

/// A step on all ranks: each rank's activities by begin.
struct ReplayStep {
    std::vector<std::vector<ReplayActivity>> ranks;
    std::size_t collectives = 0;
};

/// What differs in a replay from what was measured.
struct ReplayChanges {
    /// New durations, by rank and activity; empty: as measured. Collectives are not asked.
    std::vector<std::vector<TimeNs>> durations;
    /// New transfer times, by collective; absent: as measured.
    std::vector<std::optional<TimeNs>> transfers;
    /// Nobody waits: all ranks arrive at a collective when the median rank does.
    bool withoutStalls = false;
    /// Launches are taken to be early enough, as in a CUDA graph; gaps stay as measured.
    bool withoutHost = false;
};

/// How long the step takes from its first begin to its last end if every activity begins as soon as what it
/// was seen to follow allows, with the changes made: the activity before it on its stream; the one that ended
/// last before it began on any stream, after the same gap as measured; and its launch, for the host works as
/// measured. Ranks leave a collective together, a transfer after the last has arrived.
[[nodiscard]] TimeNs replayWall(const ReplayStep& step, const ReplayChanges& changes = {});

} // namespace lockstep
