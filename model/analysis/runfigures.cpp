#include "model/analysis/runfigures.h"

#include "model/analysis/runanalysis.h"

#include <algorithm>

namespace lockstep {

std::shared_ptr<const RunFigures> figuresOf(std::shared_ptr<const RunAnalysis> analysis,
                                            const CategorySet& set, const CategoryTable& table,
                                            const BreakdownSelection& selection,
                                            const std::stop_token& stop) {
    auto figures = std::make_shared<RunFigures>();
    figures->set = set;
    figures->selection = selection;
    figures->sum = breakdownOf(*analysis, set, table, Attribution::Sum, selection);
    if (stop.stop_requested())
        return nullptr;
    figures->wall = breakdownOf(*analysis, set, table, Attribution::Wall, selection);
    if (stop.stop_requested())
        return nullptr;
    figures->kernels = kernelStats(*analysis, table, selection);
    figures->stalls = summariseStalls(*analysis, selection);
    const std::size_t causes = std::min(RunFigures::kCauses, figures->stalls.worst.size());
    for (std::size_t i = 0; i < causes && !stop.stop_requested(); ++i)
        figures->causes.push_back(causeOf(*analysis->run, analysis->steps, analysis->collectives,
                                          analysis->alignment, analysis->stalls, figures->stalls.worst[i]));
    if (stop.stop_requested())
        return nullptr;
    figures->findings =
        findingsOf(*analysis, set, figures->sum, figures->wall, figures->stalls, figures->causes);
    figures->analysis = std::move(analysis);
    return figures;
}

} // namespace lockstep
