#pragma once

#include "model/core/result.h"
#include "model/trace/rank.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// One file as `lockstep-cli info` shows it: counts, not events.
struct FileSummary {
    std::string file;
    std::optional<int> rank; ///< none: not a rank
    RankSource rankSource = RankSource::Order;
    std::string setAside; ///< why it is no rank; empty if it is
    int worldSize = 0;    ///< 0: not said
    std::string device;
    ImportReport report;
    std::uint64_t kernels = 0;
    TimeNs kernelSumNs = 0;
    std::optional<TimeRange> span; ///< of the GPU activities, on the rank's own clock
};

/// Counts of one trace.
[[nodiscard]] FileSummary summarise(const RankTrace& trace);

/// What `lockstep-cli info` found.
struct InfoDocument {
    std::vector<FileSummary> files;
    double loadSeconds = 0;
    std::uint64_t peakMemoryBytes = 0;
};

/// The document of `info --json`, schema lockstep.info/1.
[[nodiscard]] std::string infoJson(const InfoDocument& document);
/// The same as a table for people.
[[nodiscard]] std::string infoText(const InfoDocument& document);

} // namespace lockstep
