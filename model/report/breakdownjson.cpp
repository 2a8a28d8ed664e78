#include "model/report/breakdownjson.h"

#include <nlohmann/json.hpp>

namespace lockstep {

namespace {

using Json = nlohmann::ordered_json;

Json msOf(const Breakdown& breakdown, const std::optional<TimeNs>& total) {
    return total ? Json(breakdown.perStep(*total) / 1e6) : Json(nullptr);
}

Json rowJson(const Breakdown& breakdown, const BreakdownRow& row, bool counted) {
    Json json;
    json["category"] = row.label;
    json["group"] = row.group;
    json["per_step_ms"] = breakdown.perStep(row.totalNs) / 1e6;
    json["percent"] = counted ? Json(breakdown.percent(row)) : Json(nullptr);
    json["calls_per_step"] = breakdown.callsPerStep(row);
    json["us_per_call"] = Breakdown::perCall(row) / 1e3;
    json["p50_ms"] = row.p50Ns / 1e6;
    json["p95_ms"] = row.p95Ns / 1e6;
    json["p99_ms"] = row.p99Ns / 1e6;
    json["wait_ms"] = msOf(breakdown, row.waitNs);
    json["transfer_ms"] = msOf(breakdown, row.transferNs);
    json["total_ns"] = row.totalNs;
    return json;
}

Json rowsJson(const Breakdown& breakdown, const std::vector<BreakdownRow>& rows, bool counted) {
    Json json = Json::array();
    for (const BreakdownRow& row : rows)
        json.push_back(rowJson(breakdown, row, counted));
    return json;
}

} // namespace

nlohmann::ordered_json breakdownJson(const Breakdown& breakdown) {
    Json json;
    json["attribution"] = nameOf(breakdown.attribution);
    json["steps"] = breakdown.steps.size();
    json["ranks"] = breakdown.ranks.size();
    json["total_per_step_ms"] = breakdown.perStep(breakdown.totalNs) / 1e6;
    json["wall_per_step_ms"] = breakdown.perStep(breakdown.wallNs) / 1e6;
    json["period_per_step_ms"] = breakdown.periodNs ? Json(*breakdown.periodNs / 1e6) : Json(nullptr);
    json["busy_per_step_ms"] = breakdown.perStep(breakdown.busyNs) / 1e6;
    json["idle_per_step_ms"] = breakdown.perStep(breakdown.idleNs) / 1e6;
    json["kernel_sum_per_step_ms"] = breakdown.perStep(breakdown.kernelSumNs) / 1e6;
    json["exposed_communication_per_step_ms"] = breakdown.perStep(breakdown.exposedCommunicationNs) / 1e6;
    json["total_ns"] = breakdown.totalNs;
    json["wall_ns"] = breakdown.wallNs;
    json["unclassified_percent"] = 100 * breakdown.unclassifiedShare;
    json["rows"] = rowsJson(breakdown, breakdown.rows, true);
    json["groups"] = rowsJson(breakdown, breakdown.groups, true);
    json["not_in_total"] = rowsJson(breakdown, breakdown.besides, false);
    return json;
}

} // namespace lockstep
