#pragma once

#include "model/analysis/hbmdevice.h"
#include "model/analysis/hbmmodel.h"
#include "model/core/ids.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// All that the HBM efficiency is computed from; each of it visible, and to be changed by the user.
struct HbmInputs {
    HbmModel model;
    HbmDevice device;
    int batch = 1;
    int tensorParallel = 1;         ///< GPUs that share the sharded weights
    std::int64_t contextTokens = 0; ///< a sequence; 0: the KV cache is left out, which is said
    std::optional<TimeNs> stepNs;   ///< the step's period, or the unprofiled time per output token
    std::optional<TimeNs> kernelNs; ///< GEMM and attention kernels alone, a step
    std::string stepTimeSource;     ///< where stepNs comes from, in words
};

/// One line of the byte model: what a step must read of one kind, on one GPU.
struct HbmTerm {
    std::string name;
    std::string formula; ///< the arithmetic, with its numbers
    std::string width;
    double elements = 0; ///< over the whole model
    double bytes = 0;    ///< on one GPU, scales included
    bool sharded = true; ///< false: whole on every GPU
    bool keyValueCache = false;
};

/// Bytes a step must read on one GPU, against what the memory could deliver.
struct HbmResult {
    HbmInputs inputs;
    std::vector<HbmTerm> terms;
    double weightBytes = 0;
    double keyValueBytes = 0;
    std::optional<double> stepPercent;        ///< absent where a time is missing, or the result impossible
    std::optional<double> stepWeightsPercent; ///< the same before the KV cache
    std::optional<double> kernelPercent;
    std::optional<double> reportedPercent; ///< what the case study reports for this model, never computed
    std::vector<std::string> problems;     ///< sentences: a figure over 100 %, …

    [[nodiscard]] double bytes() const { return weightBytes + keyValueBytes; }
};

/// Experts of E that a batch of B tokens is expected to hit, k a token: E·(1 − (1 − k/E)^B).
[[nodiscard]] double expectedExpertsHit(std::int64_t experts, std::int64_t perToken, int batch);

/// The byte model and both efficiencies (definitions.md, HBM efficiency). A figure over 100 % is a wrong
/// input: it is reported as a problem and not given.
[[nodiscard]] HbmResult hbmEfficiency(const HbmInputs& inputs);

/// The `hbm` object of the analysis document.
[[nodiscard]] nlohmann::ordered_json hbmJson(const HbmResult& result);
/// The same as readable text, one term a line.
[[nodiscard]] std::string hbmText(const HbmResult& result);

} // namespace lockstep
