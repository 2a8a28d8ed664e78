#pragma once

#include "model/analysis/breakdown.h"

#include <cstdint>
#include <vector>

namespace lockstep {

/// Calls and time of one kernel on one rank.
struct KernelRankStats {
    std::uint64_t count = 0;
    TimeNs totalNs = 0;
};

/// One GPU activity name in one category: a generic GEMM of experts and of dense layers are two rows.
struct KernelStats {
    StringId name;
    std::uint8_t category = 0;
    bool kernel = true; ///< false: a copy or memset
    std::uint64_t count = 0;
    TimeNs totalNs = 0;
    TimeNs minNs = 0;
    TimeNs maxNs = 0;
    double meanNs = 0;
    double p50Ns = 0;
    double p99Ns = 0;
    double share = 0;                   ///< of the durations of all rows, 0 to 1
    std::vector<KernelRankStats> ranks; ///< like KernelStatsTable::ranks
};

struct KernelStatsTable {
    std::vector<std::size_t> ranks; ///< indices into Run::ranks
    std::size_t cells = 0; ///< steps × ranks that ran them; the number of ranks where everything is counted
    std::vector<KernelStats> rows; ///< largest total first
    TimeNs totalNs = 0;
};

enum class KernelScope : std::uint8_t { Steps, Everything }; ///< Everything: what lies outside steps, too

/// Statistics by name over the chosen steps, ranks and layer (with Everything, over the ranks' whole traces).
[[nodiscard]] KernelStatsTable kernelStats(const RunAnalysis& analysis, const CategoryTable& table,
                                           const BreakdownSelection& selection = {},
                                           KernelScope scope = KernelScope::Steps);

} // namespace lockstep
