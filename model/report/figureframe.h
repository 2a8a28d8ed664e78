#pragma once

#include "model/report/figures.h"
#include "model/report/svgcanvas.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lockstep {

inline constexpr std::string_view kMutedColour = "#6B7177";
inline constexpr std::string_view kGridColour = "#DADFE5";
inline constexpr std::string_view kLateColour = "#B3261E";

/// A colour and what it stands for.
struct LegendEntry {
    std::string name;
    std::string colour;
    bool hatched = false;
};

/// What stands around a picture's plot.
struct FigureText {
    std::string title;
    std::string subtitle;
    std::vector<std::string> footer;
    std::vector<LegendEntry> legend;
};

/// A picture's title, its plot area, and below it a legend and where the numbers come from; lines that are
/// too long for the picture go on in the next one.
struct FigureFrame {
    static constexpr double kMargin = 16;

    /// `plotHeight` is what the plot needs; a size with a height overrides it.
    FigureFrame(FigureSize size, const FigureText& text, double plotHeight);

    SvgCanvas canvas;
    double left = kMargin;
    double right = 0;
    double top = 0;
    double bottom = 0;

    /// A sentence in the middle of the plot, where there is nothing to draw.
    void say(std::string_view sentence);

private:
    struct Layout {
        std::vector<std::string> subtitle;
        std::vector<std::string> footer;
        std::vector<std::vector<LegendEntry>> legend; ///< by line
        double height = 0;
    };
    FigureFrame(FigureSize size, const FigureText& text, const Layout& layout);
    [[nodiscard]] static Layout layOut(FigureSize size, const FigureText& text, double plotHeight);
    void drawLegend(const std::vector<LegendEntry>& line, double y);
};

/// A bar to be drawn with a label to its right.
struct LabelledBar {
    double value = 0;
    std::string label;
};
/// Pixels a unit, so that every bar and the label behind it end before `room`; at least a pixel for the
/// largest.
[[nodiscard]] double scaleFor(std::span<const LabelledBar> bars, double room, double textSize);

/// Round numbers about `count` apart from 0 to `most`.
[[nodiscard]] std::vector<double> roundTicks(double most, int count);
/// A number with as many digits as tell such ticks apart.
[[nodiscard]] std::string tickText(double value);
[[nodiscard]] TextStyle textStyle(double size, TextStyle::Anchor anchor = TextStyle::Anchor::Start,
                                  std::string_view colour = "#202124", bool bold = false);

} // namespace lockstep
