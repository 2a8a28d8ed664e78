#include "tests/support/memorytrace.h"

#include "model/trace/lanes.h"

#include <algorithm>

#include <fmt/format.h>

namespace lockstep::test {

MemoryRun::MemoryRun(std::size_t ranks)
    : m_ranks(ranks) {}

MemoryRun::Built& MemoryRun::add(std::size_t rank, EventKind kind, std::string_view name, TimeNs begin,
                                 TimeNs duration, int track, std::uint32_t correlation) {
    Built built;
    built.event.begin = begin;
    built.event.duration = duration;
    built.event.name = m_strings.intern(name);
    built.event.kind = kind;
    built.event.correlation = correlation;
    built.track = track;
    return m_ranks[rank].events.emplace_back(built);
}

std::uint32_t MemoryRun::kernel(std::size_t rank, std::string_view name, TimeNs begin, TimeNs duration,
                                TimeNs launchLead, int stream) {
    const std::uint32_t correlation = call(rank, "cudaLaunchKernel", begin - launchLead, 2'000);
    add(rank, EventKind::Kernel, name, begin, duration, stream, correlation);
    return correlation;
}

void MemoryRun::copy(std::size_t rank, std::string_view name, TimeNs begin, TimeNs duration, int stream) {
    const std::uint32_t correlation = call(rank, "cudaMemcpyAsync", begin - 5'000, 2'000);
    add(rank, EventKind::Memcpy, name, begin, duration, stream, correlation);
}

void MemoryRun::graphKernel(std::size_t rank, std::string_view name, TimeNs begin, TimeNs duration,
                            std::uint32_t correlation, int stream) {
    add(rank, EventKind::Kernel, name, begin, duration, stream, correlation);
}

std::uint32_t MemoryRun::call(std::size_t rank, std::string_view name, TimeNs begin, TimeNs duration) {
    const std::uint32_t correlation = ++m_ranks[rank].correlation;
    add(rank, EventKind::Runtime, name, begin, duration, -1, correlation);
    return correlation;
}

void MemoryRun::annotation(std::size_t rank, std::string_view name, TimeNs begin, TimeNs duration) {
    add(rank, EventKind::Annotation, name, begin, duration, -1, 0);
}

void MemoryRun::gpuAnnotation(std::size_t rank, std::string_view name, TimeNs begin, TimeNs duration,
                              int stream) {
    add(rank, EventKind::GpuAnnotation, name, begin, duration, -2 - stream, 0);
}

void MemoryRun::collective(std::size_t rank, std::string_view kind, std::string_view group,
                           std::string_view ranks, std::int64_t sequence) {
    Built& last = m_ranks[rank].events.back();
    last.hasCollective = true;
    last.arguments.collective = m_strings.intern(kind);
    last.arguments.processGroup = m_strings.intern(group);
    last.arguments.processGroupRanks = m_strings.intern(ranks);
    last.arguments.sequence = sequence;
}

void MemoryRun::baseTime(std::size_t rank, TimeNs base) {
    m_ranks[rank].base = base;
}

RankTrace MemoryRun::rankTrace(const RankEvents& rank, int number,
                               std::shared_ptr<const StringPool> strings) const {
    RankTrace trace;
    trace.rank = number;
    trace.strings = std::move(strings);
    trace.header.baseTimeNs = rank.base;
    trace.report.file = fmt::format("rank{}.json", number);
    trace.report.events = rank.events.size();
    std::map<int, std::vector<const Built*>> tracks;
    for (const Built& built : rank.events)
        tracks[built.track].push_back(&built);
    for (auto& [number_, events] : tracks) {
        std::stable_sort(events.begin(), events.end(), [](const Built* a, const Built* b) {
            return a->event.begin != b->event.begin ? a->event.begin < b->event.begin
                                                    : a->event.duration > b->event.duration;
        });
        std::vector<TimeRange> ranges;
        for (const Built* built : events)
            ranges.push_back({built->event.begin, built->event.begin + built->event.duration});
        const std::vector<std::uint32_t> depths = assignDepths(ranges);
        Track track;
        track.kind = number_ >= 0    ? TrackKind::GpuStream
                     : number_ == -1 ? TrackKind::CpuThread
                                     : TrackKind::GpuAnnotations;
        track.pid = "0";
        track.tid = std::to_string(number_ >= 0 ? number_ : number_ == -1 ? 100 : -2 - number_);
        track.firstLane = LaneId{trace.lanes.size()};
        track.laneCount = depths.empty() ? 0 : *std::max_element(depths.begin(), depths.end()) + 1;
        for (std::uint32_t depth = 0; depth < track.laneCount; ++depth) {
            Lane lane;
            lane.track = TrackId{trace.tracks.size()};
            lane.depth = depth;
            lane.first = EventId{trace.events.size()};
            for (std::size_t i = 0; i < events.size(); ++i) {
                if (depths[i] != depth)
                    continue;
                Event event = events[i]->event;
                event.lane = LaneId{trace.lanes.size()};
                const EventId id = trace.events.append(event);
                ++lane.count;
                if (!events[i]->hasCollective)
                    continue;
                CollectiveArguments arguments = events[i]->arguments;
                arguments.event = id;
                trace.arguments.collectives.push_back(arguments);
            }
            trace.lanes.push_back(lane);
        }
        trace.tracks.push_back(track);
    }
    std::sort(trace.arguments.collectives.begin(), trace.arguments.collectives.end(),
              [](const CollectiveArguments& a, const CollectiveArguments& b) {
                  return a.event < b.event;
              });
    trace.launches = LaunchIndex(trace.events);
    return trace;
}

std::shared_ptr<const Run> MemoryRun::build() const {
    auto run = std::make_shared<Run>();
    run->name = "memory";
    run->worldSize = static_cast<int>(m_ranks.size());
    auto strings = std::make_shared<const StringPool>(m_strings);
    run->strings = strings;
    for (std::size_t rank = 0; rank < m_ranks.size(); ++rank)
        run->ranks.push_back(rankTrace(m_ranks[rank], static_cast<int>(rank), strings));
    return run;
}

} // namespace lockstep::test
