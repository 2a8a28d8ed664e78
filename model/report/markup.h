#pragma once

#include <string>
#include <string_view>

namespace lockstep {

/// Text as every format takes it: bytes that are no UTF-8 and control characters (but tab and newline)
/// replaced by U+FFFD.
[[nodiscard]] std::string validText(std::string_view text);
/// The same, with markup escaped, for XML and HTML.
[[nodiscard]] std::string escapedMarkup(std::string_view text);

} // namespace lockstep
