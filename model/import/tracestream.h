#pragma once

#include "model/core/result.h"
#include "model/import/eventreader.h"
#include "model/trace/header.h"
#include "model/trace/importreport.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace lockstep {

/// How far a stream has come, after each window.
struct StreamState {
    const ImportReport& report;
    std::uint64_t bytesRead = 0; ///< of the file, on disk
    std::uint64_t jsonBytes = 0; ///< decompressed
    bool sawEvents = false;
};

struct StreamOptions {
    std::size_t windowBytes = 1024 * 1024;  ///< of decompressed text parsed at once
    std::size_t maxEventBytes = 256u << 20; ///< an event larger than this is not waited for
    std::stop_token stop;
    bool keepText = false; ///< hand events over with their text (repaired, where it had to be)
    std::function<void(const StreamState&)> onWindow;
};

/// Hands the events of one trace file to `sink` in bounded windows, and fills `header` on the way (what
/// stands before the events is there when the first comes). Damage is counted in the report and the rest goes
/// on. Errors: no such file, no trace in it, cancelled.
[[nodiscard]] Result<ImportReport> streamTrace(const std::string& path, const StreamOptions& options,
                                               TraceHeader& header, EventSink& sink);

} // namespace lockstep
