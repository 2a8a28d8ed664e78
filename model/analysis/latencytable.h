#pragma once

#include "model/core/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// One measured collective of a micro-benchmark.
struct LatencySample {
    std::string collective; ///< "allreduce", "alltoall" …: as nameOf(CollectiveKind) writes them
    double bytes = 0;       ///< message size
    int ranks = 0;          ///< 0: not given
    double microseconds = 0;
    std::string backend; ///< "nccl", "custom" …; empty: not given
};

/// What a question to the table was answered from.
struct LatencyAnswer {
    double microseconds = 0;
    bool extrapolated = false; ///< outside the measured sizes: the nearest one's figure
    std::string basis;         ///< a sentence with the neighbours
};

/// How long collectives take by message size, measured apart from any trace.
struct LatencyTable {
    std::vector<LatencySample> samples;
    std::vector<std::string> notes; ///< lines that could not be read …

    /// µs of `collective` over `bytes` with `ranks` members (0: any) by `backend` (empty: any), between
    /// neighbouring sizes linearly in log bytes and log µs. Nothing where the table has no such collective.
    [[nodiscard]] std::optional<LatencyAnswer> at(std::string_view collective, double bytes, int ranks = 0,
                                                  std::string_view backend = {}) const;
};

/// Reads a CSV table (a header names collective, bytes, ranks, µs and backend, in any order) or the text that
/// nccl-tests print. Errors: unreadable; no line in it that measures a collective.
[[nodiscard]] Result<LatencyTable> readLatencyTable(const std::string& file);
/// The same from text; `file` is for messages, and names the collective where nccl-tests' text does not
/// ("all_reduce_perf.txt").
[[nodiscard]] Result<LatencyTable> parseLatencyTable(std::string_view text, const std::string& file);
/// "all_reduce", "AllReduce", "all-reduce_perf" → "allreduce"; others likewise; unknown names stay, in lower
/// case.
[[nodiscard]] std::string collectiveName(std::string_view text);

} // namespace lockstep
