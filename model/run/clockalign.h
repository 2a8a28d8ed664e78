#pragma once

#include "model/core/ids.h"
#include "model/core/rankclock.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct Run;
struct CollectiveTable;
struct StepTable;

enum class AlignmentMethod : std::uint8_t { Collectives, WallClock, FirstStep, None };
[[nodiscard]] std::string_view
nameOf(AlignmentMethod method); // "collectives", "wall_clock", "first_step", "none"

/// All ranks on one clock, and how well.
struct ClockAlignment {
    AlignmentMethod method = AlignmentMethod::None;
    std::size_t reference = 0;          ///< index into Run::ranks
    std::vector<RankClock> ranks;       ///< like Run::ranks
    std::size_t matchedCollectives = 0; ///< used for the fit
    double residualP50Ns = 0;
    double residualP99Ns = 0;
    std::size_t causalityViolations =
        0; ///< ranks that leave a collective before the last has entered, beyond the residual
    bool uncertain = false;
    std::vector<std::string> notes; ///< why uncertain, which fallback, bases that differ …
};

/// Fits each rank's clock so that the ends of matched synchronising collectives meet (definitions.md,
/// Alignment).
[[nodiscard]] ClockAlignment alignClocks(const Run& run, const StepTable& steps,
                                         const CollectiveTable& collectives);

} // namespace lockstep
