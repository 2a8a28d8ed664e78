#include "model/report/comparisonreport.h"

#include <nlohmann/json.hpp>

namespace lockstep {

namespace {

using Json = nlohmann::ordered_json;

Json numberOrNull(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

/// Times of `value` are divided by `unit`, and their keys end in `suffix`.
Json valueJson(const ComparedValue& value, double unit, const std::string& suffix) {
    Json json;
    json["a" + suffix] = value.a / unit;
    json["b" + suffix] = value.b / unit;
    json["difference" + suffix] = value.difference() / unit;
    json["ratio"] = numberOrNull(value.ratio());
    json["median_a" + suffix] = value.medianA / unit;
    json["median_b" + suffix] = value.medianB / unit;
    json["spread_a" + suffix] = value.spreadA / unit;
    json["spread_b" + suffix] = value.spreadB / unit;
    json["effect"] = numberOrNull(value.effect());
    return json;
}

Json pairJson(const ComparedValue& value, double unit) {
    return {{"a", value.a / unit}, {"b", value.b / unit}};
}

Json portraitJson(const RunPortrait& portrait) {
    Json json;
    json["name"] = portrait.name;
    json["device"] = portrait.device.empty() ? Json(nullptr) : Json(portrait.device);
    json["ranks"] = portrait.ranks;
    json["world_size"] = portrait.worldSize;
    json["engine"] = portrait.engine;
    json["engine_evidence"] = portrait.engineEvidence;
    json["model"] = portrait.model;
    json["model_evidence"] = portrait.modelEvidence;
    json["synthetic"] = portrait.synthetic;
    json["launch"] = portrait.graphs ? "graph" : "eager";
    json["step_source"] = portrait.stepSource;
    json["step_kind"] = portrait.stepKind;
    json["steps"] = portrait.steps;
    json["steps_compared"] = portrait.typicalSteps;
    json["batch"] = portrait.batch ? Json(*portrait.batch) : Json(nullptr);
    json["layers"] = portrait.layers;
    json["collectives"] = Json::array();
    for (const CollectiveUse& use : portrait.collectives)
        json["collectives"].push_back({{"kind", use.kind},
                                       {"backend", use.backend},
                                       {"calls_per_step", use.callsPerStep},
                                       {"bytes", use.bytes >= 0 ? Json(use.bytes) : Json(nullptr)}});
    return json;
}

Json categoryJson(const ComparedCategory& category) {
    Json json;
    json["id"] = category.id;
    json["category"] = category.label;
    json["group"] = category.group;
    json["is_group"] = category.isGroup;
    json.update(valueJson(category.ns, 1e6, "_ms"));
    json["percent_a"] = category.percentA;
    json["percent_b"] = category.percentB;
    json["calls_per_step"] = pairJson(category.calls, 1);
    json["us_per_call"] = pairJson(category.perCall, 1e3);
    json["us_per_layer"] = pairJson(category.perLayer, 1e3);
    return json;
}

Json kernelJson(const ComparedKernel& kernel) {
    Json json;
    json["kernel"] = kernel.name;
    json["category"] = kernel.category;
    json["per_step_ms"] = pairJson(kernel.perStep, 1e6);
    json["calls_per_step"] = pairJson(kernel.calls, 1);
    json["us_per_call"] = pairJson(kernel.perCall, 1e3);
    json["ratio_per_call"] = numberOrNull(kernel.perCall.ratio());
    return json;
}

Json kernelsJson(const std::vector<ComparedKernel>& kernels) {
    Json json = Json::array();
    for (const ComparedKernel& kernel : kernels)
        json.push_back(kernelJson(kernel));
    return json;
}

Json stallsJson(const ComparedStalls& stalls) {
    if (!stalls.known)
        return nullptr;
    Json json;
    json["wait_per_step_ms"] = stalls.waitPerStepNs / 1e6;
    json["transfer_per_step_ms"] = stalls.transferPerStepNs / 1e6;
    json["wait_us_per_call"] = stalls.waitPerCallNs / 1e3;
    json["transfer_us_per_call"] = stalls.transferPerCallNs / 1e3;
    json["wait_percent"] = 100 * stalls.waitShare;
    json["worst_rank"] = stalls.worstRank >= 0 ? Json(stalls.worstRank) : Json(nullptr);
    json["worst_rank_percent"] = 100 * stalls.worstRankShare;
    return json;
}

Json hbmJson(const std::optional<ComparedHbm>& hbm) {
    if (!hbm)
        return nullptr;
    return {{"model", hbm->model},
            {"hardware", hbm->hardware},
            {"bytes_per_step_per_gpu", hbm->bytesPerStep},
            {"step_efficiency_percent", numberOrNull(hbm->stepPercent)},
            {"kernel_efficiency_percent", numberOrNull(hbm->kernelPercent)},
            {"problems", hbm->problems}};
}

} // namespace

nlohmann::ordered_json comparisonJson(const Comparison& comparison) {
    Json json;
    json["schema"] = "lockstep.comparison/1";
    json["attribution"] = nameOf(comparison.attribution);
    json["a"] = portraitJson(comparison.portraitA);
    json["b"] = portraitJson(comparison.portraitB);
    json["differs"] = Json::array();
    for (const PortraitLine& line : comparison.portrait)
        if (line.differs())
            json["differs"].push_back(
                {{"key", line.key}, {"label", line.label}, {"a", line.a}, {"b", line.b}});
    json["findings"] = Json::array();
    for (const Finding& finding : comparison.findings)
        json["findings"].push_back({{"kind", finding.kind},
                                    {"subject", finding.subject},
                                    {"sentence", finding.sentence},
                                    {"weight", finding.weight}});
    json["categories"] = Json::array();
    for (const ComparedCategory& category : comparison.categories)
        json["categories"].push_back(categoryJson(category));
    json["steps"] = Json::object();
    for (const ComparedStepFigure& figure : comparison.steps)
        json["steps"][figure.key] = figure.known ? valueJson(figure.ns, 1e6, "_ms") : Json(nullptr);
    json["stalls"] = {{"a", stallsJson(comparison.stallsA)}, {"b", stallsJson(comparison.stallsB)}};
    json["hbm"] = {{"a", hbmJson(comparison.hbmA)}, {"b", hbmJson(comparison.hbmB)}};
    json["kernels"] = {{"both", kernelsJson(comparison.sharedKernels)},
                       {"only_a", kernelsJson(comparison.onlyA)},
                       {"only_b", kernelsJson(comparison.onlyB)}};
    return json;
}

} // namespace lockstep
