#include "model/analysis/runfigures.h"

#include "model/analysis/runanalysis.h"

#include <algorithm>

namespace lockstep {

namespace {

constexpr std::size_t kCausesOfFindings = 60;

std::vector<StallCause> causesOf(const RunAnalysis& analysis, const StallSummary& stalls, std::size_t most,
                                 const std::stop_token& stop) {
    std::vector<StallCause> causes;
    for (std::size_t i = 0; i < std::min(most, stalls.worst.size()) && !stop.stop_requested(); ++i)
        causes.push_back(causeOf(*analysis.run, analysis.steps, analysis.collectives, analysis.alignment,
                                 analysis.stalls, stalls.worst[i]));
    return causes;
}

} // namespace

std::shared_ptr<const RunFigures> figuresOf(std::shared_ptr<const RunAnalysis> analysis,
                                            const CategorySet& set, const CategoryTable& table,
                                            const BreakdownSelection& selection,
                                            const BreakdownSelection& stallsOf, const std::stop_token& stop) {
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
    figures->stalls = summariseStalls(*analysis, stallsOf);
    figures->causes = causesOf(*analysis, figures->stalls, RunFigures::kCauses, stop);
    // Sentences speak of the steps that the breakdown is over, and of them alone.
    const StallSummary within = summariseStalls(*analysis, selection);
    const std::vector<StallCause> causes = causesOf(*analysis, within, kCausesOfFindings, stop);
    if (stop.stop_requested())
        return nullptr;
    figures->findings = findingsOf(*analysis, set, figures->sum, figures->wall, within, causes);
    figures->portrait = portraitOf(*analysis);
    figures->analysis = std::move(analysis);
    return figures;
}

} // namespace lockstep
