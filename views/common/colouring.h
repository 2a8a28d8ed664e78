#pragma once

#include "model/trace/rank.h"
#include "views/common/colourrole.h"

namespace lockstep {

/// The colour role of an event by its kind alone.
[[nodiscard]] ColourRole roleOfKind(EventKind kind);

} // namespace lockstep
