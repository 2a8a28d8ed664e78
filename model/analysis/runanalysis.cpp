#include "model/analysis/runanalysis.h"

#include <algorithm>

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

TimeRange rangeOfStep(const RunAnalysis& analysis, std::uint32_t step) {
    TimeRange range;
    const Step& one = analysis.steps.steps[step];
    for (std::size_t rank = 0; rank < one.ranks.size(); ++rank)
        if (one.ranks[rank].present) {
            const RankClock& clock = analysis.alignment.ranks[rank];
            range = hull(range, {clock.toRunTime(one.ranks[rank].range.begin),
                                 clock.toRunTime(one.ranks[rank].range.end)});
        }
    return range;
}

std::optional<std::uint32_t> medianStep(const RunAnalysis& analysis) {
    std::vector<std::uint32_t> steps = analysis.steps.typicalSteps();
    if (steps.empty())
        return std::nullopt;
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>((steps.size() - 1) / 2);
    std::nth_element(steps.begin(), middle, steps.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(rangeOfStep(analysis, a).length(), a) <
               std::pair(rangeOfStep(analysis, b).length(), b);
    });
    return *middle;
}

} // namespace lockstep
