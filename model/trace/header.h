#pragma once

#include "model/core/ids.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// One GPU of the host, from `deviceProperties`.
struct DeviceProperties {
    int id = 0;
    std::string name;
    std::int64_t memoryBytes = 0;
    int computeMajor = 0;
    int computeMinor = 0;
    int multiprocessors = 0;
};

/// One process group, from `distributedInfo.pg_config`.
struct ProcessGroup {
    std::string name;
    std::string description;
    int size = 0;
    std::vector<int> ranks;
};

/// Who this process was among its peers, from `distributedInfo`.
struct DistributedInfo {
    std::string backend;
    std::optional<int> rank;
    std::optional<int> worldSize;
    std::vector<ProcessGroup> processGroups;
    std::string ncclVersion;
};

/// All that stands beside `traceEvents`, whichever side of it.
struct TraceHeader {
    std::vector<DeviceProperties> devices;
    std::optional<DistributedInfo> distributed;
    std::optional<TimeNs> baseTimeNs; ///< `baseTimeNanoseconds`; every begin in the store includes it already
    std::string displayTimeUnit;
    std::string traceName;
    std::map<std::string, std::string> other; ///< versions and free metadata, as JSON text; last wins
};

} // namespace lockstep
