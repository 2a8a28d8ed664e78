#pragma once

#include "model/run/steps.h"
#include "model/run/stepsources.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lockstep {

struct Run;

/// Which steps of different ranks are one: a row for each joined step, in time order, with each rank's local
/// index or -1.
struct JoinedSteps {
    std::vector<std::vector<std::int32_t>> rows;
    std::vector<std::string> notes;
};

/// Joins by overlap in time on the rough clocks; where ranks share no collectives and their clocks do not
/// agree, by order. `ranks` holds each rank's own steps.
[[nodiscard]] JoinedSteps joinSteps(const Run& run, std::span<const std::span<const LocalStep>> ranks,
                                    std::span<const RoughClock> clocks);

} // namespace lockstep
