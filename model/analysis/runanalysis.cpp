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

TimeNs beginOfRun(const RunAnalysis& analysis) {
    TimeNs begin = 0;
    for (std::size_t rank = 0; rank < analysis.run->ranks.size(); ++rank) {
        const TimeNs own = analysis.alignment.ranks[rank].toRunTime(analysis.run->ranks[rank].span().begin);
        begin = rank == 0 ? own : std::min(begin, own);
    }
    return begin;
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

std::optional<std::uint32_t> medianStep(const RunAnalysis& analysis,
                                        const std::vector<std::uint32_t>& steps) {
    std::vector<std::pair<TimeNs, std::uint32_t>> lengths;
    for (const std::uint32_t step : steps)
        lengths.emplace_back(rangeOfStep(analysis, step).length(), step);
    if (lengths.empty())
        return std::nullopt;
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>((lengths.size() - 1) / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    return middle->second;
}

} // namespace lockstep
