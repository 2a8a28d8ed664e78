#pragma once

#include "model/analysis/breakdown.h"
#include "model/analysis/stalls.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

/// How late a rank was in one step or layer.
struct LateCell {
    TimeNs causedNs = 0;           ///< what the other ranks waited for it, added up
    TimeNs worstSkewNs = 0;        ///< of the collectives that it was last in
    std::uint32_t worst = 0;       ///< the stall of that skew, index into StallTable::stalls
    std::uint32_t last = 0;        ///< collectives in which it arrived last, beyond the alignment's residual
    std::uint32_t collectives = 0; ///< of this step or layer
};

/// Lateness by rank and column; head transients are left out.
struct LateMap {
    std::vector<std::uint32_t> columns; ///< steps (indices into StepTable::steps) or layers, ascending
    std::vector<LateCell> cells;        ///< a row of columns for each rank of the run

    [[nodiscard]] const LateCell& at(std::size_t rank, std::size_t column) const {
        return cells[rank * columns.size() + column];
    }
};

/// Whether the same rank is late again and again.
enum class LatePattern : std::uint8_t { Unknown, Random, Systematic };

/// Who waited for whom in the chosen steps, layer and ranks.
struct StallSummary {
    std::vector<RankStalls> ranks;    ///< like Run::ranks; head transients included
    std::size_t collectives = 0;      ///< chosen and matched
    std::size_t counted = 0;          ///< of them, with a skew beyond the residual and no head transient
    std::vector<std::uint32_t> worst; ///< indices into StallTable::stalls, largest skew first
    LateMap byStep;
    LateMap byLayer;
    LatePattern pattern = LatePattern::Unknown;
    std::size_t mostLate = 0; ///< the rank (index) that is last most often
    double mostLateShare = 0; ///< of `counted`, 0 to 1
    std::string patternText;  ///< the pattern in a sentence, with its figures
};

/// Sums up the stalls of the chosen steps (all, outside steps too, where none are named), layer and ranks
/// (a stall counts by its straggler). Systematic: the rank is last in a quarter more collectives than
/// chance would have it, and by more than four standard deviations of a fair draw.
[[nodiscard]] StallSummary summariseStalls(const RunAnalysis& analysis,
                                           const BreakdownSelection& selection = {});

} // namespace lockstep
