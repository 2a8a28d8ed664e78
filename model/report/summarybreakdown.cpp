#include "model/report/summarybreakdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace lockstep {

namespace {

/// Steps of a table: the calls of its step marker, the longest range that is no collective's.
std::uint64_t stepsOf(const SummaryTable& table) {
    const SummaryRow* marker = nullptr;
    for (const SummaryRow& row : table.rows)
        if (row.annotation && row.name.find("nccl:") == std::string::npos &&
            (marker == nullptr || row.deviceTotalNs > marker->deviceTotalNs))
            marker = &row;
    return marker == nullptr ? 0 : marker->calls;
}

/// The table cuts names after about 50 characters. Of these beginnings one kernel is by far the most common
/// in inference: it is taken for that one, and the notes say so.
std::optional<std::string> completed(const SummaryRow& line) {
    static constexpr std::pair<std::string_view, std::string_view> kBeginnings[] = {
        {"void at::native::unrolled_elementwise_kernel<at::nat", "ive::direct_copy_kernel_cuda"},
        {"void at::native::(anonymous namespace)::vectorized_l", "ayer_norm_kernel"}};
    if (!line.cut)
        return std::nullopt;
    for (const auto& [beginning, rest] : kBeginnings)
        if (line.name == beginning)
            return line.name + std::string(rest);
    return std::nullopt;
}

BreakdownRow rowOf(const CategorySet& set, std::uint8_t category) {
    BreakdownRow row;
    row.category = category;
    row.label = set.categories[category].label;
    row.group = set.groupOf(category).label;
    return row;
}

void addGroups(Breakdown& breakdown, const CategorySet& set) {
    for (std::size_t g = 0; g < set.groups.size(); ++g) {
        BreakdownRow group;
        group.category = static_cast<std::uint8_t>(g);
        group.label = set.groups[g].label;
        group.group = group.label;
        for (const BreakdownRow& row : breakdown.rows)
            if (set.categories[row.category].group == g) {
                group.totalNs += row.totalNs;
                group.sumNs += row.sumNs;
                group.calls += row.calls;
            }
        breakdown.groups.push_back(std::move(group));
    }
}

} // namespace

SummaryBreakdown breakdownOf(std::span<const SummaryTable> tables, const CategoryRules& rules) {
    SummaryBreakdown result;
    Breakdown& breakdown = result.breakdown;
    std::map<std::uint8_t, BreakdownRow> rows;
    std::map<std::uint8_t, BreakdownRow> copies;
    std::size_t cut = 0;
    std::size_t completions = 0;
    TimeNs unclassified = 0;
    for (std::size_t t = 0; t < tables.size(); ++t) {
        breakdown.ranks.push_back(t);
        const std::uint64_t steps = stepsOf(tables[t]);
        result.steps = std::max<std::size_t>(result.steps, steps);
        breakdown.cells += std::max<std::size_t>(1, steps);
        for (const SummaryRow& line : tables[t].rows) {
            if (!line.gpuSide)
                continue;
            cut += line.cut ? 1 : 0;
            const bool kernel = !line.name.starts_with("Memcpy ") && !line.name.starts_with("Memset ");
            const std::optional<std::string> whole = completed(line);
            completions += whole ? 1 : 0;
            const std::uint8_t category = verdictOfName(rules, whole.value_or(line.name)).category;
            auto& into = kernel ? rows : copies;
            BreakdownRow& row = into.try_emplace(category, rowOf(rules.set, category)).first->second;
            row.totalNs += line.selfDeviceNs;
            row.sumNs += line.selfDeviceNs;
            row.calls += line.calls;
            breakdown.totalNs += kernel ? line.selfDeviceNs : 0;
            unclassified += kernel && category == rules.unclassified ? line.selfDeviceNs : 0;
        }
    }
    breakdown.kernelSumNs = breakdown.totalNs;
    if (breakdown.totalNs > 0)
        breakdown.unclassifiedShare =
            static_cast<double>(unclassified) / static_cast<double>(breakdown.totalNs);
    for (auto& [category, row] : rows)
        breakdown.rows.push_back(std::move(row));
    for (auto& [category, row] : copies)
        breakdown.besides.push_back(std::move(row));
    addGroups(breakdown, rules.set);
    result.notes.emplace_back(
        "From the profiler's tables alone: no timeline, no wall time, no waits. Generic "
        "GEMMs of experts cannot be told from dense ones, nor routing from sampling.");
    if (result.steps == 0)
        result.notes.emplace_back("No step marker is in the tables: figures are for whole captures.");
    if (cut > 0)
        result.notes.push_back(
            fmt::format("{} names are cut in the tables; their categories rest on what is left.", cut));
    if (completions > 0)
        result.notes.push_back(
            fmt::format("{} of them are taken for the most common kernel that begins so: "
                        "unrolled_elementwise_kernel for a dtype cast, vectorized_l… for a norm.",
                        completions));
    return result;
}

} // namespace lockstep
