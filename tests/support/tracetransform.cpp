#include "tests/support/tracetransform.h"

#include <algorithm>
#include <cmath>

namespace lockstep::test {

namespace {

/// Rewrites the event ids of a table and drops the rows of events that are gone.
template <class Row>
std::vector<Row> renumbered(const std::vector<Row>& rows, const std::vector<EventId>& to) {
    std::vector<Row> kept;
    for (Row row : rows) {
        row.event = to[row.event.index()];
        if (row.event.valid())
            kept.push_back(row);
    }
    return kept;
}

} // namespace

RankTrace transformed(const RankTrace& rank, const std::function<bool(EventId)>& keep,
                      const std::function<void(Event&)>& change) {
    RankTrace copy;
    copy.rank = rank.rank;
    copy.rankSource = rank.rankSource;
    copy.header = rank.header;
    copy.report = rank.report;
    copy.strings = rank.strings;
    copy.tracks = rank.tracks;
    copy.lanes = rank.lanes;
    std::vector<EventId> to(rank.events.size());
    for (Lane& lane : copy.lanes) {
        const Lane old = lane;
        lane.first = EventId{copy.events.size()};
        lane.count = 0;
        for (std::size_t i = old.beginIndex(); i < old.endIndex(); ++i) {
            if (!keep(EventId{i}))
                continue;
            Event event = rank.events.event(EventId{i});
            if (change)
                change(event);
            to[i] = copy.events.append(event);
            ++lane.count;
        }
    }
    copy.arguments.shapes = rank.arguments.shapes;
    copy.arguments.gpu = renumbered(rank.arguments.gpu, to);
    copy.arguments.cpuOps = renumbered(rank.arguments.cpuOps, to);
    copy.arguments.collectives = renumbered(rank.arguments.collectives, to);
    for (Flow flow : rank.flows) {
        flow.from = flow.from.valid() ? to[flow.from.index()] : flow.from;
        flow.to = flow.to.valid() ? to[flow.to.index()] : flow.to;
        if (flow.from.valid() && flow.to.valid())
            copy.flows.push_back(flow);
    }
    copy.launches = LaunchIndex(copy.events);
    return copy;
}

std::shared_ptr<const Run> withRank(const Run& run, std::size_t index, RankTrace rank) {
    auto copy = std::make_shared<Run>(run);
    copy->ranks[index] = std::move(rank);
    return copy;
}

std::shared_ptr<const Run> withRanks(const Run& run,
                                     const std::function<RankTrace(const RankTrace&)>& transform) {
    auto copy = std::make_shared<Run>(run);
    for (RankTrace& rank : copy->ranks)
        rank = transform(rank);
    return copy;
}

RankTrace withoutAnnotations(const RankTrace& rank) {
    return transformed(rank, [&](EventId id) {
        const EventKind kind = rank.events.kind(id);
        return kind != EventKind::Annotation && kind != EventKind::GpuAnnotation;
    });
}

RankTrace shifted(const RankTrace& rank, TimeNs offset, double driftPpm) {
    const TimeNs origin = rank.span().begin;
    const auto shown = [=](TimeNs t) {
        return t + offset +
               static_cast<TimeNs>(std::llround(static_cast<double>(t - origin) * driftPpm * 1e-6));
    };
    return transformed(
        rank,
        [](EventId) {
            return true;
        },
        [&](Event& event) {
            const TimeNs end = shown(event.begin + event.duration);
            event.begin = shown(event.begin);
            event.duration = end - event.begin;
        });
}

RankTrace withoutActivities(const RankTrace& rank, const std::vector<EventId>& lost) {
    return transformed(rank, [&](EventId id) {
        return std::find(lost.begin(), lost.end(), id) == lost.end();
    });
}

RankTrace startedAt(const RankTrace& rank, TimeNs begin) {
    return transformed(rank, [&](EventId id) {
        return rank.events.begin(id) >= begin;
    });
}

} // namespace lockstep::test
