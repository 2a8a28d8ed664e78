#pragma once

namespace lockstep {

struct Run;
struct StepTable;

/// Marks the steps that averages leave out, and says why: far off by wall time or period, cut by the
/// capture's ends, missing on some ranks.
void judgeSteps(const Run& run, StepTable& table);

} // namespace lockstep
