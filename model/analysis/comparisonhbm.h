#pragma once

#include "model/analysis/comparison.h"
#include "model/analysis/hbm.h"

#include <string_view>

namespace lockstep {

/// What the HBM efficiency of a run is computed from: the model and hardware that are named (an empty
/// hardware: the GPU that the trace names), batch and step time as measured (the mean period; the wall time
/// where no step has a next one), GEMM and attention time as `sum` adds it up. The KV cache is left out:
/// traces do not say the context's length.
[[nodiscard]] Result<HbmInputs> hbmInputsOf(const RunAnalysis& analysis, const Breakdown& sum,
                                            const CategorySet& set, std::string_view model,
                                            std::string_view hardware);
/// The two efficiencies for a comparison. Errors: an unknown model or hardware, which is never guessed.
[[nodiscard]] Result<ComparedHbm> comparedHbm(const RunAnalysis& analysis, const CategoryTable& categories,
                                              const CategorySet& set, std::string_view model,
                                              std::string_view hardware);

} // namespace lockstep
