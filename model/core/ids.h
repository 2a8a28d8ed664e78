#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace lockstep {

/// A 32-bit index into one table; indices of different tables do not mix, and a default one is invalid.
template <class Tag>
struct Id {
    static constexpr std::uint32_t kInvalid = 0xFFFF'FFFFu;
    std::uint32_t value = kInvalid;

    constexpr Id() = default;
    constexpr explicit Id(std::uint32_t v)
        : value(v) {}
    constexpr explicit Id(std::size_t v)
        : value(static_cast<std::uint32_t>(v)) {}
    [[nodiscard]] constexpr bool valid() const { return value != kInvalid; }
    [[nodiscard]] constexpr std::size_t index() const { return value; }
    friend constexpr auto operator<=>(Id, Id) = default;
};

/// A string in a StringPool.
using StringId = Id<struct StringTag>;
/// An event of one rank's EventStore.
using EventId = Id<struct EventTag>;
/// A lane (one row of non-overlapping events) of one rank.
using LaneId = Id<struct LaneTag>;
/// A track (stream, thread, counter …) of one rank.
using TrackId = Id<struct TrackTag>;

/// Nanoseconds: a duration, or a moment since the Unix epoch (or since the trace's own zero where no base is
/// known).
using TimeNs = std::int64_t;

} // namespace lockstep

template <class Tag>
struct std::hash<lockstep::Id<Tag>> {
    std::size_t operator()(lockstep::Id<Tag> id) const noexcept {
        return std::hash<std::uint32_t>{}(id.value);
    }
};
