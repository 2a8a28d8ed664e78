#pragma once

#include "model/analysis/stalls.h"
#include "model/run/clockalign.h"
#include "model/run/collectives.h"
#include "model/run/run.h"
#include "model/run/steps.h"

#include <memory>

namespace lockstep {

/// A run with everything found in it; shared, immutable, between threads.
struct RunAnalysis {
    std::shared_ptr<const Run> run;
    StepTable steps;
    CollectiveTable collectives;
    ClockAlignment alignment;
    StallTable stalls;
};

/// Steps, layers, collectives, alignment and stalls of `run`.
[[nodiscard]] std::shared_ptr<const RunAnalysis> analyseRun(std::shared_ptr<const Run> run,
                                                            const StallOptions& options = {});

/// The first moment of any rank, on the run's clock.
[[nodiscard]] TimeNs beginOfRun(const RunAnalysis& analysis);
/// From the first begin to the last end of a step on all ranks, on the run's clock.
[[nodiscard]] TimeRange rangeOfStep(const RunAnalysis& analysis, std::uint32_t step);
/// Of `steps` the one whose range has the median length of theirs; nothing where there are none.
[[nodiscard]] std::optional<std::uint32_t> medianStep(const RunAnalysis& analysis,
                                                      const std::vector<std::uint32_t>& steps);

} // namespace lockstep
