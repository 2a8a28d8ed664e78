#include "model/analysis/hbm.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lockstep {

namespace {

using nlohmann::ordered_json;

ordered_json orNull(const std::optional<double>& value) {
    return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json orNull(const std::optional<TimeNs>& value) {
    return value ? ordered_json(*value) : ordered_json(nullptr);
}

std::string percent(const std::optional<double>& value) {
    return value ? fmt::format("{:.1f} %", *value) : std::string("impossible, see below");
}

} // namespace

ordered_json hbmJson(const HbmResult& result) {
    const HbmInputs& inputs = result.inputs;
    const HbmModel& model = inputs.model;
    ordered_json widths = ordered_json::object();
    for (const auto& [part, width] : model.widths)
        widths[part] = width;
    ordered_json terms = ordered_json::array();
    for (const HbmTerm& term : result.terms)
        terms.push_back({{"name", term.name},
                         {"formula", term.formula},
                         {"width", term.width},
                         {"elements", term.elements},
                         {"bytes", term.bytes},
                         {"sharded", term.sharded},
                         {"kv_cache", term.keyValueCache}});
    return {{"model", model.name},
            {"hardware", inputs.device.name},
            {"bytes_per_step_per_gpu", result.bytes()},
            {"peak_bytes_per_s", inputs.device.bytesPerSecond},
            {"step_efficiency_percent", orNull(result.stepPercent)},
            {"kernel_efficiency_percent", orNull(result.kernelPercent)},
            {"step_efficiency_before_kv_percent", orNull(result.stepWeightsPercent)},
            {"reported_efficiency_percent", orNull(result.reportedPercent)},
            {"weight_bytes", result.weightBytes},
            {"kv_cache_bytes", result.keyValueBytes},
            {"problems", result.problems},
            {"inputs",
             {{"batch", inputs.batch},
              {"tensor_parallel", inputs.tensorParallel},
              {"context_tokens", inputs.contextTokens},
              {"step_ns", orNull(inputs.stepNs)},
              {"step_time_source", inputs.stepTimeSource},
              {"kernel_ns", orNull(inputs.kernelNs)},
              {"layers", model.layers},
              {"dense_layers", model.denseLayers},
              {"hidden", model.hidden},
              {"routed_experts", model.routedExperts},
              {"experts_per_token", model.expertsPerToken},
              {"shared_experts", model.sharedExperts},
              {"expert_intermediate", model.expertIntermediate},
              {"widths", widths},
              {"model_source", model.source},
              {"hardware_source", inputs.device.source}}},
            {"terms", terms}};
}

std::string hbmText(const HbmResult& result) {
    const HbmInputs& inputs = result.inputs;
    std::string text =
        fmt::format("HBM efficiency: {}, {}, batch {}, tensor parallel {}\n", inputs.model.title,
                    inputs.device.title, inputs.batch, inputs.tensorParallel);
    for (const HbmTerm& term : result.terms)
        text += fmt::format("  {:<46} {:>10.3f} MB  {} ({}, {})\n", term.name, term.bytes / 1e6, term.formula,
                            term.width, term.sharded ? "sharded" : "whole on every GPU");
    text +=
        fmt::format("  {:<46} {:>10.3f} MB a step and GPU; weights {:.3f}, KV cache {:.3f}{}\n", "Together",
                    result.bytes() / 1e6, result.weightBytes / 1e6, result.keyValueBytes / 1e6,
                    inputs.contextTokens > 0 ? "" : " (context length not given)");
    if (inputs.stepNs)
        text += fmt::format(
            "  step   {:.3f} GB ÷ ({:.0f} GB/s × {:.3f} ms) = {}{}\n", result.bytes() / 1e9,
            inputs.device.bytesPerSecond / 1e9, static_cast<double>(*inputs.stepNs) / 1e6,
            percent(result.stepPercent),
            result.reportedPercent
                ? fmt::format(" computed; reported by the case study: {:.1f} %", *result.reportedPercent)
                : "");
    if (inputs.kernelNs)
        text += fmt::format("  kernel {:.3f} GB ÷ ({:.0f} GB/s × {:.3f} ms) = {}\n", result.bytes() / 1e9,
                            inputs.device.bytesPerSecond / 1e9, static_cast<double>(*inputs.kernelNs) / 1e6,
                            percent(result.kernelPercent));
    for (const std::string& problem : result.problems)
        text += "  " + problem + "\n";
    return text;
}

} // namespace lockstep
