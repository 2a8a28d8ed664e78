#pragma once

#include "model/core/ids.h"
#include "model/core/timerange.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct Run;
struct StepTable;

enum class CollectiveKind : std::uint8_t {
    AllReduce,
    AllGather,
    ReduceScatter,
    AllToAll,
    Broadcast,
    Reduce,
    SendReceive,
    Barrier,
    Other
};
enum class CollectiveBackend : std::uint8_t { Nccl, Custom, SymmetricMemory, Fused, ExpertParallel };
[[nodiscard]] std::string_view
nameOf(CollectiveKind kind); // "allreduce", "allgather", "reduce_scatter", "alltoall", "broadcast", "reduce",
                             // "send_recv", "barrier", "other"
[[nodiscard]] std::string_view
nameOf(CollectiveBackend backend); // "nccl", "custom", "symmetric_memory", "fused", "expert_parallel"

/// What a communication kernel is, by its name alone.
struct CollectiveName {
    CollectiveKind kind = CollectiveKind::Other;
    CollectiveBackend backend = CollectiveBackend::Nccl;
    bool communication = false; ///< false: this kernel does not communicate
};
[[nodiscard]] CollectiveName classifyCollective(std::string_view kernelName);
/// The kind that a trace's `Collective name` names ("_allgather_base").
[[nodiscard]] CollectiveKind kindOfCollectiveMetadata(std::string_view text);
/// Whether all members leave together, so that the end times can align clocks.
[[nodiscard]] bool synchronises(CollectiveKind kind);

/// One communication kernel on one rank.
struct CollectiveCall {
    EventId event;
    std::uint32_t activity = 0; ///< index into RankActivities::events
    std::uint32_t step = 0xFFFF'FFFFu;
    std::uint16_t layer = 0xFFFF;
    std::uint16_t group = 0; ///< index into CollectiveTable::groups
    std::int64_t sequence = -1;
};

/// Calls that belong together: kind, backend, message size and process group.
struct CollectiveGroup {
    CollectiveKind kind = CollectiveKind::Other;
    CollectiveBackend backend = CollectiveBackend::Nccl;
    std::int64_t bytes = -1;  ///< a rank's input; -1 unknown
    std::string processGroup; ///< empty where unknown
    std::string groupRanks;   ///< the process group's ranks as the trace writes them; empty where unknown
};

/// One collective as all its members ran it.
struct Collective {
    std::uint32_t ordinal = 0; ///< among the matched, from 0 in time order
    std::uint32_t step = 0xFFFF'FFFFu;
    std::uint16_t layer = 0xFFFF;
    std::uint16_t group = 0;
};

struct CollectiveTable {
    std::vector<CollectiveGroup> groups;
    std::vector<std::vector<CollectiveCall>> calls; ///< like Run::ranks, each by begin
    std::vector<Collective> matched;                ///< in time order
    std::vector<std::int32_t> members; ///< a row of ranks for each matched one: index into calls[rank], or -1
    std::vector<std::vector<std::uint32_t>> unmatched; ///< like Run::ranks: indices into calls
    std::vector<std::string> notes;

    /// The call of rank `rank` (index into Run::ranks) in matched collective `index`; null where that rank is
    /// no member.
    [[nodiscard]] const CollectiveCall* callOf(std::size_t index, std::size_t rank) const {
        const std::int32_t call = members[index * calls.size() + rank];
        return call < 0 ? nullptr : &calls[rank][static_cast<std::size_t>(call)];
    }
    [[nodiscard]] std::size_t memoryBytes() const;
};

/// Finds every rank's communication kernels and matches them across ranks (definitions.md, Collective).
[[nodiscard]] CollectiveTable matchCollectives(const Run& run, const StepTable& steps);

} // namespace lockstep
