#pragma once

#include "model/core/result.h"
#include "model/synthetic/kinetowriter.h"
#include "model/synthetic/simulation.h"

#include <atomic>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace lockstep {

struct SyntheticOptions {
    std::string preset = "kimi-k2.5-int4-vllm";
    int ranks = 8;
    int steps = 8;
    double megabytesPerRank = 0; ///< if not 0: as many steps as it takes, `steps` is ignored
    std::uint64_t seed = 1;
    bool graph = false;
    bool gzip = false;
    std::vector<InjectedStall> stalls;
    std::string folder;
    unsigned threads = 0; ///< 0: one a core
    std::stop_token stop;
    std::atomic<int>* ranksDone = nullptr; ///< may be null
};

struct SyntheticReport {
    std::vector<std::string> files; ///< by rank
    std::string truthFile;
    int steps = 0;
    std::uint64_t textBytes = 0; ///< of all ranks, before compression
    double seconds = 0;
};

/// `STEP:LAYER:RANK:US`, with `:kernel` (a kernel runs longer; the default) or `:host` (a launch comes late).
[[nodiscard]] Result<InjectedStall> parseInjectedStall(const std::string& text);

/// Writes the traces of a synthetic run into `folder` (made if absent), one file a rank named as the preset's
/// engine names them, and `truth.json`: the clocks, the injected stalls and the table that analyses should
/// find.
[[nodiscard]] Result<SyntheticReport> writeSyntheticRun(const SyntheticOptions& options);

/// The clocks of all ranks; rank 0's is the true one.
[[nodiscard]] std::vector<SyntheticClock> syntheticClocks(int ranks, std::uint64_t seed);

} // namespace lockstep
