#include "model/analysis/runanalysis.h"

namespace lockstep {

std::shared_ptr<const RunAnalysis> analyseRun(std::shared_ptr<const Run> run, const StallOptions& options) {
    auto analysis = std::make_shared<RunAnalysis>();
    analysis->steps = findSteps(*run);
    analysis->collectives = matchCollectives(*run, analysis->steps);
    analysis->alignment = alignClocks(*run, analysis->steps, analysis->collectives);
    analysis->stalls =
        attributeStalls(*run, analysis->steps, analysis->collectives, analysis->alignment, options);
    analysis->run = std::move(run);
    return analysis;
}

} // namespace lockstep
