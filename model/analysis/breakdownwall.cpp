#include "model/analysis/breakdownwall.h"

#include <algorithm>
#include <bit>
#include <map>

namespace lockstep {

namespace {

constexpr std::size_t kCategories = 32;
constexpr std::size_t kParts = 3;

/// Which categories are active, by part.
using ActiveSet = std::array<std::uint32_t, kParts>;

struct Boundary {
    TimeNs at = 0;
    std::uint8_t category = 0;
    std::uint8_t part = 0;
    std::int8_t change = 0;
};

/// The total length of time in which each set of categories is active.
std::map<ActiveSet, TimeNs> lengthsOfSets(TimeRange range, std::span<const CategoryInterval> intervals) {
    std::vector<Boundary> boundaries;
    boundaries.reserve(intervals.size() * 2 + 1);
    for (const CategoryInterval& interval : intervals) {
        const TimeRange part = intersection(range, interval.range);
        if (part.empty())
            continue;
        const auto kind = static_cast<std::uint8_t>(interval.part);
        boundaries.push_back({part.begin, interval.category, kind, 1});
        boundaries.push_back({part.end, interval.category, kind, -1});
    }
    std::sort(boundaries.begin(), boundaries.end(), [](const Boundary& a, const Boundary& b) {
        return a.at < b.at;
    });
    boundaries.push_back({range.end, 0, 0, 0});

    std::map<ActiveSet, TimeNs> lengths;
    std::array<std::array<int, kCategories>, kParts> counts{};
    ActiveSet active{};
    TimeNs at = range.begin;
    for (const Boundary& boundary : boundaries) {
        if (boundary.at > at)
            lengths[active] += boundary.at - at;
        at = std::max(at, boundary.at);
        int& count = counts[boundary.part][boundary.category];
        count += boundary.change;
        const std::uint32_t bit = 1u << boundary.category;
        active[boundary.part] = count > 0 ? active[boundary.part] | bit : active[boundary.part] & ~bit;
    }
    return lengths;
}

/// Gives one category its part of the time in which `set` is active.
void addShare(WallShares::Share& share, TimeNs ns, const ActiveSet& set, std::uint32_t bit) {
    const bool works = (set[0] & bit) != 0;
    const bool waits = (set[1] & bit) != 0;
    const bool moves = (set[2] & bit) != 0;
    const int parts = int{works} + int{waits} + int{moves};
    share.ns += ns;
    share.waitingNs += waits ? ns / parts : 0;
    share.movingNs += moves ? ns / parts : 0;
}

} // namespace

WallShares shareWallTime(TimeRange range, std::span<const CategoryInterval> intervals,
                         std::uint32_t communication, std::uint32_t compute) {
    WallShares shares;
    if (range.empty())
        return shares;
    for (const auto& [set, length] : lengthsOfSets(range, intervals)) {
        const std::uint32_t active = set[0] | set[1] | set[2];
        if (active == 0) {
            shares.idleNs += length;
            continue;
        }
        if ((active & communication) != 0 && (active & compute) == 0)
            shares.exposedCommunicationNs += length;
        const int count = std::popcount(active);
        TimeNs rest = length % count;
        for (std::uint8_t category = 0; category < kCategories; ++category) {
            const std::uint32_t bit = 1u << category;
            if ((active & bit) == 0)
                continue;
            const TimeNs extra = rest > 0 ? 1 : 0;
            rest -= extra;
            addShare(shares.categories[category], length / count + extra, set, bit);
        }
    }
    return shares;
}

} // namespace lockstep
