#pragma once

#include "model/trace/eventstore.h"
#include "model/trace/track.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

/// What an event counts as in a mix: a class, and the part of its time that counts as another.
struct EventClass {
    std::uint8_t own = 0;     ///< below LaneMix::kClasses
    std::uint8_t waiting = 0; ///< of 255 parts of its duration, how many are waiting
};

/// How a lane's time divides among classes over any stretch of its events: sums at every 2^k-th event, and
/// the few events beside them added up when asked. Costs 9 bytes an event.
class LaneMix {
public:
    static constexpr std::size_t kClasses = 18;
    using Times = std::array<TimeNs, kClasses>;

    LaneMix() = default;
    /// `classes`: by event, of the whole rank; `waitingClass` is what the waiting part counts as.
    LaneMix(const EventStore& events, const Lane& lane, std::span<const EventClass> classes,
            std::uint8_t waitingClass);

    [[nodiscard]] bool empty() const { return m_sums.empty(); }
    /// Time of each class in the events with an index in [first, last), which lies in the lane.
    [[nodiscard]] Times timesOf(const EventStore& events, std::span<const EventClass> classes,
                                std::size_t first, std::size_t last) const;

private:
    static constexpr std::size_t kBlock = 16;
    void addEvent(const EventStore& events, std::span<const EventClass> classes, std::size_t index,
                  Times& into) const;

    std::size_t m_first = 0;
    std::uint8_t m_waitingClass = 0;
    std::vector<Times> m_sums; ///< of all events before block k
};

/// Divides `height` pixels among the classes by their times: largest remainders get the last pixels, so that
/// the parts fill the height exactly. All zero where there is no time.
[[nodiscard]] std::array<int, LaneMix::kClasses> bandsOf(const LaneMix::Times& times, int height);

} // namespace lockstep
