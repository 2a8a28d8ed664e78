#pragma once

#include "views/common/viewstate.h"

namespace lockstep {

/// The event before (`direction` < 0) or after `event` on its lane; `event` itself at the end of the lane.
[[nodiscard]] EventRef neighbourOf(const ShownRun& shown, EventRef event, int direction);
/// The first GPU event that begins in `range` (on the run's clock), on the first rank that has one; invalid
/// if none.
[[nodiscard]] EventRef firstEventIn(const ShownRun& shown, TimeRange range);

/// What caused `event`: a GPU activity's launch, a launch's CPU op; invalid where none was captured.
[[nodiscard]] EventRef causeOfEvent(const ShownRun& shown, EventRef event);
/// What `event` led to: a CPU op's first launch, a launch's first GPU activity; invalid where there is none.
[[nodiscard]] EventRef effectOfEvent(const ShownRun& shown, EventRef event);
/// The stall after (`direction` > 0) or before `current` in the order of skew, worst first, head transients
/// left out and what `filters` leave out (of categories, where those are known); the worst where none is
/// current. Nothing at the ends.
[[nodiscard]] std::optional<std::uint32_t> neighbourStall(const ShownRun& shown, const Filters& filters,
                                                          const ShownCategories* categories,
                                                          std::optional<std::uint32_t> current,
                                                          int direction);

} // namespace lockstep
