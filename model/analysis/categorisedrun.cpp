#include "model/analysis/categorisedrun.h"

#include "model/analysis/runanalysis.h"

namespace lockstep {

std::shared_ptr<const CategorisedRun> categoriseRun(const RunAnalysis& analysis, const CategoryRules& rules) {
    auto categorised = std::make_shared<CategorisedRun>();
    categorised->rules = rules;
    categorised->table = categorise(analysis, rules);
    categorised->byEvent.reserve(analysis.run->ranks.size());
    for (std::size_t rank = 0; rank < analysis.run->ranks.size(); ++rank)
        categorised->byEvent.push_back(
            categoryByEvent(*analysis.run, analysis.steps, categorised->table, rank));
    return categorised;
}

} // namespace lockstep
