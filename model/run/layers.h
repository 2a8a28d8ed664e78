#pragma once

#include "model/run/kernelnames.h"
#include "model/run/stepsources.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

/// The layers of one step: for each of its activities (indices into view.activities, ascending) the layer
/// from 0, or RankActivities::kNoLayer before the first and after the last. Found from the attention kernels
/// that collectives part, else from the names that occur equally often.
[[nodiscard]] std::vector<std::uint16_t> findLayers(const RankView& view,
                                                    std::span<const std::uint32_t> step);

} // namespace lockstep
