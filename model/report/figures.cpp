#include "model/report/figures.h"

#include "model/report/figureframe.h"
#include "model/report/tables.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace lockstep {

namespace {

using Anchor = TextStyle::Anchor;

constexpr double kRow = 26;

std::string runName(const ReportSubject& subject) {
    return subject.analysis->run->name;
}

std::string rankLabel(const ReportSubject& subject, std::size_t rank) {
    return fmt::format("rank {}", subject.analysis->run->ranks[rank].rank);
}

/// Vertical grid lines with their values below the plot.
void scaleBelow(FigureFrame& frame, double left, double most, double pixelsPerUnit, std::string_view unit) {
    const std::vector<double> ticks = roundTicks(most, 8);
    for (const double tick : ticks) {
        const double x = left + tick * pixelsPerUnit;
        frame.canvas.line(x, frame.top, x, frame.bottom - 14, kGridColour);
        frame.canvas.text(x, frame.bottom - 2,
                          tick == ticks.back() ? fmt::format("{} {}", tickText(tick), unit) : tickText(tick),
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
    std::vector<const BreakdownRow*> rows;
    double most = 0;
    for (const BreakdownRow& row : breakdown.groups) {
        rows.push_back(&row);
        most = std::max(most, breakdown.perStep(row.totalNs) / 1e6);
    }
    FigureFrame frame(
        size, fmt::format("{}: GPU time a step by category", runName(subject)),
        fmt::format("{} (attribution: {}): {} ms a step; wall {} ms; mean over {} steps and {} ranks",
                    wall ? "wall time, shared among what runs at once" : "durations added up",
                    nameOf(attribution), asMs(breakdown.perStep(breakdown.totalNs)),
                    asMs(breakdown.perStep(breakdown.wallNs)), breakdown.steps.size(),
                    breakdown.ranks.size()),
        kRow * static_cast<double>(rows.size()) + 24, provenanceOf(subject), true);
    const double left = 150;
    const double scale = most > 0 ? (frame.right - left - 170) / most : 0;
    scaleBelow(frame, left, most, scale, "ms");
    const double pitch =
        (frame.bottom - 18 - frame.top) / std::max<double>(1, static_cast<double>(rows.size()));
    double y = frame.top;
    for (const BreakdownRow* row : rows) {
        const double height = std::min(pitch * 0.72, 40.0);
        const double ms = breakdown.perStep(row->totalNs) / 1e6;
        const bool idle = row->category == BreakdownRow::kIdle;
        const std::string colour(idle ? "#DADFE5" : groupColour(subject.rules.set.groups[row->category].id));
        frame.canvas.text(left - 8, y + height / 2 + 4, SvgCanvas::fitted(row->label, 12, left - 24),
                          textStyle(12, Anchor::End));
        const double waited = row->waitNs ? breakdown.perStep(*row->waitNs) / 1e6 : 0;
        if (waited > 0)
            frame.canvas.hatchedRect(left, y, waited * scale, height, colour);
        frame.canvas.rect(left + waited * scale, y, (ms - waited) * scale, height, colour);
        std::string label = fmt::format("{:.3f} ms  {:.1f} %", ms, breakdown.percent(*row));
        if (waited > 0.01 * ms)
            label += fmt::format(", {:.0f} % of it waiting", 100 * waited / ms);
        frame.canvas.text(left + ms * scale + 6, y + height / 2 + 4, label, textStyle(11));
        y += pitch;
    }
    frame.legend({{"waiting for the last rank~", "#D55E00"}, {"moving data", "#D55E00"}});
    return std::move(frame.canvas).finish();
}

std::string stallsFigure(const ReportSubject& subject, FigureSize size) {
    const auto& ranks = subject.analysis->stalls.ranks;
    double most = 0;
    for (const RankStalls& rank : ranks)
        most = std::max(
            {most, static_cast<double>(rank.waitedNs) / 1e6, static_cast<double>(rank.causedNs) / 1e6});
    FigureFrame frame(size, fmt::format("{}: who waits for whom", runName(subject)),
                      fmt::format("over {} matched collectives, head transients included",
                                  subject.analysis->stalls.stalls.size()),
                      2 * kRow * static_cast<double>(ranks.size()) + 24, provenanceOf(subject), true);
    const double left = 90;
    const double scale = most > 0 ? (frame.right - left - 190) / most : 0;
    scaleBelow(frame, left, most, scale, "ms");
    const double pitch =
        (frame.bottom - 18 - frame.top) / std::max<double>(1, static_cast<double>(ranks.size()));
    double y = frame.top;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const double height = std::min(pitch * 0.36, 22.0);
        const double waited = static_cast<double>(ranks[rank].waitedNs) / 1e6;
        const double caused = static_cast<double>(ranks[rank].causedNs) / 1e6;
        frame.canvas.text(left - 8, y + height + 4, rankLabel(subject, rank), textStyle(12, Anchor::End));
        frame.canvas.hatchedRect(left, y, waited * scale, height, "#D55E00");
        frame.canvas.text(left + waited * scale + 6, y + height / 2 + 4,
                          fmt::format("{:.3f} ms waited", waited), textStyle(11));
        frame.canvas.rect(left, y + height + 2, caused * scale, height, kLateColour);
        frame.canvas.text(left + caused * scale + 6, y + 1.5 * height + 6,
                          fmt::format("{:.3f} ms caused, last {} times", caused, ranks[rank].lastArrivals),
                          textStyle(11));
        y += pitch;
    }
    frame.legend({{"waited for others~", "#D55E00"}, {"others waited for it", std::string(kLateColour)}});
    return std::move(frame.canvas).finish();
}

std::string stepsFigure(const ReportSubject& subject, FigureSize size) {
    const StepTable& table = subject.analysis->steps;
    const std::size_t ranks = subject.analysis->run->ranks.size();
    double most = 0;
    for (const Step& step : table.steps)
        for (const RankStep& rank : step.ranks)
            if (rank.present)
                most = std::max(most, static_cast<double>(rank.wallNs()) / 1e6);
    FigureFrame frame(size, fmt::format("{}: time of each step", runName(subject)),
                      fmt::format("wall time on the GPU, a bar a rank; {} steps by {}; pale: left out of "
                                  "averages; dark: idle",
                                  table.steps.size(), nameOf(table.source)),
                      220, provenanceOf(subject), true);
    const double left = 64;
    const double base = frame.bottom - 18;
    const double scale = most > 0 ? (base - frame.top) / most : 0;
    for (const double tick : roundTicks(most, 5)) {
        frame.canvas.line(left, base - tick * scale, frame.right, base - tick * scale, kGridColour);
        frame.canvas.text(left - 6, base - tick * scale + 4, tickText(tick) + " ms",
                          textStyle(10, Anchor::End, kMutedColour));
    }
    const double pitch = (frame.right - left) / std::max<double>(1, static_cast<double>(table.steps.size()));
    const double bar = pitch * 0.8 / static_cast<double>(std::max<std::size_t>(ranks, 1));
    const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(26 / pitch)));
    for (std::size_t step = 0; step < table.steps.size(); ++step) {
        const double x = left + pitch * static_cast<double>(step);
        const bool unusual = table.steps[step].outlier || table.steps[step].cut;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            const RankStep& part = table.steps[step].ranks[rank];
            if (!part.present)
                continue;
            const double wall = static_cast<double>(part.wallNs()) / 1e6 * scale;
            const double idle = static_cast<double>(part.idleNs()) / 1e6 * scale;
            const double at = x + pitch * 0.1 + bar * static_cast<double>(rank);
            const double width = std::max(bar - (bar > 3 ? 1 : 0), 0.3);
            frame.canvas.rect(at, base - wall, width, wall - idle,
                              unusual         ? "#C9DDF0"
                              : rank % 2 == 0 ? "#0072B2"
                                              : "#56B4E9");
            frame.canvas.rect(at, base - idle, width, idle, unusual ? "#C4C7CB" : "#6B7177");
        }
        if (step % every == 0)
            frame.canvas.text(x + pitch / 2, base + 13, std::to_string(step),
                              textStyle(10, Anchor::Middle, kMutedColour));
    }
    frame.legend({{"busy, even ranks", "#0072B2"},
                  {"busy, odd ranks", "#56B4E9"},
                  {"idle", "#6B7177"},
                  {"left out of averages", "#C9DDF0"}});
    return std::move(frame.canvas).finish();
}

StallMap stallMapOf(const ReportSubject& subject) {
    const RunAnalysis& analysis = *subject.analysis;
    StallMap map;
    map.byLayer = subject.step.has_value();
    std::size_t columns = analysis.steps.steps.size();
    if (map.byLayer) {
        columns = 0;
        for (const RankStep& rank : analysis.steps.steps[*subject.step].ranks)
            columns = std::max<std::size_t>(columns, rank.layers);
    }
    for (std::size_t column = 0; column < columns; ++column)
        map.columns.push_back(std::to_string(column));
    map.causedNs.assign(analysis.run->ranks.size(), std::vector<TimeNs>(columns));
    for (std::size_t i = 0; i < analysis.stalls.stalls.size(); ++i) {
        const Stall& stall = analysis.stalls.stalls[i];
        const Collective& collective = analysis.collectives.matched[i];
        if (stall.headTransient || (map.byLayer && collective.step != *subject.step))
            continue;
        const std::size_t column = map.byLayer ? collective.layer : collective.step;
        for (std::size_t rank = 0; column < columns && rank < map.causedNs.size(); ++rank)
            if (rank != stall.straggler)
                map.causedNs[stall.straggler][column] += analysis.stalls.waitOf(i, rank).waitNs;
    }
    return map;
}

std::string heatmapFigure(const ReportSubject& subject, FigureSize size) {
    const StallMap map = stallMapOf(subject);
    TimeNs most = 0;
    for (const auto& row : map.causedNs)
        for (const TimeNs caused : row)
            most = std::max(most, caused);
    FigureFrame frame(
        size, fmt::format("{}: who was late, by {}", runName(subject), map.byLayer ? "layer" : "step"),
        fmt::format("how long the other ranks together waited for a rank; darkest: {} µs; head transients "
                    "left out",
                    asUs(static_cast<double>(most))),
        kRow * static_cast<double>(map.causedNs.size()) + 24, provenanceOf(subject));
    const double left = 72;
    const double base = frame.bottom - 18;
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
            const std::string colour =
                heat(most > 0 ? static_cast<double>(caused) / static_cast<double>(most) : 0);
            const double x = left + pitch * static_cast<double>(column);
            frame.canvas.rect(x, y, pitch, rowPitch - 1, kGridColour);
            frame.canvas.rect(x + 0.5, y + 0.5, std::max(pitch - 1, 0.3), rowPitch - 2, colour);
            const std::string text = asUs(static_cast<double>(caused), caused < 10'000 ? 1 : 0);
            if (caused > 0 && SvgCanvas::textWidth(text, 9) < pitch - 4)
                frame.canvas.text(x + pitch / 2, y + rowPitch / 2 + 3, text,
                                  textStyle(9, Anchor::Middle, textColourOn(colour)));
        }
    }
    for (std::size_t column = 0; column < map.columns.size(); column += every)
        frame.canvas.text(left + pitch * (static_cast<double>(column) + 0.5), base + 13, map.columns[column],
                          textStyle(10, Anchor::Middle, kMutedColour));
    return std::move(frame.canvas).finish();
}

std::string comparisonFigure(const Comparison& comparison, const std::vector<std::string>& provenance,
                             FigureSize size) {
    std::vector<const ComparedCategory*> rows;
    double most = 0;
    for (const ComparedCategory& category : comparison.categories)
        if (category.isGroup) {
            rows.push_back(&category);
            most = std::max({most, category.ns.a / 1e6, category.ns.b / 1e6});
        }
    FigureFrame frame(size, fmt::format("{} and {}: GPU time a step", comparison.labelA, comparison.labelB),
                      comparison.attribution == Attribution::Wall
                          ? "wall time, shared among what runs at once"
                          : "durations added up, mean over typical steps and ranks",
                      2 * kRow * static_cast<double>(rows.size()) + 24, provenance, true);
    const double left = 150;
    const double scale = most > 0 ? (frame.right - left - 250) / most : 0;
    scaleBelow(frame, left, most, scale, "ms");
    const double pitch =
        (frame.bottom - 18 - frame.top) / std::max<double>(1, static_cast<double>(rows.size()));
    double y = frame.top;
    for (const ComparedCategory* row : rows) {
        const double height = std::min(pitch * 0.36, 22.0);
        const std::string colour(groupColour(row->id));
        frame.canvas.text(left - 8, y + height + 4, SvgCanvas::fitted(row->label, 12, left - 24),
                          textStyle(12, Anchor::End));
        const double a = row->ns.a / 1e6;
        const double b = row->ns.b / 1e6;
        frame.canvas.rect(left, y, a * scale, height, colour);
        frame.canvas.text(left + a * scale + 6, y + height / 2 + 4, fmt::format("A {:.3f} ms", a),
                          textStyle(10.5));
        frame.canvas.hatchedRect(left, y + height + 2, b * scale, height, "#202124");
        frame.canvas.rect(left, y + height + 2, b * scale, 3, colour);
        const auto ratio = row->ns.ratio();
        frame.canvas.text(
            left + b * scale + 6, y + 1.5 * height + 6,
            fmt::format("B {:.3f} ms{}", b, ratio ? fmt::format(", A is {:.2f} times as long", *ratio) : ""),
            textStyle(10.5));
        y += pitch;
    }
    frame.legend({{SvgCanvas::fitted("A: " + comparison.labelA, 10.5, 420), "#6B7177"},
                  {SvgCanvas::fitted("B: " + comparison.labelB, 10.5, 420) + "~", "#202124"}});
    return std::move(frame.canvas).finish();
}

} // namespace lockstep
