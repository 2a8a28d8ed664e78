#pragma once

#include "model/run/collectives.h"
#include "model/run/kernelnames.h"
#include "model/run/sequencematch.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

struct Run;

/// Every rank's communication kernels, not yet matched.
struct CollectiveCalls {
    std::vector<CollectiveGroup> groups;
    std::vector<std::vector<CollectiveCall>> calls; ///< like Run::ranks, by begin; steps and layers not set
    /// For each group, which groups may hold its partners: equal numbers belong together. Message sizes do
    /// not count, nor does the process group where the run has but one.
    std::vector<std::uint32_t> keys;

    /// Kind of the key's groups.
    [[nodiscard]] CollectiveKind kindOfKey(std::uint32_t key) const;
    [[nodiscard]] std::uint32_t keyOf(const CollectiveCall& call) const { return keys[call.group]; }
};

/// `activities` holds, like Run::ranks, each rank's GPU activities by begin.
[[nodiscard]] CollectiveCalls findCalls(const Run& run, const KernelNames& names,
                                        const std::vector<std::span<const EventId>>& activities);

/// Calls of one rank in order of end, for matching.
struct EndOrder {
    std::vector<TimedItem> items;
    std::vector<std::uint32_t> calls; ///< for each item, its index among the rank's calls
};
/// Those of rank `rank` whose kind synchronises (`key` any), or all of one key.
[[nodiscard]] EndOrder synchronisingEnds(const Run& run, const CollectiveCalls& calls, std::size_t rank);
[[nodiscard]] EndOrder endsOfKey(const Run& run, const CollectiveCalls& calls, std::size_t rank,
                                 std::uint32_t key);

} // namespace lockstep
