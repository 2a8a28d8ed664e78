#pragma once

#include "model/run/collectivecalls.h"
#include "model/run/steps.h"

#include <string>
#include <vector>

namespace lockstep {

struct Run;

/// Each rank's clock against the first rank's, good to microseconds, from the ends of synchronising
/// collectives; where a rank shares none, its clock as it is. Adds to `notes` what it could not do.
[[nodiscard]] std::vector<RoughClock> roughClocks(const Run& run, const CollectiveCalls& calls,
                                                  std::vector<std::string>& notes);

/// `t` of a rank on the first rank's clock.
[[nodiscard]] TimeNs onFirstClock(const RoughClock& clock, TimeNs t);

/// What findOffset found between two ranks of known rough clocks, for pairing their collectives.
[[nodiscard]] SequenceOffset offsetBetween(const RoughClock& reference, const RoughClock& own,
                                           std::span<const TimedItem> referenceItems,
                                           std::span<const TimedItem> ownItems);

} // namespace lockstep
