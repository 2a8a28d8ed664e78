#pragma once

#include "model/import/eventreader.h"
#include "model/trace/rank.h"

#include <array>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace lockstep {

/// Makes one rank's trace out of parsed events. A copy can be finished while the original goes on.
class TraceAssembler final : public EventSink {
public:
    TraceAssembler();
    void event(const ParsedEvent& event) override;
    /// Events taken so far.
    [[nodiscard]] std::uint64_t eventCount() const { return m_eventCount; }
    /// Sorts, nests and joins what was taken; `header` gives the base time. Rank, file and sizes are the
    /// caller's to set.
    [[nodiscard]] RankTrace finish(TraceHeader header, ImportReport report) &&;

private:
    /// An event before it has its place; times still relative to the base.
    struct RawEvent {
        TimeNs begin;
        TimeNs duration; ///< kOpen: begun, not ended yet
        std::uint64_t offset;
        std::uint32_t name;
        std::uint32_t track;
        std::uint32_t correlation;
        std::uint32_t externalId;
        std::uint32_t category;
        EventKind kind;
    };
    struct FlowPoint {
        TimeNs at;
        std::uint64_t id; ///< a number as it stands, or the interned text past 2^63
        std::uint32_t category;
        std::uint32_t place;
        char phase;
        bool bindsEnclosing;
    };
    /// A process and thread, whatever kinds of tracks it has.
    struct Place {
        std::string pid;
        std::string tid;
        std::array<std::uint32_t, 8> tracks; ///< by TrackKind; kNone: none yet
    };
    /// A `cat` text, what it means, and how often it came.
    struct Category {
        std::string text;
        StringId id;
        EventKind kind = EventKind::Other;
        std::uint64_t count = 0;
    };
    struct ProcessNames {
        std::string name;
        std::int64_t sortIndex = 0;
    };
    static constexpr std::uint32_t kNone = 0xFFFF'FFFFu;
    static constexpr TimeNs kOpen = -1;
    static constexpr std::size_t kChunkEvents = 1u << 14;

    void count(const ParsedEvent& event);
    void findCategory(std::string_view text);
    [[nodiscard]] EventKind kindAtHand() const {
        return m_category < m_categories.size() ? m_categories[m_category].kind : EventKind::Other;
    }
    void complete(const ParsedEvent& event, TimeNs begin);
    void begin(const ParsedEvent& event, TimeNs at);
    void end(const ParsedEvent& event, TimeNs at);
    void asyncBegin(const ParsedEvent& event, TimeNs at);
    void asyncEnd(const ParsedEvent& event, TimeNs at);
    void instant(const ParsedEvent& event, TimeNs at, bool async);
    void counter(const ParsedEvent& event, TimeNs at);
    void flow(const ParsedEvent& event, TimeNs at);
    void metadata(const ParsedEvent& event);
    void warn(std::string_view code, std::string_view message, const ParsedEvent& event);

    std::uint32_t add(const ParsedEvent& event, EventKind kind, TrackKind trackKind, TimeNs begin,
                      TimeNs duration);
    void keepArguments(const ParsedEvent& event, EventKind kind, std::uint32_t raw);
    void keepCollective(const ParsedEvent& event, std::uint32_t raw);
    std::uint32_t placeOf(std::string_view pid, std::string_view tid);
    std::uint32_t trackOf(std::uint32_t place, TrackKind kind);
    std::uint32_t asyncTrackOf(const ParsedEvent& event);
    std::string asyncKey(const ParsedEvent& event) const;
    std::uint32_t joinId(std::string_view text);
    std::uint32_t shapeOf(const ParsedEvent& event);
    static std::string_view trimmedName(std::string_view name);
    StringId internOrNone(std::string_view text);
    [[nodiscard]] RawEvent& raw(std::size_t index) {
        return m_chunks[index / kChunkEvents][index % kChunkEvents];
    }
    [[nodiscard]] const RawEvent& raw(std::size_t index) const {
        return m_chunks[index / kChunkEvents][index % kChunkEvents];
    }
    [[nodiscard]] std::size_t rawCount() const {
        return m_chunks.empty() ? 0 : (m_chunks.size() - 1) * kChunkEvents + m_chunks.back().size();
    }

    void closeOpenEvents();
    void nameTracks();
    [[nodiscard]] std::vector<std::uint32_t> displayOrder() const;
    /// Fills events, tracks and lanes; the new id of each raw event.
    std::vector<EventId> layOut(RankTrace& trace);
    void moveArguments(RankTrace& trace, const std::vector<EventId>& newIds);
    void resolveFlows(RankTrace& trace);

    std::uint64_t m_eventCount = 0;
    StringPool m_strings;
    std::vector<std::vector<RawEvent>> m_chunks;
    std::vector<Track> m_tracks;
    std::vector<std::uint32_t> m_trackPlaces;
    std::vector<Place> m_places;
    std::unordered_map<std::string, std::uint32_t> m_placeByKey;
    std::array<std::uint32_t, 4> m_recentPlaces{kNone, kNone, kNone, kNone};
    std::size_t m_recentAt = 0;
    std::map<std::string, ProcessNames> m_processes;                         ///< by pid
    std::map<std::pair<std::string, std::string>, ProcessNames> m_threads;   ///< by pid and tid
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> m_open;    ///< B without E yet, by place
    std::unordered_map<std::string, std::vector<std::uint32_t>> m_openAsync; ///< b without e yet
    std::unordered_map<std::string, std::uint32_t> m_asyncTracks;
    std::unordered_map<std::string, std::uint32_t> m_wideIds;
    Arguments m_arguments; ///< events are raw indices
    std::map<LaunchShape, std::uint32_t> m_shapeIds;
    std::vector<FlowPoint> m_flowPoints;
    std::vector<CounterSample> m_counters;
    std::array<std::uint64_t, 128> m_byLetter{};
    std::map<std::string, std::uint64_t> m_byOddPhase;
    std::vector<Category> m_categories;
    std::unordered_map<std::string, std::size_t> m_categoryByText;
    std::size_t m_category = 0; ///< of the event at hand, in m_categories; past its end: none
    ImportReport m_report;      ///< warnings only
};

} // namespace lockstep
