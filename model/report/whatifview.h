#pragma once

#include "model/analysis/whatif.h"
#include "model/report/figures.h"
#include "model/report/tables.h"

namespace lockstep {

/// Expert parallelism as the case study projects it: the all-reduce of every mixture-of-experts layer becomes
/// an all-to-all of 19 µs, a figure that was not measured here.
[[nodiscard]] WhatIfInputs expertParallelInputs();

/// projectRun() over the subject's steps, with its categories.
[[nodiscard]] Result<WhatIfResult> projectSubject(const ReportSubject& subject, WhatIfInputs inputs);

/// The measured step and the projected ones, a bar each, with what is saved hatched; the arithmetic below.
[[nodiscard]] std::string whatIfFigure(const ReportSubject& subject, const WhatIfResult& result,
                                       FigureSize size = {});
/// A row a projection; the arithmetic as notes.
[[nodiscard]] ReportTable whatIfTable(const WhatIfResult& result);

} // namespace lockstep
