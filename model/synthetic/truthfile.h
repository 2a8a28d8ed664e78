#pragma once

#include "model/synthetic/kinetowriter.h"
#include "model/synthetic/simulation.h"

#include <span>
#include <string>

namespace lockstep {

/// The right answers of a synthetic run as JSON text: preset, seed, clocks, injected stalls, waits by rank,
/// the table by group, and the period.
[[nodiscard]] std::string truthJson(const PlannedStep& plan, const SimulatedRun& run,
                                    const SimulationOptions& options, std::span<const SyntheticClock> clocks);

} // namespace lockstep
