#pragma once

#include "model/analysis/breakdown.h"
#include "model/analysis/runanalysis.h"
#include "model/core/result.h"
#include "model/import/summarytable.h"
#include "model/report/analysisjson.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::cli {

/// What `analyze` was asked beyond steps, clocks and stalls.
struct SectionArguments {
    std::string attribution = "sum";
    std::string model;
    std::string hardware;
    std::string categories;
    std::string serving;
    std::optional<int> batch;
    std::optional<int> tensorParallel;
    std::int64_t contextTokens = 0;
};

/// Breakdown, HBM efficiency and the check against the profiler's own tables.
struct Sections {
    std::vector<std::pair<std::string, std::string>> json; ///< for AnalysisSelection::sections
    std::string text;                                      ///< below the summary
};

/// The paths of profiler tables among what the user named: the files themselves, and those in folders.
[[nodiscard]] std::vector<std::string> summaryTableFiles(const std::vector<std::string>& paths);

/// Computes the sections of one analysed run. Errors: unreadable rules, tables or results; an unknown model
/// or device.
[[nodiscard]] Result<Sections> sectionsOf(const RunAnalysis& analysis, const AnalysisSelection& selection,
                                          const SectionArguments& arguments,
                                          const std::vector<std::string>& tableFiles);

/// A run that is known by the profiler's tables only: the whole document, or the text.
struct TablesOnly {
    std::string json;
    std::string text;
};
[[nodiscard]] Result<TablesOnly> analyzeTables(const std::vector<std::string>& tableFiles,
                                               const SectionArguments& arguments);

} // namespace lockstep::cli
