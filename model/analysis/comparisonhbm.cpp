#include "model/analysis/comparisonhbm.h"

#include "model/analysis/runanalysis.h"

#include <algorithm>
#include <cmath>

namespace lockstep {

Result<HbmInputs> hbmInputsOf(const RunAnalysis& analysis, const Breakdown& sum, const CategorySet& set,
                              std::string_view model, std::string_view hardware) {
    const RunPortrait portrait = portraitOf(analysis, std::string(model));
    Result<HbmModel> known = findHbmModel(model);
    if (!known)
        return make_unexpected(known.error());
    Result<HbmDevice> device = findHbmDevice(hardware.empty() ? std::string_view(portrait.device) : hardware);
    if (!device)
        return make_unexpected(device.error());
    HbmInputs inputs;
    inputs.model = std::move(*known);
    inputs.device = std::move(*device);
    inputs.batch = static_cast<int>(std::max<std::int64_t>(1, portrait.batch.value_or(1)));
    inputs.tensorParallel = std::max(1, portrait.worldSize);
    double kernelNs = 0;
    for (const BreakdownRow& row : sum.rows) {
        if (row.category == BreakdownRow::kIdle)
            continue;
        const std::string& group = set.groupOf(row.category).id;
        if (group == "attention" || group == "other_gemm" || group == "moe_gemm")
            kernelNs += sum.perStep(row.totalNs);
    }
    if (kernelNs > 0)
        inputs.kernelNs = std::llround(kernelNs);
    if (sum.periodNs) {
        inputs.stepNs = std::llround(*sum.periodNs);
        inputs.stepTimeSource = "mean step period in the trace";
    } else if (sum.wallNs > 0) {
        inputs.stepNs = std::llround(sum.perStep(sum.wallNs));
        inputs.stepTimeSource = "mean wall time of a step in the trace";
    }
    return inputs;
}

Result<ComparedHbm> comparedHbm(const RunAnalysis& analysis, const CategoryTable& categories,
                                const CategorySet& set, std::string_view model, std::string_view hardware) {
    const Breakdown sum = breakdownOf(analysis, set, categories, Attribution::Sum);
    const Result<HbmInputs> inputs = hbmInputsOf(analysis, sum, set, model, hardware);
    if (!inputs)
        return make_unexpected(inputs.error());
    const HbmResult result = hbmEfficiency(*inputs);
    ComparedHbm compared;
    compared.model = inputs->model.title.empty() ? inputs->model.name : inputs->model.title;
    compared.hardware = inputs->device.title.empty() ? inputs->device.name : inputs->device.title;
    compared.bytesPerStep = result.bytes();
    compared.stepPercent = result.stepPercent;
    compared.kernelPercent = result.kernelPercent;
    compared.problems = result.problems;
    return compared;
}

} // namespace lockstep
