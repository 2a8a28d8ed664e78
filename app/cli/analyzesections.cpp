#include "app/cli/analyzesections.h"

#include "model/analysis/comparisonhbm.h"
#include "model/analysis/comparisonsubject.h"
#include "model/import/servingresult.h"
#include "model/report/breakdownjson.h"
#include "model/report/summarybreakdown.h"
#include "model/report/tables.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lockstep::cli {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::string dumped(const ordered_json& json) {
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

Attribution attributionOf(const SectionArguments& arguments) {
    return arguments.attribution == "wall" ? Attribution::Wall : Attribution::Sum;
}

BreakdownSelection chosen(const RunAnalysis& analysis, const AnalysisSelection& selection) {
    BreakdownSelection chosen;
    if (selection.firstStep || selection.lastStep)
        for (std::uint32_t step = 0; step < analysis.steps.steps.size(); ++step)
            if (selection.holdsStep(step))
                chosen.steps.push_back(step);
    if (selection.rank)
        chosen.ranks.push_back(*selection.rank);
    return chosen;
}

/// The unprofiled time per output token takes the place of the traced period.
Result<void> useServing(const std::string& file, HbmInputs& inputs) {
    const auto results = readServingResults(file);
    if (!results)
        return make_unexpected(results.error());
    const ServingResult& result = servingResultFor(*results, inputs.batch);
    if (const auto tpot = result.tpotMs()) {
        inputs.stepNs = std::llround(*tpot * 1e6);
        inputs.stepTimeSource =
            fmt::format("{} of {}", result.tpotSource(), fs::path(file).filename().string());
    }
    return {};
}

Result<std::optional<HbmResult>> hbmOf(const RunAnalysis& analysis, const Breakdown& sum,
                                       const CategorySet& set, const SectionArguments& arguments) {
    if (arguments.model.empty())
        return std::optional<HbmResult>{};
    auto inputs = hbmInputsOf(analysis, sum, set, arguments.model, arguments.hardware);
    if (!inputs)
        return make_unexpected(inputs.error());
    inputs->batch = arguments.batch.value_or(inputs->batch);
    inputs->tensorParallel = arguments.tensorParallel.value_or(inputs->tensorParallel);
    inputs->contextTokens = arguments.contextTokens;
    if (!arguments.serving.empty())
        if (auto used = useServing(arguments.serving, *inputs); !used)
            return make_unexpected(used.error());
    return hbmEfficiency(*inputs);
}

ordered_json differenceJson(const SummaryDifference& difference) {
    return {{"name", difference.name},
            {"table_ns", difference.tableNs},
            {"trace_ns", difference.traceNs},
            {"table_calls", difference.tableCalls},
            {"trace_calls", difference.traceCalls},
            {"message", difference.sentence}};
}

/// Each table against the trace of its rank.
Result<void> addCrossChecks(const RunAnalysis& analysis, const std::vector<std::string>& tableFiles,
                            Sections& sections) {
    ordered_json list = ordered_json::array();
    for (const std::string& file : tableFiles) {
        const auto table = readSummaryTable(file);
        if (!table)
            return make_unexpected(table.error());
        const auto rank =
            std::find_if(analysis.run->ranks.begin(), analysis.run->ranks.end(), [&](const RankTrace& trace) {
                return trace.rank == table->rank;
            });
        if (rank == analysis.run->ranks.end()) {
            sections.text += fmt::format("table {}: no trace of its rank is here\n", file);
            continue;
        }
        const SummaryCrossCheck check = crossCheck(*table, *rank);
        ordered_json json{{"file", file},
                          {"rank", rank->rank},
                          {"agrees", check.agrees()},
                          {"compared", check.compared},
                          {"table_total_ns", check.tableTotalNs},
                          {"trace_total_ns", check.traceTotalNs},
                          {"differences", ordered_json::array()}};
        for (const SummaryDifference& difference : check.differences)
            json["differences"].push_back(differenceJson(difference));
        list.push_back(std::move(json));
        sections.text +=
            fmt::format("table {}: {} kernels compared with rank {}'s trace, {} differ{}\n",
                        fs::path(file).filename().string(), check.compared, rank->rank,
                        check.differences.size(), check.totalAgrees ? "" : "; the totals differ");
        for (std::size_t i = 0; i < std::min<std::size_t>(check.differences.size(), 5); ++i)
            sections.text += fmt::format("  {}\n", check.differences[i].sentence);
    }
    if (!list.empty())
        sections.json.emplace_back("summary_tables", dumped(list));
    return {};
}

} // namespace

std::vector<std::string> summaryTableFiles(const std::vector<std::string>& paths) {
    std::vector<std::string> found;
    const auto consider = [&](const fs::path& path) {
        const std::string name = path.filename().string();
        if (name.ends_with(".txt") && name.find("profiler_out") != std::string::npos)
            found.push_back(path.string());
    };
    for (const std::string& path : paths) {
        std::error_code code;
        if (!fs::is_directory(path, code)) {
            consider(path);
            continue;
        }
        for (const auto& entry : fs::directory_iterator(path, code))
            consider(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

Result<Sections> sectionsOf(const RunAnalysis& analysis, const AnalysisSelection& selection,
                            const SectionArguments& arguments, const std::vector<std::string>& tableFiles) {
    const auto rules = CategoryRules::load(arguments.categories);
    if (!rules)
        return make_unexpected(rules.error());
    const CategoryTable table = categorise(analysis, *rules);
    const BreakdownSelection over = chosen(analysis, selection);
    const Breakdown breakdown = breakdownOf(analysis, rules->set, table, attributionOf(arguments), over);
    const Breakdown sum = breakdown.attribution == Attribution::Sum
                              ? breakdown
                              : breakdownOf(analysis, rules->set, table, Attribution::Sum, over);
    const auto hbm = hbmOf(analysis, sum, rules->set, arguments);
    if (!hbm)
        return make_unexpected(hbm.error());

    Sections sections;
    sections.json.emplace_back("synthetic", portraitOf(analysis).synthetic ? "true" : "false");
    sections.json.emplace_back("breakdown", dumped(breakdownJson(breakdown)));
    sections.text = toPlainText(breakdownTable(breakdown, rules->set));
    ordered_json unmatched = ordered_json::array();
    for (const UnmatchedName& name : unmatchedNames(*analysis.run, analysis.steps, *rules, table))
        unmatched.push_back({{"name", analysis.run->strings->view(name.name)},
                             {"calls", name.count},
                             {"total_ns", name.totalNs},
                             {"percent", 100 * name.share}});
    sections.json.emplace_back("unclassified", dumped(unmatched));
    if (*hbm) {
        sections.json.emplace_back("hbm", dumped(hbmJson(**hbm)));
        sections.text += hbmText(**hbm);
    }
    if (auto checked = addCrossChecks(analysis, tableFiles, sections); !checked)
        return make_unexpected(checked.error());
    return sections;
}

Result<TablesOnly> analyzeTables(const std::vector<std::string>& tableFiles,
                                 const SectionArguments& arguments) {
    const auto rules = CategoryRules::load(arguments.categories);
    if (!rules)
        return make_unexpected(rules.error());
    std::vector<SummaryTable> tables;
    for (const std::string& file : tableFiles) {
        auto table = readSummaryTable(file);
        if (!table)
            return make_unexpected(table.error());
        tables.push_back(std::move(*table));
    }
    const SummaryBreakdown summary = breakdownOf(tables, *rules);
    ordered_json json;
    json["schema"] = "lockstep.analysis/1";
    json["run"] = {{"name", fs::path(tableFiles.front()).filename().string()},
                   {"tables_only", true},
                   {"tables", tableFiles}};
    json["breakdown"] = breakdownJson(summary.breakdown);
    json["notes"] = summary.notes;
    TablesOnly result{dumped(json) + "\n", {}};
    result.text = fmt::format("{} summary table{} and no trace: the breakdown only\n", tables.size(),
                              tables.size() == 1 ? "" : "s") +
                  toPlainText(breakdownTable(summary.breakdown, rules->set));
    for (const std::string& note : summary.notes)
        result.text += fmt::format("note: {}\n", note);
    return result;
}

} // namespace lockstep::cli
