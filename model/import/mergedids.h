#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

/// Ids of one rank (flows, correlations) made unique among the ranks of one file: 1234 of the fourth rank
/// (part 3) becomes 40000001234, any other text `rank3/text`. Negative numbers and zero mean "none" and stay.
/// `token` is JSON: a number, or a string with its quotes.
[[nodiscard]] std::string mergedId(std::string_view token, std::size_t part);
/// The id as it was, from the text (without quotes) of one that mergedId made; a part of `text`.
[[nodiscard]] std::string_view originalId(std::string_view text);

/// The process id that stands for the `place`-th process of part `part`.
[[nodiscard]] std::string mergedPid(std::size_t part, std::size_t place);
/// The part that a process id belongs to; nothing where mergedPid did not make it.
[[nodiscard]] std::optional<std::size_t> partOfPid(std::string_view pid);

} // namespace lockstep
