#pragma once

#include "model/core/ids.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

class EventStore;

/// Kernel ↔ launch ↔ CPU op of one rank, joined by correlation and `External id`.
class LaunchIndex {
public:
    LaunchIndex() = default;
    explicit LaunchIndex(const EventStore& events);

    /// The runtime or driver call that launched GPU activity `activity`; invalid where none was captured.
    [[nodiscard]] EventId launchOf(const EventStore& events, EventId activity) const;
    /// The innermost CPU op that carries the activity's `External id` (its launch's where it has none);
    /// inside a graph replay this is whatever op encloses the launch.
    [[nodiscard]] EventId cpuOpOf(const EventStore& events, EventId event) const;
    /// GPU activities of one correlation, in order of begin; many for a graph launch.
    [[nodiscard]] std::span<const EventId> activitiesOf(std::uint32_t correlation) const;
    [[nodiscard]] std::size_t memoryBytes() const;

private:
    struct Entry {
        std::uint32_t key;
        EventId event;
    };
    static EventId find(const std::vector<Entry>& entries, std::uint32_t key);

    std::vector<Entry> m_launches; ///< by correlation
    std::vector<Entry> m_cpuOps;   ///< by External id
    std::vector<std::uint32_t> m_activityKeys;
    std::vector<EventId> m_activities; ///< by correlation, then begin
};

} // namespace lockstep
