#pragma once

#include "model/core/result.h"
#include "model/run/run.h"

#include <atomic>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace lockstep {

/// Progress of one file, written by its loader and read by anyone.
struct FileProgress {
    std::string file;
    std::uint64_t bytesTotal = 0;            ///< on disk
    std::atomic<std::uint64_t> bytesRead{0}; ///< on disk
    std::atomic<std::uint64_t> jsonBytes{0}; ///< decompressed so far
    std::atomic<std::uint64_t> events{0};
    std::atomic<bool> done{false};
};

/// Progress of a load: the files are fixed before `started` is set.
struct LoadProgress {
    std::vector<std::unique_ptr<FileProgress>> files;
    std::atomic<bool> started{false};
};

struct LoadOptions {
    unsigned threads = 0;                  ///< 0: one a core
    std::size_t windowBytes = 1024 * 1024; ///< of decompressed text parsed at once
    LoadProgress* progress = nullptr;      ///< may be null; must outlive the load
    std::stop_token stop;
    /// Called from loader threads with what has been read of a file so far (growing, at most a few times a
    /// file, and once whole); may be empty.
    std::function<void(std::shared_ptr<const RankTrace>)> onPartial;
};

/// Loads all traces that `paths` name (files, or folders: each folder's traces) as one run; the same result
/// whatever the number of threads. Errors: no trace among them, two files of one rank, different world sizes,
/// cancelled.
[[nodiscard]] Result<std::shared_ptr<const Run>> loadRun(const std::vector<std::string>& paths,
                                                         const LoadOptions& options = {});

} // namespace lockstep
