#pragma once

#include "model/core/ids.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct Run;
struct StepTable;
struct CollectiveTable;
struct ClockAlignment;

enum class CauseKind : std::uint8_t { Unknown, Kernel, Host, Copy };
[[nodiscard]] std::string_view nameOf(CauseKind kind); // "unknown", "kernel", "host", "copy"

/// Why a straggler was late, with the evidence.
struct StallCause {
    CauseKind kind = CauseKind::Unknown;
    std::string name;     ///< kernel, runtime call or CPU op
    TimeNs excessNs = 0;  ///< beyond what the other ranks spent
    EventId event;        ///< on the straggler's rank, where there is one
    std::string evidence; ///< a sentence
};

/// One rank in one matched collective; times on that rank's own clock are in the store, these are
/// differences.
struct RankWait {
    TimeNs arrivalNs = 0;   ///< on the run's clock: max(start, end of the kernel before it on that stream)
    TimeNs waitNs = 0;      ///< clamp(last arrival − arrival, 0, end − arrival)
    TimeNs transferNs = -1; ///< end − arrival − wait; -1: this rank is no member

    [[nodiscard]] bool member() const { return transferNs >= 0; }
};

/// One matched collective with who waited for whom; parallel to CollectiveTable::matched.
struct Stall {
    TimeNs beginNs = 0;          ///< first arrival, on the run's clock
    TimeNs skewNs = 0;           ///< last − first arrival
    std::uint32_t straggler = 0; ///< index into Run::ranks
    bool headTransient = false;
    bool clockDisagrees = false; ///< the clock-free figure (own − shortest duration) differs from a wait by
                                 ///< more than the residual
};

/// Sums of one rank over all matched collectives, head transients included.
struct RankStalls {
    TimeNs waitedNs = 0;
    TimeNs causedNs = 0;
    std::uint32_t lastArrivals = 0;
    TimeNs headTransientNs = 0; ///< the part of waitedNs that averages leave out
};

enum class GroupClass : std::uint8_t { Inconclusive, ArrivalSkew, Transfer, Mixed };
[[nodiscard]] std::string_view nameOf(GroupClass c); // "inconclusive", "arrival_skew", "transfer", "mixed"

/// Sums of one CollectiveGroup over all its matched collectives; percentiles and class leave out head
/// transients.
struct GroupStalls {
    std::uint32_t count = 0;
    TimeNs p50Ns = 0; ///< duration of a call, over calls of all ranks
    TimeNs p99Ns = 0;
    std::vector<TimeNs> waitNs;     ///< like Run::ranks
    std::vector<TimeNs> transferNs; ///< like Run::ranks
    GroupClass classification = GroupClass::Inconclusive;
};

struct StallTable {
    std::vector<Stall> stalls;        ///< like CollectiveTable::matched
    std::vector<RankWait> waits;      ///< a row of ranks for each stall
    std::vector<RankStalls> ranks;    ///< like Run::ranks
    std::vector<GroupStalls> groups;  ///< like CollectiveTable::groups
    std::vector<std::uint32_t> worst; ///< indices into stalls, largest skew first, head transients included
    std::vector<std::string> notes;

    /// Rank `rank` (index into Run::ranks) in stall `index`.
    [[nodiscard]] const RankWait& waitOf(std::size_t index, std::size_t rank) const {
        return waits[index * ranks.size() + rank];
    }
    [[nodiscard]] std::size_t memoryBytes() const;
};

struct StallOptions {
    bool includeHeadTransients = false; ///< in percentiles, classes and averages
    /// Sums and `worst` are over collectives of these steps alone; unset: all, those outside steps too.
    std::optional<std::uint32_t> firstStep;
    std::optional<std::uint32_t> lastStep; ///< inclusive

    [[nodiscard]] bool counts(std::uint32_t step) const {
        return (!firstStep && !lastStep) ||
               (step != 0xFFFF'FFFFu && step >= firstStep.value_or(0) && step <= lastStep.value_or(step));
    }
};

[[nodiscard]] StallTable attributeStalls(const Run& run, const StepTable& steps,
                                         const CollectiveTable& collectives, const ClockAlignment& alignment,
                                         const StallOptions& options = {});
/// Why the straggler of matched collective `index` was late (definitions.md, Stall).
[[nodiscard]] StallCause causeOf(const Run& run, const StepTable& steps, const CollectiveTable& collectives,
                                 const ClockAlignment& alignment, const StallTable& stalls,
                                 std::uint32_t index);

} // namespace lockstep
