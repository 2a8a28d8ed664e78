#pragma once

#include "model/core/ids.h"

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

namespace lockstep {

/// Grid, block and resources of a kernel launch: few distinct ones a run.
struct LaunchShape {
    std::array<std::uint32_t, 3> grid{};
    std::array<std::uint32_t, 3> block{};
    std::uint32_t registersPerThread = 0;
    std::uint32_t sharedMemoryBytes = 0;
    friend auto operator<=>(const LaunchShape&, const LaunchShape&) = default;
};

/// Arguments of a GPU activity.
struct GpuArguments {
    EventId event;
    std::int32_t device = -1;
    std::int32_t context = -1;
    std::uint32_t shape = 0xFFFF'FFFFu; ///< index into Arguments::shapes
    std::int64_t stream = -1;
    std::uint64_t graphNodeId = 0; ///< 0: none
    std::int64_t bytes = -1;       ///< copies and memsets
};

/// Arguments of a CPU op that analyses use.
struct CpuOpArguments {
    EventId event;
    StringId inputDims; ///< JSON text
    StringId callSite;  ///< `Call stack`, where recorded
};

/// Collective metadata, on a kernel or on its `record_param_comms` op. -1 or invalid: not given.
struct CollectiveArguments {
    EventId event;
    StringId collective; ///< "allreduce", …
    StringId dtype;
    StringId processGroup;
    StringId processGroupDescription;
    StringId processGroupRanks; ///< as text
    StringId inSplit;
    StringId outSplit;
    StringId commsId;
    std::int64_t inElements = -1;
    std::int64_t outElements = -1;
    std::int64_t sequence = -1;
    std::int32_t groupSize = -1;
    std::int32_t rank = -1;
    std::int32_t sourceRank = -1;
    std::int32_t destinationRank = -1;
    std::int32_t globalRankStart = -1;
    std::int32_t globalRankStride = -1;
    std::int8_t async = -1;
};

/// An arrow between two events, from s/t/f.
struct Flow {
    StringId category;
    EventId from;
    EventId to;
};

/// One sample of a counter (C).
struct CounterSample {
    StringId name;
    StringId series;
    TimeNs at = 0;
    double value = 0;
};

/// Arguments kept beside the columns; each table is sorted by event.
struct Arguments {
    std::vector<LaunchShape> shapes;
    std::vector<GpuArguments> gpu;
    std::vector<CpuOpArguments> cpuOps;
    std::vector<CollectiveArguments> collectives;

    /// The row of `event`, or null.
    [[nodiscard]] const GpuArguments* gpuOf(EventId event) const;
    [[nodiscard]] const CpuOpArguments* cpuOpOf(EventId event) const;
    [[nodiscard]] const CollectiveArguments* collectiveOf(EventId event) const;
    [[nodiscard]] std::size_t memoryBytes() const;
};

} // namespace lockstep
