#pragma once

#include "model/core/result.h"
#include "model/synthetic/plannedstep.h"

#include <string_view>
#include <vector>

namespace lockstep {

/// Names of all presets.
[[nodiscard]] std::vector<std::string_view> syntheticPresets();
/// The step of preset `name`, calibrated to the case study. Error: no such preset.
[[nodiscard]] Result<PlannedStep> plannedStep(std::string_view name);

/// Kimi-K2.5 INT4 on vLLM with Marlin: all-reduces on a stream of their own, overlapped with compute.
[[nodiscard]] PlannedStep kimiStep();
/// GLM-5 NVFP4 on SGLang: every GEMM preceded by a cast of its weights, all on one stream.
[[nodiscard]] PlannedStep glmStep();

/// The NCCL all-reduce over `elements` bf16 values, as it looks in a trace.
[[nodiscard]] SyntheticKernel ncclAllReduce(int elements);

} // namespace lockstep
