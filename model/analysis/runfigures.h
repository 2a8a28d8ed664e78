#pragma once

#include "model/analysis/categories.h"
#include "model/analysis/kernelstats.h"
#include "model/analysis/runfindings.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace lockstep {

/// All figures of the chosen steps, layer and ranks that the panels show; shared, immutable.
struct RunFigures {
    static constexpr std::size_t kCauses = 200; ///< so many of the worst stalls are explained

    std::shared_ptr<const RunAnalysis> analysis;
    CategorySet set;
    BreakdownSelection selection; ///< as asked for: no steps means the typical ones
    Breakdown sum;
    Breakdown wall;
    KernelStatsTable kernels;
    StallSummary stalls;            ///< of the chosen steps; of the whole capture where none are chosen
    std::vector<StallCause> causes; ///< of the first of stalls.worst
    std::vector<Finding> findings;
    RunPortrait portrait; ///< what the run is, guesses included

    [[nodiscard]] const Breakdown& breakdown(Attribution attribution) const {
        return attribution == Attribution::Sum ? sum : wall;
    }
};

/// Works the figures out, those of stalls over `stallsOf`; null where `stop` was asked for meanwhile. A pass
/// over all chosen events: not on the GUI thread.
[[nodiscard]] std::shared_ptr<const RunFigures> figuresOf(std::shared_ptr<const RunAnalysis> analysis,
                                                          const CategorySet& set, const CategoryTable& table,
                                                          const BreakdownSelection& selection = {},
                                                          const BreakdownSelection& stallsOf = {},
                                                          const std::stop_token& stop = {});

} // namespace lockstep
