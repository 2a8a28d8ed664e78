#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// How text is set: in pixels, with the anchor at its start, middle or end.
struct TextStyle {
    enum class Anchor { Start, Middle, End };
    double size = 12;
    Anchor anchor = Anchor::Start;
    std::string colour = "#202124";
    bool bold = false;
};

/// Draws one picture as SVG 1.1 text: rectangles, lines and text as text, no script, nothing from elsewhere.
class SvgCanvas {
public:
    SvgCanvas(double width, double height, std::string_view title);

    void rect(double x, double y, double width, double height, std::string_view fill);
    /// A bar that only waits: pale, outlined and hatched, so that it reads in grey.
    void hatchedRect(double x, double y, double width, double height, std::string_view colour);
    void line(double x1, double y1, double x2, double y2, std::string_view colour, double width = 1);
    void text(double x, double y, std::string_view text, const TextStyle& style = {});
    /// The file; nothing may be drawn after.
    [[nodiscard]] std::string finish() &&;

    [[nodiscard]] double width() const { return m_width; }
    [[nodiscard]] double height() const { return m_height; }
    /// About how wide `text` will be set.
    [[nodiscard]] static double textWidth(std::string_view text, double size);
    /// `text` cut with an ellipsis where it is wider than `width`.
    [[nodiscard]] static std::string fitted(std::string_view text, double size, double width);

private:
    double m_width;
    double m_height;
    std::string m_svg;
};

/// Black or white, whichever reads better on `colour` ("#RRGGBB").
[[nodiscard]] std::string textColourOn(std::string_view colour);

} // namespace lockstep
