#include "model/report/tables.h"

#include "model/run/run.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {

namespace {

/// Characters of UTF-8 text (not bytes).
std::size_t lengthOfText(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
    }));
}

std::string cut(std::string_view text, std::size_t widest) {
    if (lengthOfText(text) <= widest)
        return std::string(text);
    std::string head;
    std::size_t count = 0;
    for (const char c : text) {
        if ((static_cast<unsigned char>(c) & 0xC0u) != 0x80u && ++count >= widest)
            break;
        head += c;
    }
    return head + "…";
}

/// A spreadsheet takes a cell that begins with one of these for a formula, unless it is a number.
bool looksLikeFormula(std::string_view cell) {
    if (cell.empty() || std::string_view("=+-@\t\r").find(cell.front()) == std::string_view::npos)
        return false;
    const bool numeric = cell.size() > 1 && (cell.front() == '-' || cell.front() == '+') &&
                         cell.find_first_not_of("0123456789.eE", 1) == std::string_view::npos;
    return !numeric;
}

std::string csvCell(std::string_view cell) {
    std::string quoted = looksLikeFormula(cell) ? "\"'" : "\"";
    for (const char c : cell) {
        quoted += c;
        if (c == '"')
            quoted += '"';
    }
    return quoted + '"';
}

std::string markdownCell(std::string_view cell) {
    std::string escaped;
    for (; cell.starts_with("  "); cell.remove_prefix(2)) // parts of what stands above
        escaped += "&nbsp;&nbsp;";
    for (const char c : cell) {
        if (c == '\n' || c == '\r') {
            escaped += ' ';
            continue;
        }
        if (c == '<') {
            escaped += "&lt;";
            continue;
        }
        if (c == '>') {
            escaped += "&gt;";
            continue;
        }
        if (c == '&') {
            escaped += "&amp;";
            continue;
        }
        if (std::string_view("\\|`*_[]").find(c) != std::string_view::npos)
            escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::vector<std::string> breakdownCells(const Breakdown& breakdown, const BreakdownRow& row,
                                        const std::string& label, bool counted) {
    return {label,
            asMs(breakdown.perStep(row.totalNs)),
            counted ? fmt::format("{:.1f}", breakdown.percent(row)) : "",
            row.category == BreakdownRow::kIdle ? "" : fmt::format("{:.1f}", breakdown.callsPerStep(row)),
            row.calls > 0 ? asUs(Breakdown::perCall(row)) : "",
            asMs(row.p50Ns),
            asMs(row.p95Ns),
            asMs(row.p99Ns),
            row.waitNs ? asMs(breakdown.perStep(*row.waitNs)) : "",
            row.transferNs ? asMs(breakdown.perStep(*row.transferNs)) : ""};
}

std::string ranksAndSteps(const Breakdown& breakdown) {
    return fmt::format("Mean over {} step{} and {} rank{}.", breakdown.steps.size(),
                       breakdown.steps.size() == 1 ? "" : "s", breakdown.ranks.size(),
                       breakdown.ranks.size() == 1 ? "" : "s");
}

} // namespace

std::string asMs(double ns, int digits) {
    return fmt::format("{:.{}f}", ns / 1e6, digits);
}
std::string asUs(double ns, int digits) {
    return fmt::format("{:.{}f}", ns / 1e3, digits);
}

std::string toCsv(const ReportTable& table) {
    std::string csv;
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        csv += (c > 0 ? "," : "") + csvCell(table.columns[c].heading);
    csv += "\r\n";
    for (const auto& row : table.rows) {
        for (std::size_t c = 0; c < row.size(); ++c)
            csv += (c > 0 ? "," : "") + csvCell(row[c]);
        csv += "\r\n";
    }
    for (const std::string& note : table.notes)
        csv += csvCell("# " + note) + "\r\n";
    return csv;
}

std::string toMarkdown(const ReportTable& table) {
    std::string text = table.title.empty() ? "" : "### " + markdownCell(table.title) + "\n\n";
    std::string rule = "|";
    text += "|";
    for (const ReportTable::Column& column : table.columns) {
        text += " " + markdownCell(column.heading) + " |";
        rule += column.number ? "---:|" : "---|";
    }
    text += "\n" + rule + "\n";
    for (const auto& row : table.rows) {
        text += "|";
        for (const std::string& cell : row)
            text += " " + markdownCell(cell) + " |";
        text += "\n";
    }
    if (!table.notes.empty())
        text += "\n";
    for (const std::string& note : table.notes)
        text += markdownCell(note) + "  \n";
    return text;
}

std::string toPlainText(const ReportTable& table, std::size_t widest) {
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        std::size_t width = lengthOfText(table.columns[c].heading);
        for (const auto& row : table.rows)
            if (c < row.size())
                width = std::max(width, std::min(widest, lengthOfText(row[c])));
        widths.push_back(width);
    }
    auto lineOf = [&](auto cellAt) {
        std::string line;
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
            const std::string cell = cut(cellAt(c), widest);
            const std::string gap(widths[c] - std::min(widths[c], lengthOfText(cell)), ' ');
            line += c > 0 ? "  " : "";
            line += table.columns[c].number ? gap + cell : cell + gap;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        return line + "\n";
    };
    std::string text = table.title.empty() ? "" : table.title + "\n";
    text += lineOf([&](std::size_t c) -> std::string_view {
        return table.columns[c].heading;
    });
    for (const auto& row : table.rows)
        text += lineOf([&](std::size_t c) -> std::string_view {
            return c < row.size() ? std::string_view(row[c]) : "";
        });
    for (const std::string& note : table.notes)
        text += note + "\n";
    return text;
}

ReportTable breakdownTable(const Breakdown& breakdown, const CategorySet& set) {
    const bool wall = breakdown.attribution == Attribution::Wall;
    ReportTable table;
    table.title = wall ? "GPU time by category: wall time, shared among what runs at once"
                       : "GPU time by category: durations added up";
    table.columns = {{"category", false}, {"ms a step", true},  {"%", true},      {"calls a step", true},
                     {"µs a call", true}, {"p50 ms", true},     {"p95 ms", true}, {"p99 ms", true},
                     {"wait ms", true},   {"transfer ms", true}};
    for (const BreakdownRow& group : breakdown.groups) {
        table.rows.push_back(breakdownCells(breakdown, group, group.label, true));
        if (group.category == BreakdownRow::kIdle)
            continue;
        std::vector<const BreakdownRow*> parts;
        for (const BreakdownRow& row : breakdown.rows)
            if (row.category != BreakdownRow::kIdle && set.categories[row.category].group == group.category)
                parts.push_back(&row);
        if (parts.size() == 1 && parts.front()->label == group.label)
            continue;
        for (const BreakdownRow* part : parts)
            table.rows.push_back(breakdownCells(breakdown, *part, "  " + part->label, true));
    }
    table.rows.push_back({wall ? "Step (wall)" : "Total (sum)", asMs(breakdown.perStep(breakdown.totalNs)),
                          breakdown.totalNs > 0 ? "100.0" : "", "", "", "", "", "", "", ""});
    for (const BreakdownRow& row : breakdown.besides)
        table.rows.push_back(
            breakdownCells(breakdown, row, row.label + " (no kernels, not in the total)", false));
    table.notes.push_back(ranksAndSteps(breakdown));
    table.notes.push_back(fmt::format(
        "Wall {} ms a step, of it busy {}, idle {}, exposed communication {}; "
        "kernels added up {} ms.",
        asMs(breakdown.perStep(breakdown.wallNs)), asMs(breakdown.perStep(breakdown.busyNs)),
        asMs(breakdown.perStep(breakdown.idleNs)), asMs(breakdown.perStep(breakdown.exposedCommunicationNs)),
        asMs(breakdown.perStep(breakdown.kernelSumNs))));
    table.notes.push_back(fmt::format("No rule matches {:.2f} % of it.", 100 * breakdown.unclassifiedShare));
    return table;
}

ReportTable kernelTable(const KernelStatsTable& stats, const Run& run, const CategorySet& set,
                        std::size_t limit) {
    ReportTable table;
    table.title = "Kernels";
    table.columns = {{"kernel", false}, {"category", false}, {"calls", true},  {"total ms", true},
                     {"%", true},       {"mean us", true},   {"min us", true}, {"p50 us", true},
                     {"p99 us", true},  {"max us", true}};
    for (const KernelStats& row : stats.rows) {
        if (limit > 0 && table.rows.size() >= limit)
            break;
        table.rows.push_back({std::string(run.strings->view(row.name)), set.categories[row.category].label,
                              fmt::format("{}", row.count), asMs(static_cast<double>(row.totalNs)),
                              fmt::format("{:.2f}", 100 * row.share), asUs(row.meanNs, 2),
                              asUs(static_cast<double>(row.minNs), 2), asUs(row.p50Ns, 2), asUs(row.p99Ns, 2),
                              asUs(static_cast<double>(row.maxNs), 2)});
    }
    if (limit > 0 && stats.rows.size() > limit)
        table.notes.push_back(fmt::format("{} more kernels.", stats.rows.size() - limit));
    return table;
}

} // namespace lockstep
