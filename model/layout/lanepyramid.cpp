#include "model/layout/lanepyramid.h"

#include <algorithm>

namespace lockstep {

namespace {

/// Keeps the longer of two events; the one held already wins a tie.
void keepLonger(std::span<const TimeNs> durations, std::size_t& held, std::size_t other) {
    if (durations[other] > durations[held])
        held = other;
}

} // namespace

LanePyramid::LanePyramid(const EventStore& events, const Lane& lane)
    : m_first(lane.beginIndex()) {
    const std::span<const TimeNs> durations = events.durations();
    std::vector<std::uint32_t> level;
    level.reserve(lane.count / kBlock + 1);
    for (std::size_t block = lane.beginIndex(); block < lane.endIndex(); block += kBlock) {
        std::size_t longest = block;
        for (std::size_t i = block + 1; i < std::min(block + kBlock, lane.endIndex()); ++i)
            keepLonger(durations, longest, i);
        level.push_back(static_cast<std::uint32_t>(longest));
    }
    while (level.size() > 1) {
        std::vector<std::uint32_t> above;
        above.reserve((level.size() + 1) / 2);
        for (std::size_t i = 0; i < level.size(); i += 2) {
            std::size_t longest = level[i];
            if (i + 1 < level.size())
                keepLonger(durations, longest, level[i + 1]);
            above.push_back(static_cast<std::uint32_t>(longest));
        }
        m_levels.push_back(std::move(level));
        level = std::move(above);
    }
    if (!level.empty())
        m_levels.push_back(std::move(level));
}

EventId LanePyramid::longest(const EventStore& events, std::size_t first, std::size_t last) const {
    const std::span<const TimeNs> durations = events.durations();
    std::size_t longest = first;
    // From the left: single events up to a block's edge, then ever larger blocks, then smaller ones again.
    std::size_t at = first;
    while (at < last) {
        const std::size_t place = at - m_first;
        if (place % kBlock != 0 || at + kBlock > last) {
            keepLonger(durations, longest, at);
            ++at;
            continue;
        }
        std::size_t level = 0;
        std::size_t size = kBlock;
        while (level + 1 < m_levels.size() && place % (size * 2) == 0 && at + size * 2 <= last) {
            ++level;
            size *= 2;
        }
        keepLonger(durations, longest, m_levels[level][place / size]);
        at += size;
    }
    return EventId{longest};
}

std::size_t LanePyramid::memoryBytes() const {
    std::size_t bytes = 0;
    for (const auto& level : m_levels)
        bytes += level.capacity() * sizeof(std::uint32_t);
    return bytes;
}

} // namespace lockstep
