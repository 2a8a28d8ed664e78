#include "model/analysis/casestudy.h"

#include "model/core/resource.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace lockstep {

namespace {

std::optional<double> numberOf(const nlohmann::json& object, const char* key) {
    const auto at = object.find(key);
    return at != object.end() && at->is_number() ? std::optional(at->get<double>()) : std::nullopt;
}

} // namespace

const ReportedGroup* ReportedRun::find(std::string_view groupLabel) const {
    const auto at = std::find_if(breakdown.begin(), breakdown.end(), [&](const ReportedGroup& one) {
        return one.group == groupLabel;
    });
    return at == breakdown.end() ? nullptr : &*at;
}

Result<std::vector<ReportedRun>> reportedRuns() {
    const std::string name = "case_study.json";
    const nlohmann::json document = nlohmann::json::parse(builtinResource(name), nullptr, false);
    if (document.is_discarded() || !document.is_object() || !document.contains("runs"))
        return make_unexpected(
            Error{ErrorCode::BadArgument, name, {}, "the reported figures cannot be read"});
    std::vector<ReportedRun> runs;
    for (const nlohmann::json& item : document["runs"]) {
        ReportedRun& run = runs.emplace_back();
        run.model = item.value("model", "");
        run.title = item.value("title", "");
        run.remark = item.value("remark", "");
        run.tpotMs = numberOf(item, "tpot_ms");
        run.kernelSumMs = numberOf(item, "kernel_sum_ms");
        run.castPercent = numberOf(item, "dtype_cast_percent");
        run.hbmPercent = numberOf(item, "hbm_efficiency_percent");
        if (item.contains("breakdown"))
            for (const nlohmann::json& group : item["breakdown"])
                run.breakdown.push_back(
                    {group.value("group", ""), group.value("per_step_ms", 0.0), group.value("percent", 0.0)});
    }
    return runs;
}

} // namespace lockstep
