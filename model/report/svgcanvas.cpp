#include "model/report/svgcanvas.h"

#include "model/report/markup.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace lockstep {

namespace {

/// Coordinates to a hundredth of a pixel.
std::string number(double value) {
    std::string text = fmt::format("{:.2f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.'))
        text.pop_back();
    return text == "-0" ? "0" : text;
}

} // namespace

SvgCanvas::SvgCanvas(double width, double height, std::string_view title)
    : m_width(width)
    , m_height(height)
    , m_svg(fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{0}" height="{1}" )"
                        R"(viewBox="0 0 {0} {1}" font-family="DejaVu Sans, Helvetica, Arial, sans-serif">)"
                        "\n<title>{2}</title>\n",
                        number(width), number(height), escapedMarkup(title))) {
    rect(0, 0, width, height, "#FFFFFF");
}

void SvgCanvas::rect(double x, double y, double width, double height, std::string_view fill) {
    m_svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", number(x),
                         number(y), number(width), number(height), fill);
}

void SvgCanvas::hatchedRect(double x, double y, double width, double height, std::string_view colour) {
    m_svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" "
                         "fill-opacity=\"0.18\" stroke=\"{}\" stroke-width=\"0.5\"/>\n",
                         number(x), number(y), number(width), number(height), colour, colour);
    if (width < 2)
        return;
    constexpr double kGap = 5;
    std::string path;
    // Lines x + y = c, cut to the rectangle.
    for (double c = kGap; c < width + height; c += kGap) {
        const double fromX = std::min(c, width);
        const double toX = std::max(0.0, c - height);
        path += fmt::format("M{} {}L{} {}", number(x + fromX), number(y + c - fromX), number(x + toX),
                            number(y + c - toX));
    }
    if (!path.empty())
        m_svg +=
            fmt::format("<path d=\"{}\" stroke=\"{}\" stroke-width=\"0.8\" fill=\"none\"/>\n", path, colour);
}

void SvgCanvas::line(double x1, double y1, double x2, double y2, std::string_view colour, double width) {
    m_svg +=
        fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>\n",
                    number(x1), number(y1), number(x2), number(y2), colour, number(width));
}

void SvgCanvas::text(double x, double y, std::string_view text, const TextStyle& style) {
    const std::string_view anchor = style.anchor == TextStyle::Anchor::Start    ? "start"
                                    : style.anchor == TextStyle::Anchor::Middle ? "middle"
                                                                                : "end";
    m_svg +=
        fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n",
                    number(x), number(y), number(style.size), anchor, style.colour,
                    style.bold ? " font-weight=\"bold\"" : "", escapedMarkup(text));
}

std::string SvgCanvas::finish() && {
    m_svg += "</svg>\n";
    return std::move(m_svg);
}

double SvgCanvas::textWidth(std::string_view text, double size) {
    const auto characters = std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
    });
    return 0.62 * size * static_cast<double>(characters);
}

std::string SvgCanvas::fitted(std::string_view text, double size, double width) {
    if (textWidth(text, size) <= width)
        return std::string(text);
    std::string cut;
    for (const char c : text) {
        if ((static_cast<unsigned char>(c) & 0xC0u) != 0x80u && textWidth(cut, size) + 1.3 * size > width)
            break;
        cut += c;
    }
    return cut.empty() ? cut : cut + "…";
}

std::string textColourOn(std::string_view colour) {
    const auto channel = [&](std::size_t at) {
        int value = 0;
        if (at + 2 <= colour.size())
            std::from_chars(colour.data() + at, colour.data() + at + 2, value, 16);
        const double part = value / 255.0;
        return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    const double luminance = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
    return 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 ? "#FFFFFF" : "#000000";
}

} // namespace lockstep
