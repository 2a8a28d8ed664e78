#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// One kind of damage that was put right: a code for scripts, and a sentence.
struct RepairedDamage {
    std::string_view code;
    std::string_view message;
};

/// What a repair changed.
struct Repair {
    std::string text; ///< may still not parse
    bool rawQuotes = false;
    bool controlCharacters = false;
    bool invalidUtf8 = false;
    bool strayCommas = false;
    bool loneBackslashes = false;

    /// One entry for each kind of damage that was put right.
    [[nodiscard]] std::vector<RepairedDamage> damage() const;
};
/// The event with what is certain put right: raw quotes and lone backslashes inside a string escaped, control
/// characters replaced by spaces, invalid UTF-8 by U+FFFD, commas before a closing bracket dropped.
[[nodiscard]] Repair repairedEvent(std::string_view event);

} // namespace lockstep
