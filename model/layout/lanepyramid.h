#pragma once

#include "model/trace/eventstore.h"
#include "model/trace/track.h"

#include <cstdint>
#include <vector>

namespace lockstep {

/// The longest event of each block of 2^k events of one lane, so that the longest of any stretch is found in
/// logarithmic time: half a byte an event.
class LanePyramid {
public:
    LanePyramid() = default;
    LanePyramid(const EventStore& events, const Lane& lane);

    /// The longest event with an index in [first, last), the earliest of equals; the range lies in the lane
    /// and is not empty.
    [[nodiscard]] EventId longest(const EventStore& events, std::size_t first, std::size_t last) const;
    [[nodiscard]] std::size_t memoryBytes() const;

private:
    static constexpr std::size_t kBlock = 16; ///< events of a block of the lowest level

    std::size_t m_first = 0; ///< index of the lane's first event
    std::vector<std::vector<std::uint32_t>>
        m_levels; ///< event indices; level k has blocks of kBlock·2^k events
};

} // namespace lockstep
