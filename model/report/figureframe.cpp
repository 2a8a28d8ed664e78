#include "model/report/figureframe.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace lockstep {

namespace {

constexpr double kTop = 32;
constexpr double kSubtitleLine = 15;
constexpr double kFooterLine = 13;
constexpr double kLegendLine = 17;
constexpr double kSubtitleSize = 11;
constexpr double kFooterSize = 9;
constexpr double kLegendSize = 10.5;
constexpr double kLegendGap = 31; ///< of an entry beside its text: the colour and room around it

double spaceOf(FigureSize size) {
    return size.width - 2 * FigureFrame::kMargin;
}

/// `text` in lines no wider than `width`, broken at spaces; a word that is too wide is cut.
std::vector<std::string> wrapped(std::string_view text, double size, double width) {
    std::vector<std::string> lines;
    std::string line;
    while (!text.empty()) {
        const std::size_t space = text.find(' ');
        const std::string_view word = text.substr(0, space);
        text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
        const std::string longer = line.empty() ? std::string(word) : line + ' ' + std::string(word);
        if (!line.empty() && SvgCanvas::textWidth(longer, size) > width) {
            lines.push_back(std::move(line));
            line = word;
        } else {
            line = longer;
        }
    }
    if (!line.empty())
        lines.push_back(std::move(line));
    for (std::string& one : lines)
        one = SvgCanvas::fitted(one, size, width);
    return lines;
}

double legendWidth(const LegendEntry& entry) {
    return kLegendGap + SvgCanvas::textWidth(entry.name, kLegendSize);
}

} // namespace

TextStyle textStyle(double size, TextStyle::Anchor anchor, std::string_view colour, bool bold) {
    return {size, anchor, std::string(colour), bold};
}

FigureFrame::Layout FigureFrame::layOut(FigureSize size, const FigureText& text, double plotHeight) {
    Layout layout;
    const double space = spaceOf(size);
    layout.subtitle = wrapped(text.subtitle, kSubtitleSize, space);
    for (const std::string& line : text.footer)
        for (std::string& part : wrapped(line, kFooterSize, space))
            layout.footer.push_back(std::move(part));
    double used = space;
    for (const LegendEntry& entry : text.legend) {
        if (layout.legend.empty() || used + legendWidth(entry) > space + 12) {
            layout.legend.emplace_back();
            used = 0;
        }
        used += legendWidth(entry);
        layout.legend.back().push_back(entry);
    }
    const double around = kTop + kSubtitleLine * static_cast<double>(layout.subtitle.size()) +
                          (layout.legend.empty() ? 0 : 5) +
                          kLegendLine * static_cast<double>(layout.legend.size()) + 18 +
                          kFooterLine * static_cast<double>(layout.footer.size());
    layout.height = size.height > 0 ? std::max(size.height, around + 40) : around + plotHeight;
    return layout;
}

FigureFrame::FigureFrame(FigureSize size, const FigureText& text, double plotHeight)
    : FigureFrame(size, text, layOut(size, text, plotHeight)) {}

FigureFrame::FigureFrame(FigureSize size, const FigureText& text, const Layout& layout)
    : canvas(size.width, layout.height, text.title)
    , right(size.width - kMargin) {
    canvas.text(kMargin, 22, SvgCanvas::fitted(text.title, 15, spaceOf(size)),
                textStyle(15, TextStyle::Anchor::Start, "#202124", true));
    double y = 38;
    for (const std::string& line : layout.subtitle) {
        canvas.text(kMargin, y, line, textStyle(kSubtitleSize, TextStyle::Anchor::Start, kMutedColour));
        y += kSubtitleLine;
    }
    top = kTop + kSubtitleLine * static_cast<double>(layout.subtitle.size());
    y = layout.height - 8 - kFooterLine * (static_cast<double>(layout.footer.size()) - 1);
    const double legendTop = y - 13 - kLegendLine * static_cast<double>(layout.legend.size());
    bottom = legendTop - (layout.legend.empty() ? 0 : 5);
    for (const std::string& line : layout.footer) {
        canvas.text(kMargin, y, line, textStyle(kFooterSize, TextStyle::Anchor::Start, kMutedColour));
        y += kFooterLine;
    }
    for (std::size_t i = 0; i < layout.legend.size(); ++i)
        drawLegend(layout.legend[i], legendTop + kLegendLine * static_cast<double>(i + 1) - 4);
}

void FigureFrame::drawLegend(const std::vector<LegendEntry>& line, double y) {
    double x = kMargin;
    for (const LegendEntry& entry : line) {
        if (entry.hatched)
            canvas.hatchedRect(x, y - 9, 14, 10, entry.colour);
        else
            canvas.rect(x, y - 9, 14, 10, entry.colour);
        canvas.text(x + 19, y, entry.name, textStyle(kLegendSize));
        x += legendWidth(entry);
    }
}

void FigureFrame::say(std::string_view sentence) {
    canvas.text((left + right) / 2, (top + bottom) / 2 + 4, SvgCanvas::fitted(sentence, 13, right - left),
                textStyle(13, TextStyle::Anchor::Middle, kMutedColour));
}

double scaleFor(std::span<const LabelledBar> bars, double room, double textSize) {
    double most = 0;
    for (const LabelledBar& bar : bars)
        most = std::max(most, bar.value);
    if (!(most > 0))
        return 0;
    double scale = room / most;
    for (const LabelledBar& bar : bars)
        if (bar.value > 0)
            scale = std::min(scale, (room - 8 - SvgCanvas::textWidth(bar.label, textSize)) / bar.value);
    return std::max(scale, 1 / most);
}

std::vector<double> roundTicks(double most, int count) {
    std::vector<double> ticks;
    if (!(most > 0))
        return ticks;
    const double raw = most / std::max(count, 1);
    const double power = std::pow(10, std::floor(std::log10(raw)));
    const double step = (raw / power <= 1 ? 1 : raw / power <= 2 ? 2 : raw / power <= 5 ? 5 : 10) * power;
    for (int i = 0; i * step <= most * 1.0001; ++i)
        ticks.push_back(i * step);
    return ticks;
}

std::string tickText(double value) {
    return fmt::format("{:.6g}", value);
}

} // namespace lockstep
