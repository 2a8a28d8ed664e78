#pragma once

#include "model/analysis/breakdown.h"

#include <nlohmann/json_fwd.hpp>

namespace lockstep {

/// The `breakdown` object of the analysis document: its keys, and beside them `groups` (the case study's
/// lines), `not_in_total` (copies and memsets, in sum attribution), `ranks`, and the busy, idle, kernel and
/// exposed time a step. A row of `rows` is one category; those of a group add up to the group.
[[nodiscard]] nlohmann::ordered_json breakdownJson(const Breakdown& breakdown);

} // namespace lockstep
