#include "model/report/figures.h"

#include "model/analysis/stallsummary.h"
#include "model/analysis/timetext.h"
#include "model/report/figureframe.h"
#include "model/report/tables.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace lockstep {

namespace {

using Anchor = TextStyle::Anchor;

constexpr double kRow = 26;
constexpr ProvenanceOf kCapture{{}, {}, false, ProvenanceOf::Over::Capture};

std::string runName(const ReportSubject& subject) {
    return subject.analysis->run->name;
}

std::string rankLabel(const ReportSubject& subject, std::size_t rank) {
    return fmt::format("rank {}", subject.analysis->run->ranks[rank].rank);
}

/// Vertical grid lines with their values below the plot.
void scaleBelow(FigureFrame& frame, double left, double most, double pixelsPerUnit, std::string_view unit) {
    const auto count = static_cast<int>(std::clamp(most * pixelsPerUnit / 70, 1.0, 8.0));
    const std::vector<double> ticks = roundTicks(most, count);
    for (const double tick : ticks) {
        const double x = left + tick * pixelsPerUnit;
        frame.canvas.line(x, frame.top, x, frame.bottom - 14, kGridColour);
        frame.canvas.text(x, frame.bottom - 2,
                          tick == ticks.back() ? fmt::format("{} {}", tickText(tick), unit) : tickText(tick),
                          textStyle(10, Anchor::Middle, kMutedColour));
    }
}

/// What the numbers below the plot count.
void nameAxis(FigureFrame& frame, double left, std::string_view name) {
    frame.canvas.text((left + frame.right) / 2, frame.bottom - 3, name,
                      textStyle(10, Anchor::Middle, kMutedColour));
}

std::vector<std::string> footerOf(const ReportSubject& subject, const ProvenanceOf& what = {{}, {}, false}) {
    return provenanceOf(subject, what);
}

/// "1 step", "9 steps".
std::string counted(std::size_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

double largest(const std::vector<LabelledBar>& bars) {
    double most = 0;
    for (const LabelledBar& bar : bars)
        most = std::max(most, bar.value);
    return most;
}

/// Why nobody is seen waiting.
std::string_view nothingMatched(const ReportSubject& subject) {
    return subject.analysis->run->ranks.size() < 2
               ? "One rank: there is nobody to wait for."
               : "No collective was matched across ranks here, so nobody is seen waiting.";
}

/// Where the bars of steps stand: pixels of the axis, of zero, and of a millisecond.
struct BarArea {
    double left = 0;
    double base = 0;
    double scale = 0;
};

/// A bar a rank for each step, busy time above idle, those that are not averaged pale.
void drawSteps(FigureFrame& frame, BarArea area, const StepTable& table,
               const std::vector<std::size_t>& ranks, const std::vector<bool>& averaged) {
    const double pitch =
        (frame.right - area.left) / std::max<double>(1, static_cast<double>(table.steps.size()));
    const double bar = pitch * 0.8 / static_cast<double>(std::max<std::size_t>(ranks.size(), 1));
    const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(26 / pitch)));
    for (std::size_t step = 0; step < table.steps.size(); ++step) {
        const double x = area.left + pitch * static_cast<double>(step);
        const bool pale = !averaged[step];
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            const RankStep& part = table.steps[step].ranks[ranks[i]];
            if (!part.present)
                continue;
            const double wall = static_cast<double>(part.wallNs()) / 1e6 * area.scale;
            const double idle = static_cast<double>(part.idleNs()) / 1e6 * area.scale;
            const double at = x + pitch * 0.1 + bar * static_cast<double>(i);
            const double width = std::max(bar - (bar > 3 ? 1 : 0), 0.3);
            frame.canvas.rect(at, area.base - wall, width, wall - idle,
                              pale                ? "#C9DDF0"
                              : ranks[i] % 2 == 0 ? "#0072B2"
                                                  : "#56B4E9");
            frame.canvas.rect(at, area.base - idle, width, idle, pale ? "#C4C7CB" : "#6B7177");
        }
        if (step % every == 0)
            frame.canvas.text(x + pitch / 2, area.base + 13, std::to_string(step),
                              textStyle(10, Anchor::Middle, kMutedColour));
    }
}

/// Late ranks by colour: white for none, through to the colour of lateness.
std::string heat(double share) {
    const double s = std::sqrt(std::clamp(share, 0.0, 1.0));
    const auto channel = [&](int full) {
        return static_cast<int>(std::lround(255 + (full - 255) * s));
    };
    return fmt::format("#{:02X}{:02X}{:02X}", channel(0xB3), channel(0x26), channel(0x1E));
}

/// Behind B's time: ", 1.96 times A", "; A is 3.92 times B", ": only in B".
std::string ratioText(const ComparedValue& value) {
    if (value.a <= 0 && value.b <= 0)
        return {};
    if (value.a <= 0 || value.b <= 0)
        return value.a > 0 ? "; only in A" : ", only in B";
    const bool more = value.a >= value.b;
    const double ratio = more ? value.a / value.b : value.b / value.a;
    const std::string times = fmt::format("{:.{}f} times", ratio, ratio >= 100 ? 0 : 2);
    return more ? fmt::format("; A is {} B", times) : fmt::format(", {} A", times);
}

} // namespace

std::string_view groupColour(std::string_view groupId) {
    constexpr std::pair<std::string_view, std::string_view> kColours[] = {
        {"allreduce", "#D55E00"}, {"attention", "#0072B2"}, {"other_gemm", "#009E73"},
        {"moe_gemm", "#56B4E9"},  {"routing", "#CC79A7"},   {"dtype_cast", "#F0E442"},
        {"all_to_all", "#E69F00"}};
    for (const auto& [id, colour] : kColours)
        if (id == groupId)
            return colour;
    return "#9AA0A6";
}

std::string breakdownFigure(const ReportSubject& subject, Attribution attribution, FigureSize size) {
    const Breakdown& breakdown = attribution == Attribution::Sum ? subject.sum : subject.wall;
    const bool wall = attribution == Attribution::Wall;
    std::vector<LabelledBar> bars;
    for (const BreakdownRow& row : breakdown.groups) {
        const double ms = breakdown.perStep(row.totalNs) / 1e6;
        std::string label = fmt::format("{:.3f} ms, {:.1f} %", ms, breakdown.percent(row));
        if (row.waitNs && row.totalNs > 0 && *row.waitNs * 100 > row.totalNs)
            label += fmt::format(", {:.0f} % of it waiting",
                                 100 * static_cast<double>(*row.waitNs) / static_cast<double>(row.totalNs));
        bars.push_back({ms, std::move(label)});
    }
    FigureText text;
    text.title = fmt::format("{}: {} a step by category", runName(subject), wall ? "wall time" : "GPU time");
    text.subtitle =
        fmt::format("{}: {} ms a step; wall {} ms; mean over {} and {}",
                    wall ? "wall time, shared among what runs at once" : "durations added up",
                    asMs(breakdown.perStep(breakdown.totalNs)), asMs(breakdown.perStep(breakdown.wallNs)),
                    counted(breakdown.steps.size(), "step"), counted(breakdown.ranks.size(), "rank"));
    text.footer = footerOf(subject, {attribution, {}, false});
    text.legend = {{"waiting for the last rank", "#D55E00", true}, {"moving data", "#D55E00"}};
    FigureFrame frame(size, text, kRow * static_cast<double>(bars.size()) + 24);
    if (breakdown.totalNs == 0) {
        frame.say("No GPU activity lies in the chosen steps.");
        return std::move(frame.canvas).finish();
    }
    const double left = 150;
    const double scale = scaleFor(bars, frame.right - left, 11);
    scaleBelow(frame, left, largest(bars), scale, "ms");
    const double pitch =
        (frame.bottom - 18 - frame.top) / std::max<double>(1, static_cast<double>(bars.size()));
    const double height = std::min(pitch * 0.72, 40.0);
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const BreakdownRow& row = breakdown.groups[i];
        const double y = frame.top + pitch * static_cast<double>(i);
        const bool idle = row.category == BreakdownRow::kIdle;
        const std::string colour(idle ? "#DADFE5" : groupColour(subject.rules.set.groups[row.category].id));
        frame.canvas.text(left - 8, y + height / 2 + 4, SvgCanvas::fitted(row.label, 12, left - 24),
                          textStyle(12, Anchor::End));
        const double waited = row.waitNs ? breakdown.perStep(*row.waitNs) / 1e6 : 0;
        if (waited > 0)
            frame.canvas.hatchedRect(left, y, waited * scale, height, colour);
        frame.canvas.rect(left + waited * scale, y, (bars[i].value - waited) * scale, height, colour);
        frame.canvas.text(left + bars[i].value * scale + 6, y + height / 2 + 4, bars[i].label, textStyle(11));
    }
    return std::move(frame.canvas).finish();
}

std::string stallsFigure(const ReportSubject& subject, FigureSize size) {
    const StallSummary summary = summariseStalls(*subject.analysis, subject.selection);
    std::vector<LabelledBar> bars; // two a rank
    for (const RankStalls& rank : summary.ranks) {
        bars.push_back({static_cast<double>(rank.waitedNs) / 1e6,
                        fmt::format("{:.3f} ms waited", static_cast<double>(rank.waitedNs) / 1e6)});
        bars.push_back({static_cast<double>(rank.causedNs) / 1e6,
                        fmt::format("{:.3f} ms caused, last {}", static_cast<double>(rank.causedNs) / 1e6,
                                    counted(rank.lastArrivals, "time"))});
    }
    FigureText text;
    text.title = fmt::format("{}: who waits for whom", runName(subject));
    text.subtitle = fmt::format("over {} of {}, head transients included",
                                counted(summary.collectives, "matched collective"),
                                subject.step                      ? fmt::format("step {}", *subject.step)
                                : subject.selection.steps.empty() ? "the whole capture"
                                                                  : "the chosen steps");
    text.footer = footerOf(subject, kCapture);
    text.legend = {{"waited for others", "#D55E00", true},
                   {"others waited for it", std::string(kLateColour)}};
    FigureFrame frame(size, text, kRow * static_cast<double>(bars.size()) + 24);
    if (summary.collectives == 0) {
        frame.say(nothingMatched(subject));
        return std::move(frame.canvas).finish();
    }
    const double left = 90;
    const double scale = scaleFor(bars, frame.right - left, 11);
    scaleBelow(frame, left, largest(bars), scale, "ms");
    const double pitch =
        (frame.bottom - 18 - frame.top) / std::max<double>(1, static_cast<double>(summary.ranks.size()));
    const double height = std::min(pitch * 0.36, 22.0);
    for (std::size_t rank = 0; rank < summary.ranks.size(); ++rank) {
        const double y = frame.top + pitch * static_cast<double>(rank);
        const LabelledBar& waited = bars[2 * rank];
        const LabelledBar& caused = bars[2 * rank + 1];
        frame.canvas.text(left - 8, y + height + 4, rankLabel(subject, rank), textStyle(12, Anchor::End));
        frame.canvas.hatchedRect(left, y, waited.value * scale, height, "#D55E00");
        frame.canvas.text(left + waited.value * scale + 6, y + height / 2 + 4, waited.label, textStyle(11));
        frame.canvas.rect(left, y + height + 2, caused.value * scale, height, kLateColour);
        frame.canvas.text(left + caused.value * scale + 6, y + 1.5 * height + 6, caused.label, textStyle(11));
    }
    return std::move(frame.canvas).finish();
}

std::string stepsFigure(const ReportSubject& subject, FigureSize size) {
    const StepTable& table = subject.analysis->steps;
    const std::vector<std::size_t>& ranks = subject.sum.ranks;
    std::vector<bool> averaged(table.steps.size());
    for (const std::uint32_t step : subject.sum.steps)
        averaged[step] = true;
    double most = 0;
    for (const Step& step : table.steps)
        for (const std::size_t rank : ranks)
            if (step.ranks[rank].present)
                most = std::max(most, static_cast<double>(step.ranks[rank].wallNs()) / 1e6);
    FigureText text;
    text.title = fmt::format("{}: time of each step", runName(subject));
    text.subtitle = fmt::format("wall time on the GPU, a bar a rank; {} by {}; pale: {}; dark: idle",
                                counted(table.steps.size(), "step"), nameOf(table.source),
                                subject.selection.steps.empty() ? "not in the averages" : "not chosen");
    text.footer = footerOf(subject);
    text.legend = {{"busy, even ranks", "#0072B2"},
                   {"busy, odd ranks", "#56B4E9"},
                   {"idle", "#6B7177"},
                   {subject.selection.steps.empty() ? "not in the averages" : "not chosen", "#C9DDF0"}};
    FigureFrame frame(size, text, 220);
    if (!(most > 0)) {
        frame.say("No step was found in this run.");
        return std::move(frame.canvas).finish();
    }
    const double left = 64;
    const double base = frame.bottom - 30;
    const double scale = (base - frame.top) / most;
    for (const double tick : roundTicks(most, 5)) {
        frame.canvas.line(left, base - tick * scale, frame.right, base - tick * scale, kGridColour);
        frame.canvas.text(left - 6, base - tick * scale + 4, tickText(tick) + " ms",
                          textStyle(10, Anchor::End, kMutedColour));
    }
    drawSteps(frame, {left, base, scale}, table, ranks, averaged);
    nameAxis(frame, left, "step");
    return std::move(frame.canvas).finish();
}

StallMap stallMapOf(const ReportSubject& subject) {
    const StallSummary summary = summariseStalls(*subject.analysis, subject.selection);
    StallMap map;
    map.byLayer = subject.step.has_value();
    const LateMap& late = map.byLayer ? summary.byLayer : summary.byStep;
    for (const std::uint32_t column : late.columns)
        map.columns.push_back(std::to_string(column));
    map.causedNs.assign(summary.ranks.size(), std::vector<TimeNs>(late.columns.size()));
    for (std::size_t rank = 0; rank < map.causedNs.size(); ++rank)
        for (std::size_t column = 0; column < late.columns.size(); ++column)
            map.causedNs[rank][column] = late.at(rank, column).causedNs;
    return map;
}

std::string heatmapFigure(const ReportSubject& subject, FigureSize size) {
    const StallMap map = stallMapOf(subject);
    TimeNs most = 0;
    for (const auto& row : map.causedNs)
        for (const TimeNs caused : row)
            most = std::max(most, caused);
    FigureText text;
    text.title = fmt::format("{}: who was late, by {}", runName(subject), map.byLayer ? "layer" : "step");
    text.subtitle = fmt::format("µs that the other ranks together waited for a rank; darkest: {}; head "
                                "transients left out",
                                timeText(static_cast<double>(most)));
    text.footer = footerOf(subject, kCapture);
    FigureFrame frame(size, text, kRow * static_cast<double>(map.causedNs.size()) + 36);
    if (most == 0) {
        frame.say(map.columns.empty() ? nothingMatched(subject)
                                      : std::string_view("Nobody waited for a late rank here."));
        return std::move(frame.canvas).finish();
    }
    const double left = 72;
    const double base = frame.bottom - 30;
    const double rowPitch =
        (base - frame.top) / std::max<double>(1, static_cast<double>(map.causedNs.size()));
    const double pitch = (frame.right - left) / std::max<double>(1, static_cast<double>(map.columns.size()));
    const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(26 / pitch)));
    for (std::size_t rank = 0; rank < map.causedNs.size(); ++rank) {
        const double y = frame.top + rowPitch * static_cast<double>(rank);
        frame.canvas.text(left - 8, y + rowPitch / 2 + 4, rankLabel(subject, rank),
                          textStyle(12, Anchor::End));
        for (std::size_t column = 0; column < map.columns.size(); ++column) {
            const TimeNs caused = map.causedNs[rank][column];
            const std::string colour = heat(static_cast<double>(caused) / static_cast<double>(most));
            const double x = left + pitch * static_cast<double>(column);
            frame.canvas.rect(x, y, pitch, rowPitch - 1, kGridColour);
            frame.canvas.rect(x + 0.5, y + 0.5, std::max(pitch - 1, 0.3), rowPitch - 2, colour);
            const std::string amount = asUs(static_cast<double>(caused), caused < 10'000 ? 1 : 0);
            if (caused > 0 && SvgCanvas::textWidth(amount, 9) < pitch - 4)
                frame.canvas.text(x + pitch / 2, y + rowPitch / 2 + 3, amount,
                                  textStyle(9, Anchor::Middle, textColourOn(colour)));
        }
    }
    for (std::size_t column = 0; column < map.columns.size(); column += every)
        frame.canvas.text(left + pitch * (static_cast<double>(column) + 0.5), base + 13, map.columns[column],
                          textStyle(10, Anchor::Middle, kMutedColour));
    nameAxis(frame, left, map.byLayer ? "layer" : "step");
    return std::move(frame.canvas).finish();
}

std::string comparisonFigure(const Comparison& comparison, const std::vector<std::string>& provenance,
                             FigureSize size) {
    std::vector<const ComparedCategory*> rows;
    std::vector<LabelledBar> bars; // two a row
    for (const ComparedCategory& category : comparison.categories)
        if (category.isGroup) {
            rows.push_back(&category);
            bars.push_back({category.ns.a / 1e6, fmt::format("A {:.3f} ms", category.ns.a / 1e6)});
            bars.push_back({category.ns.b / 1e6,
                            fmt::format("B {:.3f} ms{}", category.ns.b / 1e6, ratioText(category.ns))});
        }
    FigureText text;
    text.title = fmt::format("{} and {}: GPU time a step", comparison.labelA, comparison.labelB);
    text.subtitle = comparison.attribution == Attribution::Wall
                        ? "wall time, shared among what runs at once"
                        : "durations added up, mean over typical steps and ranks";
    text.footer = provenance;
    text.legend = {{SvgCanvas::fitted("A: " + comparison.labelA, 10.5, 420), "#6B7177"},
                   {SvgCanvas::fitted("B: " + comparison.labelB, 10.5, 420), "#202124", true}};
    FigureFrame frame(size, text, kRow * static_cast<double>(bars.size()) + 24);
    const double left = 150;
    const double scale = scaleFor(bars, frame.right - left, 10.5);
    scaleBelow(frame, left, largest(bars), scale, "ms");
    const double pitch =
        (frame.bottom - 18 - frame.top) / std::max<double>(1, static_cast<double>(rows.size()));
    const double height = std::min(pitch * 0.36, 22.0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double y = frame.top + pitch * static_cast<double>(i);
        const std::string colour(groupColour(rows[i]->id));
        const LabelledBar& a = bars[2 * i];
        const LabelledBar& b = bars[2 * i + 1];
        frame.canvas.text(left - 8, y + height + 4, SvgCanvas::fitted(rows[i]->label, 12, left - 24),
                          textStyle(12, Anchor::End));
        frame.canvas.rect(left, y, a.value * scale, height, colour);
        frame.canvas.text(left + a.value * scale + 6, y + height / 2 + 4, a.label, textStyle(10.5));
        frame.canvas.hatchedRect(left, y + height + 2, b.value * scale, height, "#202124");
        frame.canvas.rect(left, y + height + 2, b.value * scale, 3, colour);
        frame.canvas.text(left + b.value * scale + 6, y + 1.5 * height + 6, b.label, textStyle(10.5));
    }
    return std::move(frame.canvas).finish();
}

} // namespace lockstep
