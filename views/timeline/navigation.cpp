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

EventRef causeOfEvent(const ShownRun& shown, EventRef event) {
    if (!event.valid())
        return {};
    const RankTrace& trace = *shown.ranks[event.rank].trace;
    const EventKind kind = trace.events.kind(event.event);
    if (isGpuActivity(kind)) {
        const EventId launch = trace.launches.launchOf(trace.events, event.event);
        return {event.rank, launch.valid() ? launch : trace.launches.cpuOpOf(trace.events, event.event)};
    }
    return {event.rank, isLaunchCall(kind) ? trace.launches.cpuOpOf(trace.events, event.event) : EventId{}};
}

EventRef effectOfEvent(const ShownRun& shown, EventRef event) {
    if (!event.valid())
        return {};
    const RankTrace& trace = *shown.ranks[event.rank].trace;
    const EventStore& events = trace.events;
    if (isLaunchCall(events.kind(event.event))) {
        const std::span<const EventId> launched =
            trace.launches.activitiesOf(events.correlation(event.event));
        return {event.rank, launched.empty() ? EventId{} : launched.front()};
    }
    if (isGpuActivity(events.kind(event.event)))
        return {};
    // The first launch inside the op, on its thread.
    const TimeRange range = events.range(event.event);
    const Track& track = trace.trackOf(event.event);
    EventId first;
    for (std::size_t lane = track.firstLane.index(); lane < track.firstLane.index() + track.laneCount;
         ++lane) {
        const Lane& one = trace.lanes[lane];
        const auto begins = events.begins().subspan(one.beginIndex(), one.count);
        auto at = static_cast<std::size_t>(std::lower_bound(begins.begin(), begins.end(), range.begin) -
                                           begins.begin());
        for (; at < begins.size() && begins[at] < range.end; ++at) {
            const EventId id{one.beginIndex() + at};
            if (!isLaunchCall(events.kind(id)) || trace.launches.activitiesOf(events.correlation(id)).empty())
                continue;
            if (!first.valid() || events.begin(id) < events.begin(first))
                first = id;
            break;
        }
    }
    return {event.rank, first};
}

std::optional<std::uint32_t> neighbourStall(const ShownRun& shown, const Filters& filters,
                                            const ShownCategories* categories,
                                            std::optional<std::uint32_t> current, int direction) {
    if (!shown.analysis)
        return std::nullopt;
    const RunAnalysis& analysis = *shown.analysis;
    const auto passes = [&](std::uint32_t index) {
        const Stall& stall = analysis.stalls.stalls[index];
        const std::uint32_t step = analysis.collectives.matched[index].step;
        const CollectiveCall* call = analysis.collectives.callOf(index, stall.straggler);
        if (!call || !filters.passesStream(shown.ranks[stall.straggler].trace->streamOf(call->event)))
            return false;
        if (categories && categories->analysis == shown.analysis &&
            !filters.passesCategory(categories->table.category[stall.straggler][call->activity]))
            return false;
        return filters.passesRank(shown.ranks[stall.straggler].trace->rank) &&
               (!filters.range || filters.range->contains(stall.beginNs)) &&
               (!filters.decodeOnly ||
                (step < analysis.steps.steps.size() && analysis.steps.steps[step].kind == StepKind::Decode));
    };
    std::vector<std::uint32_t> order = analysis.stalls.worst;
    std::erase_if(order, [&](std::uint32_t stall) {
        return analysis.stalls.stalls[stall].headTransient || !passes(stall);
    });
    if (order.empty())
        return std::nullopt;
    const auto at = current ? std::find(order.begin(), order.end(), *current) : order.end();
    if (at == order.end())
        return order.front();
    if (direction < 0)
        return at == order.begin() ? std::nullopt : std::optional(*(at - 1));
    return at + 1 == order.end() ? std::nullopt : std::optional(*(at + 1));
}

} // namespace lockstep
