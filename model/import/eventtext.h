#pragma once

#include "model/core/result.h"
#include "model/trace/rank.h"

#include <string>
#include <vector>

namespace lockstep {

/// One entry of an event's `args`, as text for people.
struct EventArgument {
    std::string key;
    std::string value; ///< a string without its quotes, anything else as JSON
};

/// The JSON text of an event, read again from its file (a compressed one is decompressed from its start).
/// Errors: the file is gone or has changed.
[[nodiscard]] Result<std::string> readEventText(const RankTrace& trace, EventId event);
/// All of the event's arguments in the order of the file, those included that no column keeps.
[[nodiscard]] Result<std::vector<EventArgument>> readEventArguments(const RankTrace& trace, EventId event);

} // namespace lockstep
