#pragma once

#include "model/analysis/runanalysis.h"
#include "model/core/result.h"

#include <cstdint>
#include <stop_token>
#include <string>

namespace lockstep {

/// What a merged file came to hold.
struct MergedTrace {
    std::uint64_t events = 0; ///< of the ranks
    std::uint64_t waits = 0;  ///< slices added
    std::uint64_t stalls = 0; ///< instants added
    std::uint64_t bytes = 0;  ///< of text, before compression
};

/// Writes all ranks of `analysis` to `path` as one Chrome trace on the aligned clock: process, flow and
/// correlation ids unique to the rank, its processes named "rank N …", each wait as a slice and each stall as
/// an instant of their own. The ranks' files are read again, in bounded windows. What `path` ends in (.gz,
/// .zst) decides the compression; the file has its name only once it is whole.
/// Errors: a rank's file is gone; the ranks come from a merged file already; `path` cannot be written.
[[nodiscard]] Result<MergedTrace> writeMergedTrace(const RunAnalysis& analysis, const std::string& path,
                                                   std::stop_token stop = {});

} // namespace lockstep
