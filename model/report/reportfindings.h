#pragma once

#include "model/analysis/whatif.h"
#include "model/report/reportsubject.h"

#include <string>
#include <vector>

namespace lockstep {

/// What the run says, in sentences, weightiest first: what a step takes, what holds it back, how much of
/// all-reduce is waiting, who is late and why, what expert parallelism would give, within bounds.
/// `expertParallel` is its projection; null: there is nothing that it would replace.
[[nodiscard]] std::vector<std::string> findingsOf(const ReportSubject& subject,
                                                  const WhatIfResult* expertParallel);

} // namespace lockstep
