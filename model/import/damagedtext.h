#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

/// Just past the bracket that closes the object or array at `text[0]`, by strict JSON rules; nothing where it
/// is not closed within `text`.
[[nodiscard]] std::optional<std::size_t> strictEnd(std::string_view text);

/// Where the damaged event at `text[0]` seems to end: just past the first `}` that is followed by the start
/// of another event, or by the array's end.
struct LikelyEnd {
    std::size_t end = 0;
    bool arrayEnds = false;
};
[[nodiscard]] std::optional<LikelyEnd> likelyEnd(std::string_view text);

/// Whether the `]` at `text[0]` closes `traceEvents`: only a header key, a `}` or nothing may follow.
[[nodiscard]] bool closesArray(std::string_view text);

/// The event with what is certain put right: raw quotes inside a string escaped, control characters replaced
/// by spaces, invalid UTF-8 by U+FFFD, commas before a closing bracket dropped. The result may still not
/// parse.
[[nodiscard]] std::string repairedEvent(std::string_view event);

} // namespace lockstep
