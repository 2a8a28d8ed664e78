#pragma once

#include "model/analysis/breakdown.h"
#include "model/analysis/comparison.h"
#include "model/analysis/runanalysis.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockstep {

/// The rules that a report takes, and what it is narrowed to.
struct ReportScope {
    std::string categoriesFile;            ///< as in CategoryRules::load
    std::optional<std::uint32_t> step;     ///< this step alone; goes before `steps`
    std::vector<std::uint32_t> steps;      ///< these steps; empty: the typical ones
    std::vector<std::size_t> ranks;        ///< indices into Run::ranks; empty: all
    std::set<std::int64_t> streams;        ///< these alone; empty: all
    std::set<std::uint8_t> onlyCategories; ///< indices into CategorySet::categories; empty: all
    std::optional<CategoryRules> rules;    ///< edited ones, in the place of the file's
    std::vector<std::string> filters;      ///< for the provenance: what was filtered, in words
};

/// A trace file that the numbers come from.
struct ReportSource {
    std::string name;
    std::string sha256; ///< 64 hexadecimal digits; empty where it could not be read again
    std::string damage; ///< "cut", "3 events skipped"; empty: whole
};

/// All that figures, tables and reports of one run are made from.
struct ReportSubject {
    std::shared_ptr<const RunAnalysis> analysis;
    CategoryRules rules;
    CategoryTable categories;
    std::string categoriesVersion; ///< "built-in" or the user's file, and a hash of the rules
    Breakdown sum;
    Breakdown wall;
    std::vector<ReportSource> sources;
    std::optional<std::uint32_t> step; ///< the one that was chosen, else none
    BreakdownSelection selection;      ///< of steps and ranks; empty: all typical ones, all
    std::vector<std::string> filters;  ///< as in ReportScope
};

/// Categorises and breaks down `analysis`. Errors: the rules cannot be read; there is no such step.
[[nodiscard]] Result<ReportSubject> reportSubject(std::shared_ptr<const RunAnalysis> analysis,
                                                  const ReportScope& scope = {});

/// The chosen step, else that of median length among those chosen, else among the typical ones; nothing where
/// there are no steps.
[[nodiscard]] std::optional<std::uint32_t> shownStep(const ReportSubject& subject);

/// `a` compared with `b`.
[[nodiscard]] Comparison compareSubjects(const ReportSubject& a, const ReportSubject& b,
                                         Attribution attribution);

/// What a picture or table is of, beside its subject.
struct ProvenanceOf {
    /// Chosen: the chosen steps, else the typical ones. Capture: the chosen steps, else all, and what lies
    /// between. Everything: the whole capture on all ranks, whatever is chosen.
    enum class Over : std::uint8_t { Chosen, Capture, Everything };

    std::optional<Attribution> attribution; ///< where its numbers have one
    std::optional<std::uint32_t> step;      ///< where it shows one step, chosen or not
    bool wholeHashes = true;                ///< else their first 16 digits, for narrow footers
    Over over = Over::Chosen;
};

/// Where the numbers come from, a line each: files with their hashes and damage; steps, ranks, filters,
/// attribution, categories and version.
[[nodiscard]] std::vector<std::string> provenanceOf(const ReportSubject& subject,
                                                    const ProvenanceOf& what = {});

} // namespace lockstep
