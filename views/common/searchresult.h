#pragma once

#include "views/common/eventref.h"
#include "views/common/shownrun.h"

#include <QString>
#include <memory>
#include <stop_token>
#include <vector>

namespace lockstep {

/// The events whose names match a regular expression. Immutable.
struct SearchResult {
    QString pattern;
    QString error;                            ///< why the pattern is no regular expression; empty where it is
    std::vector<EventRef> hits;               ///< by begin on the run's clock
    std::vector<std::vector<EventId>> byRank; ///< the same, like ShownRun::ranks, by event
    TimeNs totalNs = 0;                       ///< durations added up
    std::size_t gpuHits = 0;                  ///< of the hits, GPU activities
    TimeNs gpuNs = 0;                         ///< their durations added up

    [[nodiscard]] bool isHit(EventRef event) const;
};

/// Finds `pattern` in the names of GPU activities, annotations and CPU events of `shown`, whatever the case
/// of letters. Costs a pass over names and events, so not on the GUI thread; null where it was stopped.
[[nodiscard]] std::shared_ptr<const SearchResult> searchNames(const ShownRun& shown, const QString& pattern,
                                                              const std::stop_token& stop = {});

} // namespace lockstep
