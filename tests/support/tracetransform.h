#pragma once

#include "model/run/run.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace lockstep::test {

/// A copy of `rank` with only the events that `keep` wants, each changed by `change` (which must leave the
/// order within a lane as it is); lanes, arguments, flows and launches follow.
[[nodiscard]] RankTrace transformed(const RankTrace& rank, const std::function<bool(EventId)>& keep,
                                    const std::function<void(Event&)>& change = {});

/// The same run with rank `index` replaced.
[[nodiscard]] std::shared_ptr<const Run> withRank(const Run& run, std::size_t index, RankTrace rank);
/// The same run with every rank transformed.
[[nodiscard]] std::shared_ptr<const Run>
withRanks(const Run& run, const std::function<RankTrace(const RankTrace&)>& transform);

/// Without annotations, on CPU and GPU.
[[nodiscard]] RankTrace withoutAnnotations(const RankTrace& rank);
/// As a clock would have shown it that is `offset` ahead and gains `driftPpm`.
[[nodiscard]] RankTrace shifted(const RankTrace& rank, TimeNs offset, double driftPpm);
/// Without the GPU activities `lost`, as a full buffer loses them.
[[nodiscard]] RankTrace withoutActivities(const RankTrace& rank, const std::vector<EventId>& lost);
/// As a profiler would have recorded it that was started at `begin`.
[[nodiscard]] RankTrace startedAt(const RankTrace& rank, TimeNs begin);

} // namespace lockstep::test
