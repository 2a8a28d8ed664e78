#pragma once

#include "model/analysis/latencytable.h"
#include "model/core/ids.h"
#include "model/core/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct RunAnalysis;

/// The category of every GPU activity, by name; what a what-if must know of the categories.
struct ActivityLabels {
    struct Label {
        std::string id;    ///< "moe_gemm"
        std::string label; ///< "MoE GEMMs"
        std::string group; ///< id of its group
    };
    std::vector<Label> labels;
    std::vector<std::vector<std::uint8_t>>
        label; ///< by rank, like RankActivities::events; indices into labels
};

/// One named change of the measured step.
struct Substitution {
    enum class Kind : std::uint8_t { Replace, Scale, NoStalls, FuseCast, Drop };
    /// One collective put in place of another, and its time a call; without one the latency table is asked.
    struct Part {
        std::string collective;
        std::optional<double> microseconds;
    };
    Kind kind = Kind::NoStalls;
    std::string target; ///< Replace, Scale: a collective's kind ("allreduce") or a category; Drop: a category
    std::string scope;  ///< of a collective: "" all, "moe", "attention", "nccl", "custom", "fused"
    std::vector<Part> parts; ///< Replace
    double factor = 1;       ///< Scale
};

/// `allreduce:moe=alltoall@19us`, or two parts joined by `+` (`dispatch@9us+combine@12us`); a part without a
/// time takes it from the latency table.
[[nodiscard]] Result<Substitution> parseReplacement(const std::string& text);
/// `allreduce=0.5`, `allreduce:custom=0.1`, `attention=0.8`.
[[nodiscard]] Result<Substitution> parseScale(const std::string& text);

struct WhatIfInputs {
    std::vector<Substitution>
        substitutions; ///< applied in this order, each to what the ones before have left
    double imbalance =
        1; ///< expert GEMMs of the busiest rank ÷ the mean, where experts are spread over ranks
    std::optional<LatencyTable> latencies;
    double messageBytes = 0;             ///< of a collective whose size the trace does not tell; 0: not known
    std::vector<std::uint32_t> steps;    ///< indices into StepTable::steps; empty: the typical ones
    std::optional<double> servingTpotMs; ///< unprofiled: the time that savings are taken from, where given
    std::string servingSource;
};

/// One line of the arithmetic: a substitution, a step.
struct WhatIfLine {
    std::string name;       ///< "60 MoE all-reduces become all-to-alls"
    std::string arithmetic; ///< "60 × (78 − 19) µs = 3.54 ms, 29.3 % of 12.1 ms"
    double callsPerStep = 0;
    double fromUs = 0;     ///< a call, mean; waiting included
    double transferUs = 0; ///< of it, moving data; 0 for what is no collective
    double toUs = 0;
    double naiveMs = 0;                ///< saved: calls × difference of a call
    double transferOnlyMs = 0;         ///< saved if only the transfer part gains and waiting stays
    std::optional<double> breakEvenUs; ///< a call of the replacement at which the naive figure gains nothing
    std::optional<double> transferBreakEvenUs; ///< the same of the transfer-only figure
    std::string remark;
};

/// A projected step.
struct Projection {
    double savedMs = 0;
    double tpotMs = 0;
    double percent = 0; ///< saved, of the baseline
};

struct WhatIfResult {
    double periodMs = 0;   ///< begin of a step to begin of the next, mean over the chosen steps and ranks
    double wallMs = 0;     ///< over all ranks, mean over the chosen steps
    double baselineMs = 0; ///< periodMs, or the unprofiled time per output token
    std::string baselineSource;
    std::size_t steps = 0;
    std::vector<WhatIfLine> lines;
    Projection naive;
    Projection transferOnly;
    Projection replayed;            ///< re-simulated over all ranks
    Projection replayedWithoutHost; ///< the same were the host's launches no limit, as in a CUDA graph
    double replayErrorPercent = 0;  ///< of the wall time, when nothing is changed
    double savedLowMs = 0;          ///< the least and the most of the three
    double savedHighMs = 0;
    std::optional<double> replayBreakEvenUs; ///< of the first replacement, found by replaying
    std::vector<std::string> notes;
};

/// Projects the chosen steps of a run with the substitutions made (definitions.md, What-if). Errors: no step
/// to project from; a target that the run does not have; a time that neither the user nor the table gives.
[[nodiscard]] Result<WhatIfResult> projectRun(const RunAnalysis& analysis, const ActivityLabels& labels,
                                              const WhatIfInputs& inputs);

[[nodiscard]] nlohmann::ordered_json whatIfJson(const WhatIfResult& result);
[[nodiscard]] std::string whatIfText(const WhatIfResult& result);

} // namespace lockstep
