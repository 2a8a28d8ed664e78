#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep {

/// What of an event changes when it goes into a merged file; each a JSON token.
struct EventChanges {
    std::string pid;
    std::string time;     ///< empty: the event has no usable `ts`, and keeps what it has
    std::string name;     ///< empty: it keeps its own
    std::size_t part = 0; ///< whose ids these are
};

/// Appends the event `text` to `out` with those changes made, its flow and correlation ids made unique to the
/// part, and what is no JSON value (`nan`, `N/A`) in quotes; all else stays as it is written.
void appendMergedEvent(std::string_view text, const EventChanges& changes, std::string& out);

} // namespace lockstep
