#pragma once

#include "model/core/ids.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lockstep {

/// Clocks of machines drift by less than a hundred parts in a million; what looks like more than this is no
/// drift, but two captures that have nothing to do with each other.
inline constexpr double kMostDriftPpm = 1'000;

/// One collective of one rank as far as matching needs it; sequences of these are in order of end.
struct TimedItem {
    TimeNs end = 0;
    std::uint32_t key = 0;      ///< kind and process group: only equal keys belong together
    std::int64_t sequence = -1; ///< `Seq`; -1: not given
};

/// Where two sequences meet: own.end + offsetNs ≈ reference.end, and how closely.
struct SequenceOffset {
    double offsetNs = 0;
    double driftPpm = 0; ///< of the offset, about own time midNs
    TimeNs midNs = 0;
    double spreadNs = 0;       ///< median deviation of the pairs
    std::size_t matched = 0;   ///< pairs whose end times agree
    std::size_t reference = 0; ///< a pair that surely belongs together
    std::size_t own = 0;
};

/// The shift of time that makes most end times of `own` meet end times of `reference`: by sequence numbers
/// where both have them, else by the windows of one that fit the other. Nothing where none fits.
[[nodiscard]] std::optional<SequenceOffset> findOffset(std::span<const TimedItem> reference,
                                                       std::span<const TimedItem> own);

/// For each of `own` the index in `reference` of the item that ends with it, or -1: a merge of both in time
/// that follows a drifting offset. Items that stand between the same neighbours in equal number belong
/// together even where their ends do not agree. Linear.
[[nodiscard]] std::vector<std::int32_t> pairByTime(std::span<const TimedItem> reference,
                                                   std::span<const TimedItem> own,
                                                   const SequenceOffset& offset);

} // namespace lockstep
