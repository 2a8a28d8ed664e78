#pragma once

#include "views/common/shownrun.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep {

/// Where a layer of one step lies on the run's clock, over all ranks: from the first rank's first kernel in
/// it to the first one of the next.
struct LayerMark {
    std::uint16_t layer = 0;
    TimeRange range;
};

/// The layers of a step, in order; none where the run is not analysed.
[[nodiscard]] std::vector<LayerMark> layersOf(const ShownRun& shown, std::size_t step);
/// The typical step whose wall time is the median of theirs; nothing where there is none.
[[nodiscard]] std::optional<std::size_t> medianStep(const ShownRun& shown);
/// The step to go to from `current`, or from what is visible where no step is chosen; nothing at the ends.
[[nodiscard]] std::optional<std::size_t>
neighbourStep(const ShownRun& shown, std::optional<std::size_t> current, TimeRange visible, int direction);

/// Where a step lies on each rank (like ShownRun::ranks), on the run's clock; empty ranges where it is not.
[[nodiscard]] std::vector<TimeRange> rangesOfStep(const ShownRun& shown, std::size_t step);

} // namespace lockstep
