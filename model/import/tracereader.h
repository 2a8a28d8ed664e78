#pragma once

#include "model/core/result.h"
#include "model/trace/rank.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace lockstep {

struct FileProgress;

struct ReadOptions {
    std::size_t windowBytes = 1024 * 1024;  ///< of decompressed text parsed at once
    std::size_t maxEventBytes = 256u << 20; ///< an event larger than this is not waited for
    FileProgress* progress = nullptr;
    std::stop_token stop;
    std::function<void(std::shared_ptr<const RankTrace>)>
        onPartial; ///< what has been read so far, now and then
};

/// Reads one trace file whole, in bounded windows: one trace, or, of ranks merged into one file, each of
/// them. Damage is counted in the report and the rest goes on. The rank is set from the content where it says
/// one, else −1. Errors: no such file, no trace in it, cancelled.
[[nodiscard]] Result<std::vector<RankTrace>> readRanks(const std::string& path,
                                                       const ReadOptions& options = {});
/// The same of a file of one rank; of a merged one, its first.
[[nodiscard]] Result<RankTrace> readTrace(const std::string& path, const ReadOptions& options = {});

} // namespace lockstep
