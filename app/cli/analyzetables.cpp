#include "app/cli/analyzetables.h"

#include "model/import/rankfiles.h"
#include "model/report/summarybreakdown.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>

namespace lockstep::cli {

namespace {

/// Whether anything among `paths` is a trace rather than a table.
bool holdsTraces(const std::vector<std::string>& paths, const std::vector<std::string>& tables) {
    const auto isTable = [&tables](const std::string& path) {
        return std::find(tables.begin(), tables.end(), path) != tables.end();
    };
    for (const std::string& path : paths) {
        if (isTable(path))
            continue;
        std::error_code error;
        if (!std::filesystem::is_directory(path, error))
            return true;
        const auto files = listTraceFiles({path});
        if (files && !std::all_of(files->files.begin(), files->files.end(), isTable))
            return true;
    }
    return false;
}

/// "kimi-eager-" of "dir/kimi-eager-profiler_out_0.txt".
std::string prefixOf(const std::string& table) {
    const std::string name = std::filesystem::path(table).filename().string();
    return name.substr(0, name.find("profiler_out"));
}

bool besideOf(const std::string& table, const RankTrace& rank) {
    const std::string trace = std::filesystem::path(rank.report.file).filename().string();
    return trace.starts_with(prefixOf(table));
}

} // namespace

std::optional<ExitStatus> analyzeTables(const std::vector<std::string>& paths, const std::string& categories,
                                        const std::string& json) {
    const std::vector<std::string> files = summaryTablesIn(paths);
    if (files.empty() || holdsTraces(paths, files))
        return std::nullopt;
    const Result<CategoryRules> rules = CategoryRules::load(categories);
    if (!rules) {
        printError(rules.error());
        return ExitStatus::Unusable;
    }
    std::vector<SummaryTable> tables;
    for (const std::string& file : files) {
        Result<SummaryTable> table = readSummaryTable(file);
        if (!table) {
            printError(table.error());
            return ExitStatus::Unusable;
        }
        tables.push_back(std::move(*table));
    }
    const SummaryBreakdown summary = breakdownOf(tables, *rules);
    if (json != "-")
        std::fputs(summaryText(summary, tables, rules->set).c_str(), stdout);
    if (!json.empty() && !writeText(json, summaryJson(summary, tables).dump(2) + "\n"))
        return ExitStatus::Unusable;
    return ExitStatus::Done;
}

std::string crossChecksOf(const std::vector<std::string>& paths, const Run& run) {
    std::set<std::string> files;
    for (const std::string& file : summaryTablesIn(paths))
        files.insert(file);
    for (const RankTrace& rank : run.ranks) {
        const std::filesystem::path folder = std::filesystem::path(rank.report.file).parent_path();
        for (const std::string& file : summaryTablesIn({folder.empty() ? "." : folder.string()}))
            files.insert(file);
    }
    std::string text;
    for (const std::string& file : files) {
        const Result<SummaryTable> table = readSummaryTable(file);
        if (!table || !table->rank)
            continue;
        for (const RankTrace& rank : run.ranks)
            if (rank.rank == *table->rank && besideOf(file, rank))
                text += crossCheckText(*table, crossCheck(*table, rank));
    }
    return text;
}

} // namespace lockstep::cli
