#pragma once

#include "model/core/ids.h"
#include "model/core/timerange.h"
#include "model/trace/eventkind.h"

#include <span>
#include <vector>

namespace lockstep {

/// One event as a value, as it goes into an EventStore.
struct Event {
    TimeNs begin = 0;
    TimeNs duration = 0;
    StringId name;
    StringId category; ///< the `cat` text; at most 65,535 distinct ones are kept apart
    LaneId lane;
    EventKind kind = EventKind::Other;
    std::uint32_t correlation =
        0;                        ///< 0: none. Values past 32 bits are renumbered when read; joins still hold
    std::uint32_t externalId = 0; ///< 0: none. Renumbered likewise
    std::uint64_t byteOffset = 0; ///< where the event's `{` stands in the decompressed text
};

/// The events of one rank in columns, sorted by lane and begin: 40 bytes an event.
/// Each lane is one contiguous run of ids (see Lane), so a lane's begins are a sorted span.
class EventStore {
public:
    static constexpr std::uint64_t kMaxOffset = (1ull << 40) - 1;

    void reserve(std::size_t events);
    EventId append(const Event& event);

    [[nodiscard]] std::size_t size() const { return m_begin.size(); }
    [[nodiscard]] bool empty() const { return m_begin.empty(); }

    [[nodiscard]] TimeNs begin(EventId id) const { return m_begin[id.index()]; }
    [[nodiscard]] TimeNs duration(EventId id) const { return m_duration[id.index()]; }
    [[nodiscard]] TimeNs end(EventId id) const { return m_begin[id.index()] + m_duration[id.index()]; }
    [[nodiscard]] TimeRange range(EventId id) const { return {begin(id), end(id)}; }
    [[nodiscard]] StringId name(EventId id) const { return m_name[id.index()]; }
    [[nodiscard]] LaneId lane(EventId id) const { return m_lane[id.index()]; }
    [[nodiscard]] EventKind kind(EventId id) const {
        return static_cast<EventKind>(m_source[id.index()] >> 56);
    }
    [[nodiscard]] StringId category(EventId id) const;
    [[nodiscard]] std::uint64_t byteOffset(EventId id) const { return m_source[id.index()] & kMaxOffset; }
    [[nodiscard]] std::uint32_t correlation(EventId id) const { return m_correlation[id.index()]; }
    [[nodiscard]] std::uint32_t externalId(EventId id) const { return m_externalId[id.index()]; }
    [[nodiscard]] Event event(EventId id) const;

    [[nodiscard]] std::span<const TimeNs> begins() const { return m_begin; }
    [[nodiscard]] std::span<const TimeNs> durations() const { return m_duration; }
    [[nodiscard]] std::span<const StringId> names() const { return m_name; }

    /// Replaces each name and category id by `to[id]`; `to` must cover them all.
    void renameStrings(std::span<const StringId> to);
    /// Bytes held by the columns.
    [[nodiscard]] std::size_t memoryBytes() const;

private:
    static constexpr std::uint64_t kNoCategory = 0xFFFF;

    std::vector<TimeNs> m_begin;
    std::vector<TimeNs> m_duration;
    std::vector<StringId> m_name;
    std::vector<LaneId> m_lane;
    std::vector<std::uint64_t>
        m_source; ///< kind: 8 bits, category (index into m_categories): 16, byte offset: 40
    std::vector<std::uint32_t> m_correlation;
    std::vector<std::uint32_t> m_externalId;
    std::vector<StringId> m_categories; ///< few: searched from the one used last
    std::size_t m_lastCategory = 0;
};

} // namespace lockstep
