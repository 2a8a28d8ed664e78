#pragma once

#include "model/trace/rank.h"

#include <memory>
#include <string>
#include <vector>

namespace lockstep {

/// All ranks of one capture, each still on its own clock; shared, immutable, between threads.
struct Run {
    std::string name;  ///< the folder, or what the file names share
    int worldSize = 0; ///< as the traces say; the number of files where they do not
    std::shared_ptr<const StringPool> strings;
    std::vector<RankTrace> ranks; ///< sorted by rank
    std::vector<SetAsideFile> setAside;
    std::vector<std::string>
        notes; ///< on the run as a whole: missing ranks, ranks taken from the order of files …
    double loadSeconds = 0;

    /// The hull of all ranks' spans, each on its own clock.
    [[nodiscard]] TimeRange span() const;
    [[nodiscard]] std::size_t eventCount() const;
};

} // namespace lockstep
