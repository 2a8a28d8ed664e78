#include "model/report/figureframe.h"

#include <cmath>
#include <fmt/format.h>

namespace lockstep {

namespace {
constexpr double kFooterLine = 13;
constexpr double kLegend = 22;

double heightFor(FigureSize size, double plotHeight, std::size_t footerLines, bool legend) {
    return size.height > 0 ? size.height
                           : FigureFrame::kTop + plotHeight + (legend ? kLegend : 0) + 18 +
                                 kFooterLine * static_cast<double>(footerLines);
}
} // namespace

TextStyle textStyle(double size, TextStyle::Anchor anchor, std::string_view colour, bool bold) {
    return {size, anchor, std::string(colour), bold};
}

FigureFrame::FigureFrame(FigureSize size, std::string_view title, std::string_view subtitle,
                         double plotHeight, const std::vector<std::string>& footer, bool withLegend)
    : canvas(size.width, heightFor(size, plotHeight, footer.size(), withLegend), title)
    , right(size.width - kMargin) {
    const double space = size.width - 2 * kMargin;
    canvas.text(kMargin, 22, SvgCanvas::fitted(title, 15, space),
                textStyle(15, TextStyle::Anchor::Start, "#202124", true));
    canvas.text(kMargin, 38, SvgCanvas::fitted(subtitle, 11, space),
                textStyle(11, TextStyle::Anchor::Start, kMutedColour));
    double y = canvas.height() - 8 - kFooterLine * static_cast<double>(footer.size() - 1);
    bottom = y - 14 - (withLegend ? kLegend : 0);
    legendY = bottom + 16;
    for (const std::string& text : footer) {
        canvas.text(kMargin, y, SvgCanvas::fitted(text, 9, space),
                    textStyle(9, TextStyle::Anchor::Start, kMutedColour));
        y += kFooterLine;
    }
}

void FigureFrame::legend(const std::vector<std::pair<std::string, std::string>>& entries) {
    double x = kMargin;
    for (const auto& [name, colour] : entries) {
        const bool hatched = name.ends_with('~');
        const std::string label = hatched ? name.substr(0, name.size() - 1) : name;
        if (hatched)
            canvas.hatchedRect(x, legendY - 9, 14, 10, colour);
        else
            canvas.rect(x, legendY - 9, 14, 10, colour);
        canvas.text(x + 19, legendY, label, textStyle(10.5));
        x += 19 + SvgCanvas::textWidth(label, 10.5) + 12;
    }
}

std::vector<double> roundTicks(double most, int count) {
    std::vector<double> ticks;
    if (!(most > 0))
        return ticks;
    const double raw = most / count;
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
