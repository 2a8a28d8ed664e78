// The second half of TraceAssembler: from raw events in the order of the file to columns sorted by lane and
// begin.
#include "model/core/radixsort.h"
#include "model/import/traceassembler.h"
#include "model/trace/lanes.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <tuple>

namespace lockstep {

namespace {

/// The number that a text is, for sorting "9" before "10"; texts after numbers.
std::int64_t sortNumber(const std::string& text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size()
               ? number
               : std::numeric_limits<std::int64_t>::max();
}

struct Placed {
    TimeRange range;
    std::uint32_t raw;
};

/// Unsigned, in the same order.
std::uint64_t sortKey(TimeNs at) {
    return static_cast<std::uint64_t>(at) ^ 1ull << 63;
}

} // namespace

RankTrace TraceAssembler::finish(TraceHeader header, ImportReport report) && {
    RankTrace trace;
    closeOpenEvents();
    nameTracks();
    trace.header = std::move(header);
    const TimeNs base = trace.header.baseTimeNs.value_or(0);
    for (auto& chunk : m_chunks)
        for (RawEvent& event : chunk)
            event.begin = event.begin > std::numeric_limits<TimeNs>::max() - std::max<TimeNs>(base, 0)
                              ? std::numeric_limits<TimeNs>::max()
                              : event.begin + base;
    for (FlowPoint& point : m_flowPoints)
        point.at += base;
    for (CounterSample& sample : m_counters)
        sample.at += base;

    const std::vector<EventId> newIds = layOut(trace);
    m_chunks.clear();
    m_chunks.shrink_to_fit();
    moveArguments(trace, newIds);
    trace.launches = LaunchIndex(trace.events);
    resolveFlows(trace);
    std::stable_sort(m_counters.begin(), m_counters.end(), [](const auto& a, const auto& b) {
        return a.at < b.at;
    });
    trace.counters = std::move(m_counters);

    trace.report = std::move(report);
    trace.report.events = m_eventCount;
    for (std::size_t letter = 0; letter < m_byLetter.size(); ++letter)
        if (m_byLetter[letter] > 0)
            trace.report.byPhase[std::string(1, static_cast<char>(letter))] = m_byLetter[letter];
    for (const auto& [phase, count] : m_byOddPhase)
        trace.report.byPhase[phase] += count;
    for (const Category& category : m_categories)
        trace.report.byCategory[category.text] = category.count;
    for (ImportWarning& warning : m_report.warnings)
        trace.report.warnings.push_back(std::move(warning));
    trace.strings = std::make_shared<const StringPool>(std::move(m_strings));
    return trace;
}

/// Begun but not ended: as long as the capture goes on.
void TraceAssembler::closeOpenEvents() {
    TimeNs last = std::numeric_limits<TimeNs>::min();
    for (const auto& chunk : m_chunks)
        for (const RawEvent& event : chunk)
            last = std::max(last, event.begin + std::max<TimeNs>(event.duration, 0));
    for (auto& chunk : m_chunks) {
        for (RawEvent& event : chunk) {
            if (event.duration != kOpen)
                continue;
            event.duration = last - event.begin;
            m_report.warn("begin_without_end",
                          "events that begin but never end were drawn to the end of the capture",
                          event.offset);
        }
    }
}

void TraceAssembler::nameTracks() {
    for (Track& track : m_tracks) {
        if (const auto process = m_processes.find(track.pid); process != m_processes.end()) {
            track.processName = process->second.name;
            track.processSortIndex = process->second.sortIndex;
        }
        if (const auto thread = m_threads.find({track.pid, track.tid}); thread != m_threads.end()) {
            track.threadSortIndex = thread->second.sortIndex;
            if (!thread->second.name.empty())
                track.threadName = thread->second.name;
        }
    }
}

/// Indices of the tracks as they are shown: streams first, then their annotations, then threads, then the
/// rest.
std::vector<std::uint32_t> TraceAssembler::displayOrder() const {
    std::vector<std::uint32_t> order(m_tracks.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto key = [this](std::uint32_t index) {
        const Track& track = m_tracks[index];
        return std::tuple(track.kind, track.processSortIndex, sortNumber(track.pid),
                          std::string_view(track.pid), track.threadSortIndex, sortNumber(track.tid),
                          std::string_view(track.tid), std::string_view(track.threadName), index);
    };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return key(a) < key(b);
    });
    return order;
}

std::vector<EventId> TraceAssembler::layOut(RankTrace& trace) {
    const std::size_t count = rawCount();
    std::vector<EventId> newIds(count);
    std::vector<std::vector<Placed>> byTrack(m_tracks.size());
    std::vector<std::uint32_t> sizes(m_tracks.size());
    for (const auto& chunk : m_chunks)
        for (const RawEvent& event : chunk)
            ++sizes[event.track];
    for (std::size_t track = 0; track < sizes.size(); ++track)
        byTrack[track].reserve(sizes[track]);
    for (std::uint32_t index = 0; index < count; ++index) {
        const RawEvent& event = raw(index);
        byTrack[event.track].push_back({{event.begin, event.begin + event.duration}, index});
    }
    trace.events.reserve(count);
    std::vector<TimeRange> ranges;
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> places;
    for (const std::uint32_t source : displayOrder()) {
        auto& placed = byTrack[source];
        // Enclosing events before those they hold.
        radixSort(
            placed,
            [](const Placed& event) {
                return sortKey(event.range.begin);
            },
            [](const Placed& a, const Placed& b) {
                return std::tuple(-a.range.end, a.raw) < std::tuple(-b.range.end, b.raw);
            });
        ranges.clear();
        for (const Placed& event : placed)
            ranges.push_back(event.range);
        const std::vector<std::uint32_t> depths = assignDepths(ranges);
        const std::uint32_t rows = depths.empty() ? 0 : *std::max_element(depths.begin(), depths.end()) + 1;
        if (rows == kMaxLaneDepth)
            m_report.warn("too_many_rows", "a track has more overlapping events than are shown apart");
        order.resize(placed.size());
        std::iota(order.begin(), order.end(), 0u);
        radixSort(order, [&](std::uint32_t at) {
            return depths[at];
        });

        Track track = m_tracks[source];
        track.firstLane = LaneId{trace.lanes.size()};
        track.laneCount = rows;
        const TrackId trackId{trace.tracks.size()};
        for (std::uint32_t row = 0; row < rows; ++row)
            trace.lanes.push_back({trackId, row, EventId{trace.events.size()}, 0});
        for (const std::uint32_t at : order) {
            const RawEvent& from = raw(placed[at].raw);
            Lane& lane = trace.lanes[track.firstLane.index() + depths[at]];
            if (lane.count++ == 0)
                lane.first = EventId{trace.events.size()};
            Event event;
            event.begin = from.begin;
            event.duration = from.duration;
            event.name = StringId{from.name};
            event.category = from.category == kNone ? StringId{} : StringId{from.category};
            event.lane = LaneId{track.firstLane.index() + depths[at]};
            event.kind = from.kind;
            event.correlation = from.correlation;
            event.externalId = from.externalId;
            event.byteOffset = from.offset;
            newIds[placed[at].raw] = trace.events.append(event);
        }
        places.push_back(m_trackPlaces[source]);
        trace.tracks.push_back(std::move(track));
        placed = {};
    }
    m_trackPlaces = std::move(places); // in the order of trace.tracks from here on
    return newIds;
}

void TraceAssembler::moveArguments(RankTrace& trace, const std::vector<EventId>& newIds) {
    const auto move = [&](auto& rows) {
        for (auto& row : rows)
            row.event = newIds[row.event.index()];
        radixSort(rows, [](const auto& row) {
            return row.event.value;
        });
        rows.shrink_to_fit();
    };
    move(m_arguments.gpu);
    move(m_arguments.cpuOps);
    move(m_arguments.collectives);
    trace.arguments = std::move(m_arguments);
}

void TraceAssembler::resolveFlows(RankTrace& trace) {
    // Arrows from a launch to what it launched are the LaunchIndex: only what it does not know is kept.
    constexpr std::uint32_t kMostDense = 1u << 28;
    enum : std::uint8_t { Launched = 1, Active = 2, Joined = 3, OnePoint = 4, MorePoints = 8 };
    std::vector<std::uint8_t> seen; // by correlation
    const auto note = [&](std::uint64_t correlation) -> std::uint8_t* {
        if (correlation > kMostDense)
            return nullptr;
        if (correlation >= seen.size())
            seen.resize(std::max<std::size_t>(correlation + 1, seen.size() * 2));
        return &seen[correlation];
    };
    for (std::size_t i = 0; i < trace.events.size(); ++i) {
        const EventId id{i};
        const EventKind kind = trace.events.kind(id);
        const auto role = static_cast<std::uint8_t>(isLaunchCall(kind)    ? Launched
                                                    : isGpuActivity(kind) ? Active
                                                                          : 0);
        if (const std::uint32_t correlation = trace.events.correlation(id); role != 0 && correlation != 0)
            if (std::uint8_t* at = note(correlation))
                *at |= role;
    }
    const auto launches = m_strings.find("ac2g");
    const auto isLaunchArrow = [&](const FlowPoint& point) {
        return launches && point.category == launches->value;
    };
    for (const FlowPoint& point : m_flowPoints)
        if (isLaunchArrow(point))
            if (std::uint8_t* at = note(point.id))
                *at |= (*at & OnePoint) != 0 ? MorePoints : OnePoint;
    std::erase_if(m_flowPoints, [&](const FlowPoint& point) { // a lone point is no arrow
        return isLaunchArrow(point) && point.id < seen.size() &&
               ((seen[point.id] & Joined) == Joined || (seen[point.id] & MorePoints) == 0);
    });

    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> tracksOfPlace;
    for (std::uint32_t track = 0; track < m_trackPlaces.size(); ++track)
        tracksOfPlace[m_trackPlaces[track]].push_back(track);
    const auto eventAt = [&](const FlowPoint& point) {
        EventId best;
        const auto tracks = tracksOfPlace.find(point.place);
        if (tracks == tracksOfPlace.end())
            return best;
        const bool next = point.phase == 'f' && !point.bindsEnclosing;
        for (const std::uint32_t track : tracks->second) {
            for (std::uint32_t row = 0; row < trace.tracks[track].laneCount; ++row) {
                const Lane& lane = trace.lanes[trace.tracks[track].firstLane.index() + row];
                const auto begins = trace.events.begins().subspan(lane.beginIndex(), lane.count);
                const auto after =
                    std::upper_bound(begins.begin(), begins.end(), next ? point.at - 1 : point.at);
                if (next) {
                    const EventId id{lane.beginIndex() + static_cast<std::size_t>(after - begins.begin())};
                    if (after != begins.end() &&
                        (!best.valid() || trace.events.begin(id) < trace.events.begin(best)))
                        best = id;
                } else if (after != begins.begin()) {
                    const EventId id{lane.beginIndex() + static_cast<std::size_t>(after - begins.begin()) -
                                     1};
                    const bool holds = trace.events.end(id) >= point.at;
                    if (holds && (!best.valid() || trace.events.begin(id) >= trace.events.begin(best)))
                        best = id;
                }
            }
        }
        return best;
    };
    std::sort(m_flowPoints.begin(), m_flowPoints.end(), [](const FlowPoint& a, const FlowPoint& b) {
        const auto rank = [](char phase) {
            return phase == 's' ? 0 : phase == 't' ? 1 : 2;
        };
        return std::tuple(a.category, a.id, a.at, rank(a.phase), a.place) <
               std::tuple(b.category, b.id, b.at, rank(b.phase), b.place);
    });
    EventId from;
    for (std::size_t i = 0; i < m_flowPoints.size(); ++i) {
        const FlowPoint& point = m_flowPoints[i];
        const bool continues = i > 0 && m_flowPoints[i - 1].category == point.category &&
                               m_flowPoints[i - 1].id == point.id && point.phase != 's';
        const EventId here = eventAt(point);
        if (continues && from.valid() && here.valid() && here != from)
            trace.flows.push_back({StringId{point.category}, from, here});
        if (!continues || here.valid())
            from = here;
    }
    trace.flows.shrink_to_fit();
    m_flowPoints = {};
}

} // namespace lockstep
