#pragma once

#include "model/analysis/runanalysis.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockstep {

/// What of an analysis is reported; sums over steps were chosen when the stalls were attributed.
struct AnalysisSelection {
    std::optional<std::uint32_t> firstStep;
    std::optional<std::uint32_t> lastStep; ///< inclusive
    std::optional<std::size_t> rank;       ///< index into Run::ranks: only this rank's figures
    std::size_t worstStalls = 50;
    /// Further members of the document, each a name and its value as JSON text; they stand in order, and
    /// replace what has the same name ("hbm").
    std::vector<std::pair<std::string, std::string>> sections;

    [[nodiscard]] bool holdsStep(std::size_t step) const {
        return step >= firstStep.value_or(0) && (!lastStep || step <= *lastStep);
    }
};

/// The analysis document, `lockstep.analysis/1`.
[[nodiscard]] std::string analysisJson(const RunAnalysis& analysis, const AnalysisSelection& selection = {});
/// The same as a summary for people: a screenful of plain text.
[[nodiscard]] std::string analysisText(const RunAnalysis& analysis, const AnalysisSelection& selection = {});

} // namespace lockstep
