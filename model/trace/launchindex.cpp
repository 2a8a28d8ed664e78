#include "model/trace/launchindex.h"

#include "model/core/radixsort.h"
#include "model/trace/eventstore.h"

#include <algorithm>
#include <tuple>

namespace lockstep {

LaunchIndex::LaunchIndex(const EventStore& events) {
    std::vector<Entry> activities;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const EventId id{i};
        const EventKind kind = events.kind(id);
        if (isLaunchCall(kind) && events.correlation(id) != 0)
            m_launches.push_back({events.correlation(id), id});
        else if ((kind == EventKind::CpuOp || kind == EventKind::Annotation) && events.externalId(id) != 0)
            m_cpuOps.push_back({events.externalId(id), id});
        else if (isGpuActivity(kind) && events.correlation(id) != 0)
            activities.push_back({events.correlation(id), id});
    }
    // All three come in the order of their events; that is kept within a key.
    const auto keyOf = [](const Entry& entry) {
        return entry.key;
    };
    radixSort(m_launches, keyOf);
    // Of several events with one External id (an op and its annotation) the shortest is the innermost.
    radixSort(m_cpuOps, keyOf, [&](const Entry& a, const Entry& b) {
        return std::tuple(events.duration(a.event), a.event) < std::tuple(events.duration(b.event), b.event);
    });
    radixSort(activities, keyOf, [&](const Entry& a, const Entry& b) {
        return std::tuple(events.begin(a.event), a.event) < std::tuple(events.begin(b.event), b.event);
    });
    m_launches.shrink_to_fit();
    m_cpuOps.shrink_to_fit();
    m_activities.reserve(activities.size());
    m_activityKeys.reserve(activities.size());
    for (const auto& [key, event] : activities) {
        m_activities.push_back(event);
        m_activityKeys.push_back(key);
    }
}

EventId LaunchIndex::find(const std::vector<Entry>& entries, std::uint32_t key) {
    const auto at =
        std::lower_bound(entries.begin(), entries.end(), key, [](const Entry& entry, std::uint32_t wanted) {
            return entry.key < wanted;
        });
    return key != 0 && at != entries.end() && at->key == key ? at->event : EventId{};
}

EventId LaunchIndex::launchOf(const EventStore& events, EventId activity) const {
    return find(m_launches, events.correlation(activity));
}

EventId LaunchIndex::cpuOpOf(const EventStore& events, EventId event) const {
    const EventId own = find(m_cpuOps, events.externalId(event));
    if (own.valid())
        return own;
    const EventId launch = launchOf(events, event);
    return launch.valid() ? find(m_cpuOps, events.externalId(launch)) : EventId{};
}

std::span<const EventId> LaunchIndex::activitiesOf(std::uint32_t correlation) const {
    const auto [first, last] = std::equal_range(m_activityKeys.begin(), m_activityKeys.end(), correlation);
    return {m_activities.data() + (first - m_activityKeys.begin()), static_cast<std::size_t>(last - first)};
}

std::size_t LaunchIndex::memoryBytes() const {
    return (m_launches.capacity() + m_cpuOps.capacity()) * sizeof(Entry) +
           m_activityKeys.capacity() * sizeof(std::uint32_t) + m_activities.capacity() * sizeof(EventId);
}

} // namespace lockstep
