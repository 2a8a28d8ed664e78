#include "model/run/roughclock.h"

#include "model/run/run.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace lockstep {

namespace {

/// Clock `inner` maps own time to a middle clock, `outer` that one to the first rank's.
RoughClock chained(const SequenceOffset& inner, const RoughClock& outer) {
    RoughClock clock;
    clock.midNs = inner.midNs;
    const double atMiddle =
        static_cast<double>(inner.midNs - outer.midNs) + inner.offsetNs; // from outer's own middle
    // Whole nanoseconds: the fine alignment adds what is missing.
    clock.offsetNs = std::round(inner.offsetNs + outer.offsetNs + outer.driftPpm * 1e-6 * atMiddle);
    clock.driftPpm = inner.driftPpm + outer.driftPpm;
    clock.spreadNs = std::max(inner.spreadNs, outer.spreadNs);
    clock.fromCollectives = true;
    return clock;
}

} // namespace

TimeNs onFirstClock(const RoughClock& clock, TimeNs t) {
    const double drift = clock.driftPpm * 1e-6 * static_cast<double>(t - clock.midNs);
    const auto whole = static_cast<TimeNs>(clock.offsetNs);
    return t + whole + static_cast<TimeNs>(std::llround(clock.offsetNs - static_cast<double>(whole) + drift));
}

std::vector<RoughClock> roughClocks(const Run& run, const CollectiveCalls& calls,
                                    std::vector<std::string>& notes) {
    const std::size_t count = run.ranks.size();
    std::vector<RoughClock> clocks(count);
    std::vector<EndOrder> ends;
    ends.reserve(count);
    for (std::size_t rank = 0; rank < count; ++rank)
        ends.push_back(synchronisingEnds(run, calls, rank));
    // Ranks of different process groups never meet: each component of ranks that do has its own first one.
    constexpr std::size_t kMostComponents = 16;
    std::vector<std::size_t> firsts;
    std::string alone;
    for (std::size_t rank = 0; rank < count; ++rank) {
        for (const std::size_t first : firsts) {
            const auto offset = findOffset(ends[first].items, ends[rank].items);
            if (!offset)
                continue;
            clocks[rank] = chained(*offset, clocks[first]);
            break;
        }
        if (clocks[rank].fromCollectives)
            continue;
        if (!ends[rank].items.empty() && firsts.size() < kMostComponents) {
            clocks[rank].fromCollectives = firsts.empty();
            firsts.push_back(rank);
        }
        if (rank > 0 && !firsts.empty() && firsts.front() != rank)
            alone += fmt::format("{}{}", alone.empty() ? "" : ", ", run.ranks[rank].rank);
    }
    if (!alone.empty())
        notes.push_back(
            fmt::format("No collectives of rank {} meet those of rank {}: its clock is as its trace says.",
                        alone, run.ranks[firsts.front()].rank));
    return clocks;
}

SequenceOffset offsetBetween(const RoughClock& reference, const RoughClock& own,
                             std::span<const TimedItem> referenceItems, std::span<const TimedItem> ownItems) {
    SequenceOffset offset;
    if (referenceItems.empty() || ownItems.empty())
        return offset;
    // Start in the middle of what both have: find the reference item that is nearest in time.
    offset.own = ownItems.size() / 2;
    const TimeNs target = onFirstClock(own, ownItems[offset.own].end);
    const auto at = std::lower_bound(referenceItems.begin(), referenceItems.end(), target,
                                     [&](const TimedItem& item, TimeNs wanted) {
                                         return onFirstClock(reference, item.end) < wanted;
                                     });
    offset.reference =
        std::min(static_cast<std::size_t>(at - referenceItems.begin()), referenceItems.size() - 1);
    offset.midNs = ownItems[offset.own].end;
    const TimeNs ownTime = ownItems[offset.own].end;
    // The reference's own time that shows `target`: one step is exact enough for parts per million.
    const TimeNs guess = ownTime + (target - ownTime) - (onFirstClock(reference, target) - target);
    offset.offsetNs = static_cast<double>(guess - ownTime);
    offset.spreadNs = std::max(own.spreadNs, reference.spreadNs);
    offset.driftPpm = own.driftPpm - reference.driftPpm;
    return offset;
}

} // namespace lockstep
