#pragma once

#include "model/report/figures.h"
#include "model/report/svgcanvas.h"

#include <string>
#include <utility>
#include <vector>

namespace lockstep {

inline constexpr std::string_view kMutedColour = "#6B7177";
inline constexpr std::string_view kGridColour = "#DADFE5";
inline constexpr std::string_view kLateColour = "#B3261E";

/// A picture's title, its plot area, and below it a legend and where the numbers come from.
struct FigureFrame {
    static constexpr double kMargin = 16;
    static constexpr double kTop = 48;

    /// `plotHeight` is what the plot needs; a size with a height overrides it.
    FigureFrame(FigureSize size, std::string_view title, std::string_view subtitle, double plotHeight,
                const std::vector<std::string>& footer, bool legend = false);

    SvgCanvas canvas;
    double left = kMargin;
    double right = 0;
    double top = kTop;
    double bottom = 0;
    double legendY = 0;

    /// Colours and what they stand for, below the plot; a trailing '~' in a name draws its colour hatched.
    void legend(const std::vector<std::pair<std::string, std::string>>& entries);
};

/// Round numbers about `count` apart from 0 to `most`.
[[nodiscard]] std::vector<double> roundTicks(double most, int count);
/// A number with as many digits as tell such ticks apart.
[[nodiscard]] std::string tickText(double value);
[[nodiscard]] TextStyle textStyle(double size, TextStyle::Anchor anchor = TextStyle::Anchor::Start,
                                  std::string_view colour = "#202124", bool bold = false);

} // namespace lockstep
