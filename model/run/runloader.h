#pragma once

#include "model/core/result.h"
#include "model/import/loadprogress.h"
#include "model/run/run.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace lockstep {

struct LoadOptions {
    unsigned threads = 0;                  ///< 0: one a core
    std::size_t windowBytes = 1024 * 1024; ///< of decompressed text parsed at once
    LoadProgress* progress = nullptr;      ///< may be null; must outlive the load
    std::stop_token stop;
    /// Called from loader threads with what has been read of a file so far: growing, a few times a file, not
    /// at all for one that is quickly done, and never with the whole, which is the result. May be empty.
    std::function<void(std::shared_ptr<const RankTrace>)> onPartial;
};

/// Reads `files` in parallel; `take` gets each one's index and ranks (one, but for merged files), one file at
/// a time, in the order they are done.
void readTraces(const std::vector<std::string>& files, const LoadOptions& options,
                const std::function<void(std::size_t, Result<std::vector<RankTrace>>)>& take);

/// Loads all traces that `paths` name (files, or folders: each folder's traces) as one run; the same result
/// whatever the number of threads. Errors: no trace among them, two files of one rank, different world sizes,
/// cancelled.
[[nodiscard]] Result<std::shared_ptr<const Run>> loadRun(const std::vector<std::string>& paths,
                                                         const LoadOptions& options = {});

} // namespace lockstep
