#pragma once

#include "model/analysis/comparison.h"
#include "model/report/tables.h"

#include <nlohmann/json_fwd.hpp>

namespace lockstep {

/// The document of `compare --json` (schema "lockstep.comparison/1").
[[nodiscard]] nlohmann::ordered_json comparisonJson(const Comparison& comparison);
/// The comparison for a terminal: the weightiest finding is its first line, what differs about the runs next,
/// then all findings and tables.
[[nodiscard]] std::string comparisonText(const Comparison& comparison);

[[nodiscard]] ReportTable portraitTable(const Comparison& comparison);
[[nodiscard]] ReportTable comparedCategoriesTable(const Comparison& comparison);
[[nodiscard]] ReportTable comparedStepsTable(const Comparison& comparison);
/// Kernels that both runs have; at most `limit` rows (0: all).
[[nodiscard]] ReportTable comparedKernelsTable(const Comparison& comparison, std::size_t limit = 0);

} // namespace lockstep
