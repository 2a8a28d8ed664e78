#pragma once

#include "model/core/stringpool.h"
#include "model/core/timerange.h"
#include "model/trace/arguments.h"
#include "model/trace/eventstore.h"
#include "model/trace/header.h"
#include "model/trace/importreport.h"
#include "model/trace/launchindex.h"
#include "model/trace/track.h"

#include <memory>
#include <string>
#include <vector>

namespace lockstep {

/// Where a file's rank was found.
enum class RankSource : std::uint8_t { Content, Name, Order };

/// The whole trace of one rank, on its own clock: never changed after it is made.
struct RankTrace {
    int rank = -1;
    RankSource rankSource = RankSource::Order;
    TraceHeader header;
    ImportReport report;
    std::shared_ptr<const StringPool> strings; ///< shared by all ranks of a run
    EventStore events;
    std::vector<Track> tracks; ///< in order of display
    std::vector<Lane> lanes;   ///< by track, then depth
    Arguments arguments;
    std::vector<Flow> flows;
    std::vector<CounterSample> counters; ///< by time
    LaunchIndex launches;

    [[nodiscard]] std::string_view name(EventId id) const { return strings->view(events.name(id)); }
    [[nodiscard]] const Track& trackOf(EventId id) const {
        return tracks[lanes[events.lane(id).index()].track.index()];
    }
    /// Stream of a GPU activity: its argument, else its track's tid; -1 if neither is a number.
    [[nodiscard]] std::int64_t streamOf(EventId id) const;
    /// The name of the GPU that most of this rank's kernels ran on; empty if unknown.
    [[nodiscard]] std::string deviceName() const;
    /// GPU activities of this rank in order of begin (then id).
    [[nodiscard]] std::vector<EventId> gpuActivities() const;
    /// From the first GPU activity's begin to the last one's end; all events where there is none; events of
    /// time zero beside real times do not count.
    [[nodiscard]] TimeRange span() const;
    [[nodiscard]] std::size_t memoryBytes() const;
};

} // namespace lockstep
