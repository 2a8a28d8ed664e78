#pragma once

#include "views/common/viewstate.h"

namespace lockstep {

/// The event before (`direction` < 0) or after `event` on its lane; `event` itself at the end of the lane.
[[nodiscard]] EventRef neighbourOf(const ShownRun& shown, EventRef event, int direction);
/// The first GPU event that begins in `range` (on the run's clock), on the first rank that has one; invalid
/// if none.
[[nodiscard]] EventRef firstEventIn(const ShownRun& shown, TimeRange range);

} // namespace lockstep
