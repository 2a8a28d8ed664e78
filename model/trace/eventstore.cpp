#include "model/trace/eventstore.h"

#include <algorithm>

namespace lockstep {

void EventStore::reserve(std::size_t events) {
    m_begin.reserve(events);
    m_duration.reserve(events);
    m_name.reserve(events);
    m_lane.reserve(events);
    m_source.reserve(events);
    m_correlation.reserve(events);
    m_externalId.reserve(events);
}

EventId EventStore::append(const Event& event) {
    std::uint64_t category = kNoCategory;
    if (event.category.valid()) {
        if (m_lastCategory < m_categories.size() && m_categories[m_lastCategory] == event.category) {
            category = m_lastCategory;
        } else {
            const auto at = std::find(m_categories.begin(), m_categories.end(), event.category);
            const auto index = static_cast<std::uint64_t>(at - m_categories.begin());
            if (at == m_categories.end() && index < kNoCategory)
                m_categories.push_back(event.category);
            if (index < kNoCategory) {
                category = index;
                m_lastCategory = index;
            }
        }
    }
    m_begin.push_back(event.begin);
    m_duration.push_back(event.duration);
    m_name.push_back(event.name);
    m_lane.push_back(event.lane);
    m_source.push_back(static_cast<std::uint64_t>(event.kind) << 56 | category << 40 |
                       std::min(event.byteOffset, kMaxOffset));
    m_correlation.push_back(event.correlation);
    m_externalId.push_back(event.externalId);
    return EventId{m_begin.size() - 1};
}

StringId EventStore::category(EventId id) const {
    const std::uint64_t index = m_source[id.index()] >> 40 & 0xFFFF;
    return index == kNoCategory ? StringId{} : m_categories[index];
}

Event EventStore::event(EventId id) const {
    return {begin(id), duration(id),    name(id),       category(id),  lane(id),
            kind(id),  correlation(id), externalId(id), byteOffset(id)};
}

void EventStore::renameStrings(std::span<const StringId> to) {
    for (StringId& name : m_name)
        if (name.valid())
            name = to[name.index()];
    for (StringId& category : m_categories)
        category = to[category.index()];
}

std::size_t EventStore::memoryBytes() const {
    return m_begin.capacity() * sizeof(TimeNs) + m_duration.capacity() * sizeof(TimeNs) +
           m_name.capacity() * sizeof(StringId) + m_lane.capacity() * sizeof(LaneId) +
           m_source.capacity() * sizeof(std::uint64_t) +
           (m_correlation.capacity() + m_externalId.capacity()) * sizeof(std::uint32_t);
}

} // namespace lockstep
