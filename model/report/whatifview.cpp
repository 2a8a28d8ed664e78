#include "model/report/whatifview.h"

#include "model/analysis/whatiflabels.h"
#include "model/report/figureframe.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace lockstep {

namespace {

using Anchor = TextStyle::Anchor;

constexpr double kAllToAllUs = 19; ///< the case study's
constexpr double kRow = 30;
constexpr double kLine = 15;

struct NamedProjection {
    std::string name;
    Projection projection;
};

std::vector<NamedProjection> projectionsOf(const WhatIfResult& result) {
    return {{"measured", {0, result.baselineMs, 0}},
            {"naive: calls × difference", result.naive},
            {"transfer-only: waiting stays", result.transferOnly},
            {"re-simulated over all ranks", result.replayed},
            {"re-simulated, host no limit", result.replayedWithoutHost}};
}

std::string savedText(const Projection& projection) {
    if (std::abs(projection.savedMs) < 0.0005)
        return {};
    return fmt::format(", {} {:.3f} ms ({:.1f} %)", projection.savedMs < 0 ? "costs" : "saves",
                       std::abs(projection.savedMs), std::abs(projection.percent));
}

/// The arithmetic of all lines, and what bounds the result.
std::vector<std::string> sentencesOf(const WhatIfResult& result) {
    std::vector<std::string> sentences;
    for (const WhatIfLine& line : result.lines) {
        sentences.push_back(line.name + ": " + line.arithmetic);
        if (line.transferUs > 0)
            sentences.push_back(
                fmt::format("of a call's {:.1f} µs, {:.1f} µs move data: transfer-only {:.3f} ms",
                            line.fromUs, line.transferUs, line.transferOnlyMs));
        if (line.breakEvenUs && line.transferBreakEvenUs)
            sentences.push_back(fmt::format("breaks even at {:.1f} µs a call, transfer-only at {:.1f} µs",
                                            *line.breakEvenUs, *line.transferBreakEvenUs));
        if (!line.remark.empty())
            sentences.push_back(line.remark);
    }
    sentences.push_back(fmt::format("bounds: {:.3f} to {:.3f} ms saved; an unchanged replay differs from the "
                                    "measured wall time by {:+.1f} %",
                                    result.savedLowMs, result.savedHighMs, result.replayErrorPercent));
    if (result.replayBreakEvenUs)
        sentences.push_back(fmt::format("re-simulated, the replacement breaks even at {:.1f} µs a call",
                                        *result.replayBreakEvenUs));
    sentences.insert(sentences.end(), result.notes.begin(), result.notes.end());
    return sentences;
}

} // namespace

WhatIfInputs expertParallelInputs() {
    Substitution substitution;
    substitution.kind = Substitution::Kind::Replace;
    substitution.target = "allreduce";
    substitution.scope = "moe";
    substitution.parts = {{"alltoall", kAllToAllUs}};
    WhatIfInputs inputs;
    inputs.substitutions.push_back(std::move(substitution));
    return inputs;
}

Result<WhatIfResult> projectSubject(const ReportSubject& subject, WhatIfInputs inputs) {
    if (inputs.steps.empty())
        inputs.steps = subject.selection.steps;
    return projectRun(*subject.analysis, activityLabels(subject.rules.set, subject.categories), inputs);
}

std::string whatIfFigure(const ReportSubject& subject, const WhatIfResult& result, FigureSize size) {
    const std::vector<NamedProjection> projections = projectionsOf(result);
    const std::vector<std::string> sentences = sentencesOf(result);
    std::vector<LabelledBar> bars;
    for (const NamedProjection& one : projections)
        bars.push_back({std::max(one.projection.tpotMs, result.baselineMs),
                        fmt::format("{:.3f} ms{}", one.projection.tpotMs, savedText(one.projection))});
    FigureText text;
    text.title = subject.analysis->run->name + ": what if";
    for (const WhatIfLine& line : result.lines)
        text.subtitle += (text.subtitle.empty() ? "" : "; ") + line.name;
    text.subtitle += fmt::format(" - a step of {:.3f} ms ({})", result.baselineMs, result.baselineSource);
    text.footer = provenanceOf(subject, {{}, {}, false});
    text.legend = {
        {"projected", "#6B7177"}, {"saved", "#009E73", true}, {"beyond the measured step", "#D55E00"}};
    const double room = kRow * static_cast<double>(bars.size());
    FigureFrame frame(size, text, room + 26 + kLine * static_cast<double>(sentences.size()));
    const double left = 230;
    const double scale = scaleFor(bars, frame.right - left, 11);
    double y = frame.top + 2;
    const double bar = kRow * 0.68;
    for (std::size_t i = 0; i < bars.size(); ++i, y += kRow) {
        const double projected = std::max(projections[i].projection.tpotMs, 0.0);
        const double kept = std::min(projected, result.baselineMs);
        frame.canvas.text(left - 8, y + bar / 2 + 4, SvgCanvas::fitted(projections[i].name, 11, left - 20),
                          textStyle(11, Anchor::End));
        frame.canvas.rect(left, y, kept * scale, bar, "#6B7177");
        if (projected < result.baselineMs)
            frame.canvas.hatchedRect(left + kept * scale, y, (result.baselineMs - kept) * scale, bar,
                                     "#009E73");
        else if (projected > result.baselineMs)
            frame.canvas.rect(left + kept * scale, y, (projected - kept) * scale, bar, "#D55E00");
        frame.canvas.text(left + bars[i].value * scale + 6, y + bar / 2 + 4, bars[i].label, textStyle(11));
    }
    y += 14;
    for (const std::string& sentence : sentences) {
        if (y > frame.bottom)
            break;
        frame.canvas.text(FigureFrame::kMargin, y,
                          SvgCanvas::fitted(sentence, 11, frame.right - FigureFrame::kMargin), textStyle(11));
        y += kLine;
    }
    return std::move(frame.canvas).finish();
}

ReportTable whatIfTable(const WhatIfResult& result) {
    ReportTable table;
    table.title = fmt::format("What if: a step of {:.3f} ms ({})", result.baselineMs, result.baselineSource);
    table.columns = {{"projection", false}, {"step ms", true}, {"saved ms", true}, {"saved %", true}};
    for (const NamedProjection& one : projectionsOf(result))
        table.rows.push_back({one.name, fmt::format("{:.3f}", one.projection.tpotMs),
                              fmt::format("{:.3f}", one.projection.savedMs),
                              fmt::format("{:.1f}", one.projection.percent)});
    table.notes = sentencesOf(result);
    return table;
}

} // namespace lockstep
