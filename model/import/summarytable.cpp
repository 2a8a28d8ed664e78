#include "model/import/summarytable.h"

#include "model/trace/rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace lockstep {

namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// A line of only dashes and spaces that rules the table off.
bool isRule(std::string_view line) {
    return line.starts_with("----") && line.find_first_not_of("- \r") == std::string_view::npos;
}

/// Cells are set apart by two spaces or more; names may hold single ones.
std::vector<std::string_view> cellsOf(std::string_view line) {
    std::vector<std::string_view> cells;
    std::size_t at = 0;
    while (at < line.size()) {
        std::size_t end = line.find("  ", at);
        if (end == std::string_view::npos)
            end = line.size();
        if (const std::string_view cell = trimmed(line.substr(at, end - at)); !cell.empty())
            cells.push_back(cell);
        at = end == line.size() ? end : line.find_first_not_of(' ', end);
        if (at == std::string_view::npos)
            break;
    }
    return cells;
}

struct Amount {
    TimeNs ns = 0;
    TimeNs resolutionNs = 1;
};

/// "929.697ms": the digits, exactly, and what one unit of the last digit is worth.
std::optional<Amount> amountOf(std::string_view text) {
    std::size_t digits = 0;
    std::size_t decimals = 0;
    bool point = false;
    std::int64_t value = 0;
    std::size_t at = 0;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '.' && !point)
            point = true;
        else if (c >= '0' && c <= '9' && digits < 17) {
            value = value * 10 + (c - '0');
            ++digits;
            decimals += point ? 1 : 0;
        } else
            break;
    }
    if (digits == 0)
        return std::nullopt;
    const std::string_view unit = text.substr(at);
    std::int64_t scale = 0;
    if (unit == "us")
        scale = 1'000;
    else if (unit == "ms")
        scale = 1'000'000;
    else if (unit == "s")
        scale = 1'000'000'000;
    else if (unit == "ns")
        scale = 1;
    else
        return std::nullopt;
    for (std::size_t i = 0; i < decimals; ++i) {
        if (scale % 10 != 0)
            return std::nullopt;
        scale /= 10;
    }
    return Amount{value * scale, scale};
}

/// Which cell holds what, counted from the right: the name is whatever is left.
struct Columns {
    std::size_t count = 0;
    std::size_t selfCpu = 0;
    std::size_t selfDevice = 0;
    std::size_t deviceTotal = 0;
    std::size_t calls = 0;
    std::string device;
};

std::optional<Columns> columnsOf(std::string_view line) {
    const std::vector<std::string_view> headings = cellsOf(line);
    if (headings.empty() || headings.front() != "Name")
        return std::nullopt;
    Columns columns;
    columns.count = headings.size();
    for (std::size_t i = 1; i < headings.size(); ++i) {
        const std::string_view heading = headings[i];
        const std::size_t fromRight = headings.size() - i;
        const bool plain =
            heading.find('%') == std::string_view::npos && heading.find("Mem") == std::string_view::npos;
        if (heading == "Self CPU")
            columns.selfCpu = fromRight;
        else if (heading == "# of Calls")
            columns.calls = fromRight;
        else if (plain && heading.starts_with("Self ")) {
            columns.selfDevice = fromRight;
            columns.device = heading.substr(5);
        } else if (plain && heading.ends_with(" total") && heading != "CPU total")
            columns.deviceTotal = fromRight;
    }
    if (columns.selfDevice == 0 || columns.calls == 0)
        return std::nullopt;
    return columns;
}

std::optional<SummaryRow> rowOf(std::string_view line, const Columns& columns) {
    const std::vector<std::string_view> cells = cellsOf(line);
    if (cells.size() < columns.count)
        return std::nullopt;
    auto amountAt = [&](std::size_t fromRight) {
        return fromRight == 0 ? std::optional<Amount>{} : amountOf(cells[cells.size() - fromRight]);
    };
    SummaryRow row;
    // A name may hold runs of spaces: it reaches to the first cell that is counted from the right.
    const std::string_view firstValue = cells[cells.size() - (columns.count - 1)];
    row.name = trimmed(line.substr(0, static_cast<std::size_t>(firstValue.data() - line.data())));
    if (row.name.ends_with("...")) {
        row.name.resize(row.name.size() - 3);
        row.cut = true;
    }
    const std::optional<Amount> device = amountAt(columns.selfDevice);
    if (!device)
        return std::nullopt;
    row.selfDeviceNs = device->ns;
    row.resolutionNs = device->resolutionNs;
    row.selfCpuNs = amountAt(columns.selfCpu).value_or(Amount{}).ns;
    row.deviceTotalNs = amountAt(columns.deviceTotal).value_or(Amount{}).ns;
    const std::string_view calls = cells[cells.size() - columns.calls];
    if (std::from_chars(calls.data(), calls.data() + calls.size(), row.calls).ec != std::errc{})
        return std::nullopt;
    row.gpuSide = row.selfCpuNs == 0 && row.selfDeviceNs > 0;
    return row;
}

/// Ranges on the GPU have a twin of the same name on the CPU, or are the collectives' own ranges.
void markAnnotations(std::vector<SummaryRow>& rows) {
    std::set<std::string, std::less<>> onCpu;
    for (const SummaryRow& row : rows)
        if (!row.gpuSide)
            onCpu.insert(row.name);
    for (SummaryRow& row : rows) {
        if (!row.gpuSide)
            continue;
        const bool range = row.name.starts_with("nccl:") || row.name.starts_with("gloo:") ||
                           row.name.starts_with("ProfilerStep") || row.name.starts_with("execute_") ||
                           row.name.starts_with("step[") || row.name.starts_with("## ");
        row.annotation = range || onCpu.contains(row.name);
        row.gpuSide = !row.annotation;
    }
}

/// The number before ".txt" in "…profiler_out_3.txt".
std::optional<int> rankOf(const std::string& file) {
    const std::size_t end = file.rfind('.');
    if (end == std::string::npos)
        return std::nullopt;
    std::size_t begin = end;
    while (begin > 0 && file[begin - 1] >= '0' && file[begin - 1] <= '9')
        --begin;
    int rank = 0;
    if (begin == end || std::from_chars(file.data() + begin, file.data() + end, rank).ec != std::errc{})
        return std::nullopt;
    return rank;
}

void readTotal(std::string_view line, SummaryTable& table) {
    const std::size_t colon = line.rfind(": ");
    if (!line.starts_with("Self ") || colon == std::string_view::npos)
        return;
    const std::optional<Amount> amount = amountOf(trimmed(line.substr(colon + 2)));
    if (!amount)
        return;
    if (line.starts_with("Self CPU"))
        table.selfCpuTotalNs = amount->ns;
    else
        table.selfDeviceTotalNs = amount->ns;
}

struct TraceTotal {
    TimeNs ns = 0;
    std::uint64_t calls = 0;
    std::string name;
};

std::string sentenceOf(const SummaryDifference& difference) {
    if (difference.traceCalls == 0)
        return "in the table, not in the trace";
    if (difference.tableCalls == 0)
        return "in the trace, not in the table";
    if (difference.tableCalls != difference.traceCalls)
        return fmt::format("{} calls in the table, {} in the trace", difference.tableCalls,
                           difference.traceCalls);
    return fmt::format("{:.3f} ms in the table, {:.3f} ms in the trace",
                       static_cast<double>(difference.tableNs) / 1e6,
                       static_cast<double>(difference.traceNs) / 1e6);
}

void sortByTimeApart(std::vector<SummaryDifference>& differences) {
    std::sort(differences.begin(), differences.end(),
              [](const SummaryDifference& a, const SummaryDifference& b) {
                  return std::abs(a.tableNs - a.traceNs) > std::abs(b.tableNs - b.traceNs);
              });
}

/// Compares the table's lines of one (cut) name with the trace's names that begin so, by descending total;
/// returns the names that no line spoke of.
std::vector<TraceTotal> compareNames(std::vector<const SummaryRow*> lines, std::vector<TraceTotal> totals,
                                     SummaryCrossCheck& check) {
    std::stable_sort(lines.begin(), lines.end(), [](const SummaryRow* a, const SummaryRow* b) {
        return a->selfDeviceNs > b->selfDeviceNs;
    });
    std::sort(totals.begin(), totals.end(), [](const TraceTotal& a, const TraceTotal& b) {
        return a.ns > b.ns;
    });
    // Totals that round alike may stand in either order: what a line fits goes first.
    for (const SummaryRow* line : lines) {
        auto fits = [line](const TraceTotal& total) {
            return total.calls == line->calls &&
                   std::abs(total.ns - line->selfDeviceNs) <= line->resolutionNs;
        };
        ++check.compared;
        auto it = std::find_if(totals.begin(), totals.end(), fits);
        if (it != totals.end()) {
            totals.erase(it);
            continue;
        }
        SummaryDifference difference;
        difference.name = line->name;
        difference.tableNs = line->selfDeviceNs;
        difference.tableCalls = line->calls;
        it = std::find_if(totals.begin(), totals.end(), [line](const TraceTotal& total) {
            return total.calls == line->calls;
        });
        if (it == totals.end())
            it = totals.begin();
        if (it != totals.end()) {
            difference.name = it->name;
            difference.traceNs = it->ns;
            difference.traceCalls = it->calls;
            totals.erase(it);
        }
        difference.sentence = sentenceOf(difference);
        check.differences.push_back(std::move(difference));
    }
    return totals;
}

} // namespace

bool looksLikeSummaryTable(std::string_view text) {
    std::size_t at = text.find("----");
    for (int i = 0; i < 8 && at != std::string_view::npos; ++i) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        if (columnsOf(text.substr(at, end - at)))
            return true;
        at = end < text.size() ? end + 1 : std::string_view::npos;
    }
    return false;
}

Result<SummaryTable> parseSummaryTable(std::string_view text, const std::string& file) {
    SummaryTable table;
    table.file = file;
    table.rank = rankOf(file);
    std::optional<Columns> columns;
    bool ended = false;
    int rules = 0;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        at = end + 1;
        if (!columns)
            columns = columnsOf(line);
        else if (isRule(line))
            ended = ++rules > 1;
        else if (ended)
            readTotal(trimmed(line), table);
        else if (auto row = rowOf(line, *columns))
            table.rows.push_back(std::move(*row));
    }
    if (!columns || table.rows.empty())
        return make_unexpected(Error{ErrorCode::NotATrace,
                                     file,
                                     {},
                                     "No table of torch.profiler with GPU times is in it; write one with "
                                     "key_averages().table()."});
    table.device = columns->device;
    markAnnotations(table.rows);
    return table;
}

Result<SummaryTable> readSummaryTable(const std::string& path) {
    const std::ifstream file(path, std::ios::binary);
    if (!file)
        return make_unexpected(Error{ErrorCode::FileNotFound, path, {}, "Cannot be read."});
    std::ostringstream text;
    text << file.rdbuf();
    return parseSummaryTable(text.str(), path);
}

SummaryCrossCheck crossCheck(const SummaryTable& table, const RankTrace& trace) {
    SummaryCrossCheck check;
    std::map<std::string_view, TraceTotal> byName;
    for (const EventId event : trace.gpuActivities()) {
        TraceTotal& total = byName[trace.name(event)];
        total.ns += trace.events.duration(event);
        ++total.calls;
        check.traceTotalNs += trace.events.duration(event);
    }
    // A line that is not cut names its kernel exactly; lines cut alike share what is left.
    std::map<std::string, std::vector<const SummaryRow*>> cutAlike;
    for (const SummaryRow& row : table.rows) {
        if (!row.gpuSide)
            continue;
        if (row.cut) {
            cutAlike[row.name].push_back(&row);
            continue;
        }
        std::vector<TraceTotal> totals;
        if (const auto it = byName.find(row.name); it != byName.end()) {
            totals.push_back(it->second);
            totals.back().name = row.name;
            byName.erase(it);
        }
        compareNames({&row}, std::move(totals), check);
    }
    for (auto& [name, lines] : cutAlike) {
        std::vector<TraceTotal> totals;
        auto it = byName.lower_bound(name);
        while (it != byName.end() && it->first.starts_with(name)) {
            totals.push_back(it->second);
            totals.back().name = it->first;
            it = byName.erase(it);
        }
        for (const TraceTotal& left : compareNames(std::move(lines), std::move(totals), check))
            check.notInTable.push_back({left.name, 0, left.ns, 0, left.calls, {}});
    }
    for (const auto& [name, total] : byName)
        check.notInTable.push_back({std::string(name), 0, total.ns, 0, total.calls, {}});
    for (SummaryDifference& difference : check.notInTable)
        difference.sentence = sentenceOf(difference);
    sortByTimeApart(check.differences);
    sortByTimeApart(check.notInTable);
    check.tableTotalNs = table.selfDeviceTotalNs.value_or(0);
    // The total is written with three decimals of a unit that fits.
    const TimeNs total = check.tableTotalNs;
    const TimeNs unit = total >= 1'000'000'000 ? 1'000'000 : total >= 1'000'000 ? 1'000 : 1;
    check.totalAgrees = table.selfDeviceTotalNs && std::abs(total - check.traceTotalNs) <= unit;
    return check;
}

} // namespace lockstep
