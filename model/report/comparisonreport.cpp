#include "model/report/comparisonreport.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep {

namespace {

std::string ratioCell(const ComparedValue& value) {
    const auto ratio = value.ratio();
    if (!ratio)
        return value.a > 0 ? "only A" : "";
    if (*ratio == 0)
        return "only B";
    if (*ratio < 0.01)
        return fmt::format("1/{:.0f}x", 1 / *ratio);
    return *ratio >= 100 ? fmt::format("{:.0f}x", *ratio) : fmt::format("{:.2f}x", *ratio);
}

std::string effectCell(const ComparedValue& value) {
    const auto effect = value.effect();
    if (!effect)
        return "";
    return std::abs(*effect) >= 100 ? "> 100" : fmt::format("{:.1f}", std::abs(*effect));
}

std::string differenceCell(const ComparedValue& value) {
    const double ms = value.difference() / 1e6;
    return std::abs(ms) < 0.0005 ? "0.000" : fmt::format("{:+.3f}", ms);
}

const ComparedCategory* groupOf(const Comparison& comparison, std::string_view id) {
    for (const ComparedCategory& category : comparison.categories)
        if (category.isGroup && category.id == id)
            return &category;
    return nullptr;
}

/// What sets the runs themselves apart, in one line.
std::string differencesText(const Comparison& comparison) {
    std::string text;
    for (const PortraitLine& line : comparison.portrait)
        if (line.differs() && line.key != "steps")
            text += fmt::format("{}{}: {} / {}", text.empty() ? "" : "; ", line.label, line.a, line.b);
    return text.empty() ? "The runs are of one kind: same GPU, ranks, engine, launch and layers." : text;
}

std::string stallsText(const std::string& label, const ComparedStalls& stalls) {
    if (!stalls.known)
        return fmt::format("{}: no all-reduce could be matched across ranks.\n", label);
    std::string text = fmt::format(
        "{}: an all-reduce waits {} µs and moves data for {} µs a call; waiting is {:.1f} % of it "
        "({} ms a step)",
        label, asUs(stalls.waitPerCallNs), asUs(stalls.transferPerCallNs), 100 * stalls.waitShare,
        asMs(stalls.waitPerStepNs));
    if (stalls.worstRank >= 0)
        text += fmt::format("; rank {} causes {:.0f} % of the waiting in these steps", stalls.worstRank,
                            100 * stalls.worstRankShare);
    return text + ".\n";
}

std::string hbmText(const std::string& label, const std::optional<ComparedHbm>& hbm) {
    if (!hbm)
        return {};
    auto percent = [](const std::optional<double>& value) {
        return value ? fmt::format("{:.1f} %", *value) : std::string("unknown");
    };
    std::string text = fmt::format(
        "{}: HBM efficiency of a step {}, of its GEMM and attention kernels {} ({} on {}, {:.2f} GB a "
        "step and GPU).\n",
        label, percent(hbm->stepPercent), percent(hbm->kernelPercent), hbm->model, hbm->hardware,
        hbm->bytesPerStep / 1e9);
    for (const std::string& problem : hbm->problems)
        text += "  " + problem + "\n";
    return text;
}

} // namespace

ReportTable portraitTable(const Comparison& comparison) {
    ReportTable table;
    table.title = "The runs";
    table.columns = {{"", false}, {comparison.labelA, false}, {comparison.labelB, false}, {"", false}};
    for (const PortraitLine& line : comparison.portrait)
        table.rows.push_back({line.label, line.a, line.b, line.differs() ? "differs" : ""});
    return table;
}

ReportTable comparedCategoriesTable(const Comparison& comparison) {
    ReportTable table;
    table.title = comparison.attribution == Attribution::Wall
                      ? "By category, a step and rank: wall time, shared among what runs at once"
                      : "By category, a step and rank: durations added up";
    table.columns = {{"category", false},   {"A ms", true},      {"B ms", true},       {"A %", true},
                     {"B %", true},         {"A-B ms", true},    {"A/B", true},        {"A spread ms", true},
                     {"B spread ms", true}, {"effect", true},    {"A calls", true},    {"B calls", true},
                     {"A us/call", true},   {"B us/call", true}, {"A us/layer", true}, {"B us/layer", true}};
    for (const ComparedCategory& row : comparison.categories)
        table.rows.push_back({(row.isGroup ? "" : "  ") + row.label, asMs(row.ns.a), asMs(row.ns.b),
                              fmt::format("{:.1f}", row.percentA), fmt::format("{:.1f}", row.percentB),
                              differenceCell(row.ns), ratioCell(row.ns), asMs(row.ns.spreadA),
                              asMs(row.ns.spreadB), effectCell(row.ns), fmt::format("{:.1f}", row.calls.a),
                              fmt::format("{:.1f}", row.calls.b), asUs(row.perCall.a), asUs(row.perCall.b),
                              asUs(row.perLayer.a), asUs(row.perLayer.b)});
    table.notes = {
        "Spread: median absolute deviation over the steps. Effect: difference of the medians in standard "
        "deviations estimated from both spreads; empty where there is no spread."};
    return table;
}

ReportTable comparedStepsTable(const Comparison& comparison) {
    ReportTable table;
    table.title = "By step (mean over ranks)";
    table.columns = {{"", false},           {"A mean ms", true},   {"B mean ms", true},
                     {"A median ms", true}, {"B median ms", true}, {"A spread ms", true},
                     {"B spread ms", true}, {"A/B", true},         {"effect", true}};
    for (const ComparedStepFigure& row : comparison.steps)
        table.rows.push_back({row.label, asMs(row.ns.a), asMs(row.ns.b), asMs(row.ns.medianA),
                              asMs(row.ns.medianB), asMs(row.ns.spreadA), asMs(row.ns.spreadB),
                              row.known ? ratioCell(row.ns) : "", row.known ? effectCell(row.ns) : ""});
    return table;
}

ReportTable comparedKernelsTable(const Comparison& comparison, std::size_t limit) {
    ReportTable table;
    table.title = "Kernels that both runs have, a step and rank";
    table.columns = {{"kernel", false},   {"category", false}, {"A ms", true},    {"B ms", true},
                     {"A-B ms", true},    {"A calls", true},   {"B calls", true}, {"A us/call", true},
                     {"B us/call", true}, {"A/B a call", true}};
    for (const ComparedKernel& kernel : comparison.sharedKernels) {
        if (limit > 0 && table.rows.size() >= limit)
            break;
        table.rows.push_back({kernel.name, kernel.category, asMs(kernel.perStep.a), asMs(kernel.perStep.b),
                              differenceCell(kernel.perStep), fmt::format("{:.1f}", kernel.calls.a),
                              fmt::format("{:.1f}", kernel.calls.b), asUs(kernel.perCall.a, 2),
                              asUs(kernel.perCall.b, 2), ratioCell(kernel.perCall)});
    }
    return table;
}

std::string comparisonText(const Comparison& comparison) {
    std::string text;
    const auto& findings = comparison.findings;
    const bool aEmpty = comparison.portraitA.typicalSteps == 0;
    if (aEmpty || comparison.portraitB.typicalSteps == 0)
        return fmt::format("There is nothing to compare by the step: no typical step was found in {}.\n",
                           aEmpty ? comparison.labelA : comparison.labelB) +
               "\n" + toPlainText(portraitTable(comparison), 60);
    text += findings.empty()
                ? fmt::format("{} and {} do not differ by category.\n", comparison.labelA, comparison.labelB)
                : findings.front().sentence + "\n";
    text += fmt::format("A = {}: {}.\n", comparison.labelA, sentenceOf(comparison.portraitA));
    text += fmt::format("B = {}: {}.\n", comparison.labelB, sentenceOf(comparison.portraitB));
    std::size_t said = 1;
    for (; said < findings.size() && said < 3; ++said)
        text += findings[said].sentence + "\n";
    text += "What differs about the runs: " + differencesText(comparison) + "\n";
    if (said < findings.size()) {
        text += "\nFurther findings\n";
        for (; said < findings.size(); ++said)
            text += "  " + findings[said].sentence + "\n";
    }
    text += "\n" + toPlainText(comparedCategoriesTable(comparison));
    text += "\n" + toPlainText(comparedStepsTable(comparison));
    if (const ComparedCategory* allReduce = groupOf(comparison, "allreduce"); allReduce != nullptr)
        text += fmt::format("\nAll-reduce: {:.1f} calls a step of {} µs in A, {:.1f} of {} µs in B.\n",
                            allReduce->calls.a, asUs(allReduce->perCall.a), allReduce->calls.b,
                            asUs(allReduce->perCall.b));
    text +=
        stallsText(comparison.labelA, comparison.stallsA) + stallsText(comparison.labelB, comparison.stallsB);
    text += hbmText(comparison.labelA, comparison.hbmA) + hbmText(comparison.labelB, comparison.hbmB);
    text += "\n" + toPlainText(comparedKernelsTable(comparison, 15), 60);
    if (comparison.sharedKernels.size() > 15)
        text += fmt::format("{} more kernels in both runs", comparison.sharedKernels.size() - 15) + ".\n";
    text += fmt::format("{} kernels only in A, {} only in B.\n", comparison.onlyA.size(),
                        comparison.onlyB.size());
    text += "\n" + toPlainText(portraitTable(comparison), 60);
    text += fmt::format("Engine of A: {}; of B: {}. Model of A: {}; of B: {}.\n",
                        comparison.portraitA.engineEvidence, comparison.portraitB.engineEvidence,
                        comparison.portraitA.modelEvidence, comparison.portraitB.modelEvidence);
    return text;
}

} // namespace lockstep
