#pragma once

#include "model/analysis/breakdown.h"
#include "model/analysis/kernelstats.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

struct Run;

/// A table of text, ready to be written in any form; units stand in the headings.
struct ReportTable {
    struct Column {
        std::string heading;
        bool number = false; ///< numbers are set to the right
    };
    std::string title;
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> notes; ///< what the numbers are over, below the table
};

/// Every cell quoted, quotes doubled, and no cell begins like a formula; notes as lines that begin with `#`.
[[nodiscard]] std::string toCsv(const ReportTable& table);
/// A Markdown table; characters that Markdown or HTML would take for markup are escaped.
[[nodiscard]] std::string toMarkdown(const ReportTable& table);
/// Columns padded with spaces, for terminals; cells longer than `widest` characters are cut.
[[nodiscard]] std::string toPlainText(const ReportTable& table, std::size_t widest = 72);

/// The case study's table: groups, with AllReduce and Everything else unfolded below them.
[[nodiscard]] ReportTable breakdownTable(const Breakdown& breakdown, const CategorySet& set);
/// Kernels by total time; at most `limit` rows (0: all).
[[nodiscard]] ReportTable kernelTable(const KernelStatsTable& stats, const Run& run, const CategorySet& set,
                                      std::size_t limit = 0);

/// Nanoseconds as milliseconds or microseconds with `digits` after the point, without a unit.
[[nodiscard]] std::string asMs(double ns, int digits = 3);
[[nodiscard]] std::string asUs(double ns, int digits = 1);

} // namespace lockstep
