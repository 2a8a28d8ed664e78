#pragma once

#include "model/synthetic/plannedstep.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace lockstep {

enum class SyntheticCause : std::uint8_t { Kernel, Host };

/// A delay that one rank suffers before the first collective of a layer.
struct InjectedStall {
    int step = 0;
    int layer = 0;
    int rank = 0;
    TimeNs delayNs = 0;
    SyntheticCause cause = SyntheticCause::Kernel;
};

/// What became of an injected stall, on the true clock.
struct StallOutcome {
    InjectedStall injected;
    std::uint32_t ordinal = 0; ///< of the collective among all of the run, in time order
    int straggler = 0;         ///< the rank that did arrive last
    TimeNs skewNs = 0;         ///< last − first arrival
    TimeNs causedNs = 0;       ///< waits of all other ranks added up
    std::string name;          ///< the longer kernel, or the CPU op that launched late
    std::string launchCall;    ///< the runtime or driver call of its launch
};

/// One op as one rank ran it, on the true clock from the run's start.
struct ExecutedOp {
    TimeNs begin = 0;
    TimeNs launch = 0; ///< begin of the runtime call
    std::int32_t duration = 0;
    std::int32_t hostLead = 0; ///< from the begin of the outermost CPU op to the launch
    std::int32_t launchNs = 0; ///< how long the runtime call took
    std::int32_t hostTail = 0; ///< from the launch to the end of the outermost CPU op
};

/// Host moments of one step on one rank.
struct ExecutedStep {
    TimeNs markerBegin = 0;
    TimeNs markerEnd = 0;
    TimeNs syncBegin = 0; ///< the host waits for the token
    TimeNs syncEnd = 0;
};

/// All ranks of a synthetic run on the true clock.
struct SimulatedRun {
    std::vector<std::vector<ExecutedOp>> ops;     ///< by rank; step after step, like PlannedStep::ops
    std::vector<std::vector<ExecutedStep>> steps; ///< by rank
    std::vector<StallOutcome> stalls;
    std::vector<TimeNs> waitedNs; ///< by rank, over all collectives
    std::vector<TimeNs> causedNs;
    std::uint32_t collectives = 0;
};

struct SimulationOptions {
    int ranks = 8;
    int steps = 8;
    std::uint64_t seed = 1;
    bool graph = false; ///< one graph launch a step rather than one launch a kernel
    std::vector<InjectedStall> stalls;
};

/// Runs `plan` on all ranks: a kernel begins when its stream, what it waits for and its launch allow; ranks
/// leave a collective together, when the last has arrived and its data have moved.
[[nodiscard]] SimulatedRun simulate(const PlannedStep& plan, const SimulationOptions& options);

/// Host time between a step's token and the next step's marker that makes the period come out as planned;
/// negative if the plan is longer than that.
[[nodiscard]] TimeNs hostGapOf(const PlannedStep& plan, bool graph);

} // namespace lockstep
