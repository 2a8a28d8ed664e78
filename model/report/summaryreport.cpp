#include "model/report/breakdownjson.h"
#include "model/report/summarybreakdown.h"
#include "model/report/tables.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace lockstep {

namespace {

bool isTable(const std::filesystem::path& path) {
    constexpr std::size_t kHead = 64 * 1024; // the headings stand at the top, behind a wide rule
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return false;
    std::ifstream file(path, std::ios::binary);
    std::string head(kHead, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    return looksLikeSummaryTable(head);
}

} // namespace

std::vector<std::string> summaryTablesIn(const std::vector<std::string>& paths) {
    std::vector<std::string> tables;
    for (const std::string& path : paths) {
        std::error_code error;
        if (!std::filesystem::is_directory(path, error)) {
            if (isTable(path))
                tables.push_back(path);
            continue;
        }
        std::vector<std::string> inFolder;
        for (const auto& entry : std::filesystem::directory_iterator(path, error))
            if (entry.path().extension() == ".txt" && isTable(entry.path()))
                inFolder.push_back(entry.path().string());
        std::sort(inFolder.begin(), inFolder.end());
        tables.insert(tables.end(), inFolder.begin(), inFolder.end());
    }
    return tables;
}

nlohmann::ordered_json summaryJson(const SummaryBreakdown& summary, std::span<const SummaryTable> tables) {
    using Json = nlohmann::ordered_json;
    Json ranks = Json::array();
    for (const SummaryTable& table : tables) {
        TimeNs kernelSum = 0;
        std::uint64_t kernels = 0;
        for (const SummaryRow& row : table.rows)
            if (row.gpuSide && !row.name.starts_with("Mem")) {
                kernelSum += row.selfDeviceNs;
                kernels += row.calls;
            }
        ranks.push_back({{"rank", table.rank ? Json(*table.rank) : Json(nullptr)},
                         {"file", table.file},
                         {"kernels", kernels},
                         {"kernel_sum_ns", kernelSum}});
    }
    Json json;
    json["schema"] = "lockstep.analysis/1";
    json["run"] = {{"name", nullptr}, {"source", "summary_tables"}, {"ranks", std::move(ranks)}};
    json["alignment"] = nullptr;
    json["steps"] = nullptr;
    json["breakdown"] = breakdownJson(summary.breakdown);
    json["breakdown"]["steps"] = summary.steps;
    // A table has no moments: what needs them is not known, which is not the same as zero.
    for (const char* const key : {"wall_per_step_ms", "busy_per_step_ms", "idle_per_step_ms",
                                  "exposed_communication_per_step_ms", "wall_ns"})
        json["breakdown"][key] = nullptr;
    for (const char* const rows : {"rows", "groups", "not_in_total"})
        for (Json& row : json["breakdown"][rows])
            for (const char* const key : {"p50_ms", "p95_ms", "p99_ms"})
                row[key] = nullptr;
    json["collectives"] = nullptr;
    json["stalls"] = nullptr;
    json["hbm"] = nullptr;
    json["notes"] = summary.notes;
    return json;
}

std::string summaryText(const SummaryBreakdown& summary, std::span<const SummaryTable> tables,
                        const CategorySet& set) {
    ReportTable table = breakdownTable(summary.breakdown, set);
    // Percentiles, waits and wall time need a timeline.
    constexpr std::size_t kColumns = 5;
    table.columns.resize(kColumns);
    for (auto& row : table.rows)
        row.resize(std::min(row.size(), kColumns));
    if (summary.steps == 0)
        table.columns[1].heading = "ms a table";
    table.notes = summary.notes;
    std::string text = fmt::format(
        "{} table{} of the profiler, {} steps each.\n\n", tables.size(), tables.size() == 1 ? "" : "s",
        summary.steps > 0 ? fmt::format("{}", summary.steps) : std::string("an unknown number of"));
    return text + toPlainText(table);
}

std::string crossCheckText(const SummaryTable& table, const SummaryCrossCheck& check) {
    std::string text = fmt::format(
        "{}: {} lines compared, {}; total {} ms in the table, {} ms in the trace.\n", table.file,
        check.compared,
        check.differences.empty() ? std::string("all agree")
                                  : fmt::format("{} differ", check.differences.size()),
        asMs(static_cast<double>(check.tableTotalNs)), asMs(static_cast<double>(check.traceTotalNs)));
    for (const SummaryDifference& difference : check.differences)
        text += fmt::format("  {}: {}\n", difference.name, difference.sentence);
    if (!check.notInTable.empty())
        text +=
            fmt::format("  {} kernels of the trace have no line in the table.\n", check.notInTable.size());
    return text;
}

} // namespace lockstep
