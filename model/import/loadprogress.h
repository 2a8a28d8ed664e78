#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
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

} // namespace lockstep
