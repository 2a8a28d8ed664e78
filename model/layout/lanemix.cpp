#include "model/layout/lanemix.h"

#include <algorithm>
#include <numeric>

namespace lockstep {

LaneMix::LaneMix(const EventStore& events, const Lane& lane, std::span<const EventClass> classes,
                 std::uint8_t waitingClass)
    : m_first(lane.beginIndex())
    , m_waitingClass(waitingClass) {
    m_sums.reserve(lane.count / kBlock + 1);
    Times sum{};
    for (std::size_t i = lane.beginIndex(); i < lane.endIndex(); ++i) {
        if ((i - m_first) % kBlock == 0)
            m_sums.push_back(sum);
        addEvent(events, classes, i, sum);
    }
    if (lane.count % kBlock == 0)
        m_sums.push_back(sum);
}

void LaneMix::addEvent(const EventStore& events, std::span<const EventClass> classes, std::size_t index,
                       Times& into) const {
    const TimeNs duration = events.durations()[index];
    const EventClass which = classes[index];
    const TimeNs waiting = which.waiting == 0 ? 0 : duration * which.waiting / 255;
    into[which.own] += duration - waiting;
    into[m_waitingClass] += waiting;
}

LaneMix::Times LaneMix::timesOf(const EventStore& events, std::span<const EventClass> classes,
                                std::size_t first, std::size_t last) const {
    Times times{};
    const std::size_t firstBlock = (first - m_first + kBlock - 1) / kBlock;
    const std::size_t lastBlock = (last - m_first) / kBlock;
    if (firstBlock >= lastBlock) {
        for (std::size_t i = first; i < last; ++i)
            addEvent(events, classes, i, times);
        return times;
    }
    for (std::size_t c = 0; c < kClasses; ++c)
        times[c] = m_sums[lastBlock][c] - m_sums[firstBlock][c];
    for (std::size_t i = first; i < m_first + firstBlock * kBlock; ++i)
        addEvent(events, classes, i, times);
    for (std::size_t i = m_first + lastBlock * kBlock; i < last; ++i)
        addEvent(events, classes, i, times);
    return times;
}

std::array<int, LaneMix::kClasses> bandsOf(const LaneMix::Times& times, int height) {
    std::array<int, LaneMix::kClasses> bands{};
    const TimeNs total = std::accumulate(times.begin(), times.end(), TimeNs{0});
    if (total <= 0)
        return bands;
    const auto most = std::max_element(times.begin(), times.end());
    if (*most == total) {
        bands[static_cast<std::size_t>(most - times.begin())] = height;
        return bands;
    }
    // A column has two or three of the classes.
    std::array<std::size_t, LaneMix::kClasses> present{};
    std::array<double, LaneMix::kClasses> rest{};
    std::size_t count = 0;
    int left = height;
    for (std::size_t c = 0; c < times.size(); ++c) {
        if (times[c] <= 0)
            continue;
        const double part = static_cast<double>(times[c]) / static_cast<double>(total) * height;
        bands[c] = static_cast<int>(part);
        left -= bands[c];
        rest[count] = part - bands[c];
        present[count++] = c;
    }
    for (; left > 0; --left) {
        const auto next = static_cast<std::size_t>(
            std::max_element(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(count)) - rest.begin());
        ++bands[present[next]];
        rest[next] = 0;
    }
    return bands;
}

} // namespace lockstep
