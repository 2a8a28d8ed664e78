#pragma once

#include "model/core/ids.h"

#include <QString>
#include <cstdint>
#include <string_view>

namespace lockstep {

/// A length of time with four significant digits in µs, ms or s, by its size: "4.864 µs", "12.10 ms".
[[nodiscard]] QString durationText(TimeNs duration);
/// A moment since the run's begin, exact to the nanosecond: "4.250 163 ms" without the gap.
[[nodiscard]] QString momentText(TimeNs sinceBegin);
/// A count with thousands separated: "1,234,567".
[[nodiscard]] QString countText(std::uint64_t count);
/// A size in the unit that suits it: "7.4 MB" (10^6).
[[nodiscard]] QString bytesText(double bytes);
/// The word for `count` things: "1 file", "2 files".
[[nodiscard]] QString countedText(std::uint64_t count, const QString& one, const QString& many);
/// What people call a kernel: its name without return type, namespaces, template and call arguments. A view
/// into `name`.
[[nodiscard]] std::string_view shortName(std::string_view name);
/// Text from a trace, which may hold bytes that are no UTF-8.
[[nodiscard]] QString traceText(std::string_view text);

} // namespace lockstep
