#pragma once

#include "model/core/ids.h"
#include "model/core/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct RankTrace;

/// One line of the profiler's own table. Times are as exact as the text: `resolutionNs` is one unit of the
/// last digit of selfDeviceNs.
struct SummaryRow {
    std::string name;        ///< without the "..." of a name that was cut
    bool cut = false;        ///< the table holds only the name's beginning
    bool gpuSide = false;    ///< a kernel, copy or memset
    bool annotation = false; ///< a range on the GPU (a step marker, "nccl:all_reduce"): no work of its own
    TimeNs selfCpuNs = 0;
    TimeNs selfDeviceNs = 0;
    TimeNs deviceTotalNs = 0;
    TimeNs resolutionNs = 1;
    std::uint64_t calls = 0;
};

/// The text table that torch.profiler prints (`profiler_out_N.txt`).
struct SummaryTable {
    std::string file;
    std::optional<int> rank; ///< from the file's name
    std::string device;      ///< "CUDA", as the headings say
    std::vector<SummaryRow> rows;
    std::optional<TimeNs> selfCpuTotalNs;
    std::optional<TimeNs> selfDeviceTotalNs;
};

/// A kernel whose table line and trace do not agree.
struct SummaryDifference {
    std::string name;
    TimeNs tableNs = 0;
    TimeNs traceNs = 0;
    std::uint64_t tableCalls = 0;
    std::uint64_t traceCalls = 0;
    std::string sentence;
};

/// The table's GPU totals against the trace of the same rank.
struct SummaryCrossCheck {
    std::size_t compared = 0;
    std::vector<SummaryDifference> differences; ///< largest first
    /// Of the trace only: the profiler prints a limited number of lines, so this is no disagreement.
    std::vector<SummaryDifference> notInTable;
    TimeNs tableTotalNs = 0; ///< "Self CUDA time total"
    TimeNs traceTotalNs = 0; ///< kernels, copies and memsets
    bool totalAgrees = false;

    [[nodiscard]] bool agrees() const { return differences.empty() && totalAgrees; }
};

/// Reads a table from `text`; error: there is none in it.
[[nodiscard]] Result<SummaryTable> parseSummaryTable(std::string_view text, const std::string& file);
[[nodiscard]] Result<SummaryTable> readSummaryTable(const std::string& path);
/// Whether `text` (a file's beginning will do) looks like such a table.
[[nodiscard]] bool looksLikeSummaryTable(std::string_view text);
/// Compares per kernel: calls must be equal, and times within the table's rounding. Names that the table cuts
/// alike are compared in the order of their totals.
[[nodiscard]] SummaryCrossCheck crossCheck(const SummaryTable& table, const RankTrace& trace);

} // namespace lockstep
