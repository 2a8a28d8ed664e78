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

} // namespace lockstep
