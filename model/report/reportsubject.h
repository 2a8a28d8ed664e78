#pragma once

#include "model/analysis/breakdown.h"
#include "model/analysis/comparison.h"
#include "model/analysis/runanalysis.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// All that figures, tables and reports of one run are made from.
struct ReportSubject {
    std::shared_ptr<const RunAnalysis> analysis;
    CategoryRules rules;
    CategoryTable categories;
    std::string categoriesVersion; ///< "built-in" or the user's file, and a hash of the rules
    Breakdown sum;
    Breakdown wall;
    std::vector<std::string> sources;  ///< file names with their hashes
    std::optional<std::uint32_t> step; ///< the one that was chosen, else none
};

/// Categorises and breaks down `analysis`; over `step` alone where one is given. `categoriesFile` as in
/// CategoryRules::load. Errors: the rules cannot be read; there is no such step.
[[nodiscard]] Result<ReportSubject> reportSubject(std::shared_ptr<const RunAnalysis> analysis,
                                                  const std::string& categoriesFile,
                                                  std::optional<std::uint32_t> step = {});

/// The chosen step, else the typical one of median wall time; nothing where there are no steps.
[[nodiscard]] std::optional<std::uint32_t> shownStep(const ReportSubject& subject);

/// `a` compared with `b`.
[[nodiscard]] Comparison compareSubjects(const ReportSubject& a, const ReportSubject& b,
                                         Attribution attribution);

/// What a picture or table is of, a line each: files with their hashes, steps and ranks, attribution,
/// categories, version.
[[nodiscard]] std::vector<std::string> provenanceOf(const ReportSubject& subject);

} // namespace lockstep
