#include "views/timeline/navigation.h"

#include <algorithm>

namespace lockstep {

EventRef neighbourOf(const ShownRun& shown, EventRef event, int direction) {
    const RankTrace& trace = *shown.ranks[event.rank].trace;
    const Lane& lane = trace.lanes[trace.events.lane(event.event).index()];
    const std::size_t index = event.event.index();
    if (direction < 0)
        return index > lane.beginIndex() ? EventRef{event.rank, EventId{index - 1}} : event;
    return index + 1 < lane.endIndex() ? EventRef{event.rank, EventId{index + 1}} : event;
}

EventRef firstEventIn(const ShownRun& shown, TimeRange range) {
    for (std::size_t r = 0; r < shown.ranks.size(); ++r) {
        const RankTrace& trace = *shown.ranks[r].trace;
        const TimeRange own = shown.ranks[r].toOwn(range);
        EventId first;
        for (const Lane& lane : trace.lanes) {
            if (trace.tracks[lane.track.index()].kind != TrackKind::GpuStream)
                continue;
            const auto begins = trace.events.begins().subspan(lane.beginIndex(), lane.count);
            const auto at = std::lower_bound(begins.begin(), begins.end(), own.begin);
            if (at == begins.end() || *at >= own.end)
                continue;
            const EventId id{lane.beginIndex() + static_cast<std::size_t>(at - begins.begin())};
            if (!first.valid() || trace.events.begin(id) < trace.events.begin(first))
                first = id;
        }
        if (first.valid())
            return {r, first};
    }
    return {};
}

} // namespace lockstep
