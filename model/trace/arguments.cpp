#include "model/trace/arguments.h"

#include <algorithm>

namespace lockstep {

namespace {
template <class Row>
const Row* rowOf(const std::vector<Row>& rows, EventId event) {
    const auto at = std::lower_bound(rows.begin(), rows.end(), event, [](const Row& row, EventId wanted) {
        return row.event < wanted;
    });
    return at != rows.end() && at->event == event ? &*at : nullptr;
}
} // namespace

const GpuArguments* Arguments::gpuOf(EventId event) const {
    return rowOf(gpu, event);
}

const CpuOpArguments* Arguments::cpuOpOf(EventId event) const {
    return rowOf(cpuOps, event);
}

const CollectiveArguments* Arguments::collectiveOf(EventId event) const {
    return rowOf(collectives, event);
}

std::size_t Arguments::memoryBytes() const {
    return shapes.capacity() * sizeof(LaunchShape) + gpu.capacity() * sizeof(GpuArguments) +
           cpuOps.capacity() * sizeof(CpuOpArguments) + collectives.capacity() * sizeof(CollectiveArguments);
}

} // namespace lockstep
