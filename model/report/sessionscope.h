#pragma once

#include "model/report/reportsubject.h"
#include "model/report/session.h"

namespace lockstep {

/// What a session narrows a run to, for reports and exports: its step or steps, ranks, time and other
/// filters, each said in words too. Errors: its category rules cannot be read; nothing is left.
[[nodiscard]] Result<ReportScope> scopeOf(const Session& session, const RunAnalysis& analysis);

} // namespace lockstep
