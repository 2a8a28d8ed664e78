#pragma once

#include "model/trace/rank.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::test {

/// A rank put together event by event, for tests of what is drawn: lanes in the order given, events of a lane
/// by begin.
class HandmadeRank {
public:
    explicit HandmadeRank(int rank, std::shared_ptr<StringPool> strings = std::make_shared<StringPool>())
        : m_strings(std::move(strings)) {
        m_trace.rank = rank;
        m_trace.report.file = "rank" + std::to_string(rank) + ".json";
    }

    /// Starts a new track; the lanes that follow are its rows.
    HandmadeRank& track(TrackKind kind, std::string tid, std::string threadName = {}) {
        Track track;
        track.kind = kind;
        track.pid = kind == TrackKind::CpuThread ? "1000" : "0";
        track.tid = std::move(tid);
        track.threadName = std::move(threadName);
        track.firstLane = LaneId{m_trace.lanes.size()};
        m_trace.tracks.push_back(std::move(track));
        return lane();
    }
    /// Starts a further row of the track.
    HandmadeRank& lane() {
        Track& track = m_trace.tracks.back();
        m_trace.lanes.push_back(
            {TrackId{m_trace.tracks.size() - 1}, track.laneCount++, EventId{m_trace.events.size()}, 0});
        return *this;
    }
    HandmadeRank& event(EventKind kind, std::string_view name, TimeNs begin, TimeNs duration,
                        std::uint32_t correlation = 0) {
        Event event;
        event.begin = begin;
        event.duration = duration;
        event.name = m_strings->intern(name);
        event.lane = LaneId{m_trace.lanes.size() - 1};
        event.kind = kind;
        event.correlation = correlation;
        event.byteOffset = 100 * m_trace.events.size();
        m_trace.events.append(event);
        ++m_trace.lanes.back().count;
        return *this;
    }
    HandmadeRank& kernel(std::string_view name, TimeNs begin, TimeNs duration,
                         std::uint32_t correlation = 0) {
        return event(EventKind::Kernel, name, begin, duration, correlation);
    }
    [[nodiscard]] RankTrace& trace() { return m_trace; }
    [[nodiscard]] RankTrace build() {
        m_trace.strings = m_strings;
        m_trace.launches = LaunchIndex(m_trace.events);
        return std::move(m_trace);
    }

private:
    std::shared_ptr<StringPool> m_strings;
    RankTrace m_trace;
};

} // namespace lockstep::test
