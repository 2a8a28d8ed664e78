#pragma once

#include "model/analysis/activityfilter.h"
#include "model/analysis/categories.h"
#include "model/core/timerange.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct RunAnalysis;

enum class Attribution : std::uint8_t { Sum, Wall };
[[nodiscard]] std::string_view nameOf(Attribution attribution); // "sum", "wall"

/// What a breakdown is over.
struct BreakdownSelection {
    std::vector<std::uint32_t> steps; ///< indices into StepTable::steps; empty: the typical ones
    std::vector<std::size_t> ranks;   ///< indices into Run::ranks; empty: all
    std::optional<std::uint16_t> layer;
    std::shared_ptr<const ActivityFilter> only = nullptr; ///< null: all activities

    [[nodiscard]] bool passes(std::size_t rank, std::size_t activity) const {
        return !only || only->passes(rank, activity);
    }
};

/// One line: a category, a group of categories, or idle time. Times are totals over all chosen steps and
/// ranks.
struct BreakdownRow {
    static constexpr std::uint8_t kIdle = 0xFF;
    std::uint8_t category = 0; ///< index into CategorySet::categories (or groups), or kIdle
    std::string label;
    std::string group;
    TimeNs totalNs = 0; ///< as attributed
    TimeNs sumNs = 0;   ///< durations added up
    std::uint64_t calls = 0;
    std::optional<TimeNs> waitNs; ///< of collectives that were matched across ranks, as attributed
    std::optional<TimeNs> transferNs;
    std::vector<double> stepNs; ///< mean over the ranks, one a chosen step
    double p50Ns = 0;           ///< over the chosen steps
    double p95Ns = 0;
    double p99Ns = 0;
};

/// Where the GPU time of the chosen steps and ranks goes.
///
/// Sum attribution adds up kernels: its total equals kernel_sum_ns. Copies and memsets are GPU activities but
/// no kernels (the profiler counts them apart too, and a copy engine runs beside the kernels), so they stand
/// in `besides` and not in the total. In wall attribution they keep the GPU busy like anything else: they are
/// rows, and rows and idle add up to the wall time to the nanosecond.
struct Breakdown {
    Attribution attribution = Attribution::Sum;
    std::vector<std::uint32_t> steps;
    std::vector<std::size_t> ranks;
    std::size_t cells = 0;             ///< chosen steps × ranks that ran them: what means are over
    std::vector<BreakdownRow> rows;    ///< categories that occur, in the set's order; then idle (wall)
    std::vector<BreakdownRow> groups;  ///< all groups in the set's order; then idle (wall)
    std::vector<BreakdownRow> besides; ///< copies and memsets, in sum attribution
    TimeNs totalNs = 0;                ///< of rows
    TimeNs kernelSumNs = 0;
    TimeNs wallNs = 0;
    TimeNs busyNs = 0;
    TimeNs idleNs = 0;
    TimeNs exposedCommunicationNs = 0;
    std::optional<double> periodNs; ///< mean, of the steps that have a next one
    double unclassifiedShare = 0;   ///< of the total, 0 to 1

    /// The mean per step and rank of a total, in nanoseconds.
    [[nodiscard]] double perStep(TimeNs total) const {
        return cells > 0 ? static_cast<double>(total) / static_cast<double>(cells) : 0;
    }
    [[nodiscard]] double percent(const BreakdownRow& row) const {
        return totalNs > 0 ? 100.0 * static_cast<double>(row.totalNs) / static_cast<double>(totalNs) : 0;
    }
    [[nodiscard]] double callsPerStep(const BreakdownRow& row) const {
        return cells > 0 ? static_cast<double>(row.calls) / static_cast<double>(cells) : 0;
    }
    /// Mean time of a call as attributed, in nanoseconds.
    [[nodiscard]] static double perCall(const BreakdownRow& row) {
        return row.calls > 0 ? static_cast<double>(row.totalNs) / static_cast<double>(row.calls) : 0;
    }
};

[[nodiscard]] Breakdown breakdownOf(const RunAnalysis& analysis, const CategorySet& set,
                                    const CategoryTable& table, Attribution attribution,
                                    const BreakdownSelection& selection = {});

/// One breakdown a layer, of layers 0 to the last that any chosen step has.
[[nodiscard]] std::vector<Breakdown> breakdownByLayer(const RunAnalysis& analysis, const CategorySet& set,
                                                      const CategoryTable& table, Attribution attribution,
                                                      const BreakdownSelection& selection = {});

} // namespace lockstep
