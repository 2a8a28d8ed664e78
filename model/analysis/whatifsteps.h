#pragma once

#include "model/analysis/whatif.h"
#include "model/analysis/whatifreplay.h"
#include "model/run/collectives.h"

#include <string>
#include <vector>

namespace lockstep {

/// One matched collective of a step, in the figures that a projection needs.
struct StepCollective {
    CollectiveKind kind = CollectiveKind::Other;
    CollectiveBackend backend = CollectiveBackend::Nccl;
    bool expertBlock = false;    ///< expert GEMMs or routing since the collective before
    bool attentionBlock = false; ///< attention since the collective before, and no experts
    double bytes = -1;
    double meanNs = 0;     ///< over its ranks, waiting included
    double waitNs = 0;     ///< mean over its ranks
    double transferNs = 0; ///< mean over its ranks
};

/// One step of the run, ready to be projected.
struct ProjectedStep {
    std::uint32_t step = 0;
    double periodNs = 0; ///< mean over ranks; 0: no next step
    double wallNs = 0;   ///< first begin to last end over all ranks, on the run's clock
    ReplayStep replay;
    std::vector<StepCollective> collectives; ///< like the replay's
    std::vector<std::vector<std::uint8_t>>
        labels; ///< like ReplayStep::ranks: index into ActivityLabels::labels
};

/// The chosen steps of `analysis` on the run's clock; steps that no rank has are left out.
[[nodiscard]] std::vector<ProjectedStep> projectedSteps(const RunAnalysis& analysis,
                                                        const ActivityLabels& labels,
                                                        const std::vector<std::uint32_t>& chosen);

/// Whether the label's id, name or group is `wanted` (case, spaces and punctuation do not matter).
[[nodiscard]] bool isLabel(const ActivityLabels::Label& label, std::string_view wanted);

} // namespace lockstep
