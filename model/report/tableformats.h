#pragma once

#include "model/report/tables.h"

#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

/// An object with `title`, `columns`, `rows` (an array of arrays; numbers as numbers, empty cells null) and
/// `notes`.
[[nodiscard]] std::string toJsonText(const ReportTable& table);
/// A LaTeX `tabular`, every special character escaped; notes as comments.
[[nodiscard]] std::string toLatex(const ReportTable& table);
/// An HTML table; everything is text.
[[nodiscard]] std::string toHtml(const ReportTable& table);

/// The table as the file ending says ("csv", "md", "json", "tex"); nothing for any other. Bytes that are no
/// text are replaced first.
[[nodiscard]] std::optional<std::string> tableAs(const ReportTable& table, std::string_view ending);

} // namespace lockstep
