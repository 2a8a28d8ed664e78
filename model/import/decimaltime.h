#pragma once

#include "model/core/ids.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep {

/// Decimal microseconds as written (12, 12.345, 1.2e3, -4) to nanoseconds, exact; what is finer than a
/// nanosecond is rounded to the nearest. Nothing where the text is not wholly a number or does not fit.
[[nodiscard]] std::optional<TimeNs> parseMicroseconds(std::string_view text);
/// A decimal or 0x-hexadecimal whole number that fits; nothing else.
[[nodiscard]] std::optional<std::int64_t> parseInteger(std::string_view text);

} // namespace lockstep
