#pragma once

#include "model/core/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// One run of a serving benchmark: what users saw, without a profiler. Times in milliseconds, as the
/// benchmarks write them.
struct ServingResult {
    std::string backend; ///< "vllm", "sglang" …; empty if not given
    std::string model;
    std::optional<double> maxConcurrency;
    std::optional<double> requestRate; ///< a second; absent if not given or unlimited
    std::optional<double> completed;   ///< requests
    std::optional<double> durationSeconds;
    std::optional<double> meanTpotMs;
    std::optional<double> medianTpotMs;
    std::optional<double> p99TpotMs;
    std::optional<double> meanItlMs;
    std::optional<double> medianItlMs;
    std::optional<double> p99ItlMs;
    std::optional<double> meanTtftMs;
    std::optional<double> medianTtftMs;
    std::optional<double> p99TtftMs;
    std::optional<double> outputThroughput; ///< tokens a second

    /// The time per output token to compare a step with: the median, else the mean, else the median
    /// inter-token latency.
    [[nodiscard]] std::optional<double> tpotMs() const;
    /// Which of them tpotMs() is, in words.
    [[nodiscard]] std::string_view tpotSource() const;
};

/// Reads vLLM's `bench serve --save-result` (one JSON object, or a list of them) and SGLang's `bench_serving`
/// (one JSON object a line). Errors: unreadable; no object with a time per output token in it.
[[nodiscard]] Result<std::vector<ServingResult>> readServingResults(const std::string& file);
/// The same from text; `file` is for messages.
[[nodiscard]] Result<std::vector<ServingResult>> parseServingResults(std::string_view text,
                                                                     const std::string& file);
/// The result whose concurrency is nearest to `concurrency` (in ratio); the first where none says its own.
/// `results` must not be empty.
[[nodiscard]] const ServingResult& servingResultFor(const std::vector<ServingResult>& results,
                                                    double concurrency);

} // namespace lockstep
