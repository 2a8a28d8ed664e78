#pragma once

#include "views/common/colourrole.h"
#include "views/common/shownrun.h"

namespace lockstep {

/// The colour role of an event by its kind alone.
[[nodiscard]] ColourRole roleOfKind(EventKind kind);
/// The colour role of an event of rank `rank` (index), with what the analysis knows of it.
[[nodiscard]] ColourRole roleOf(const ShownRun& shown, std::size_t rank, EventId event);

} // namespace lockstep
