#pragma once

#include <QFont>
#include <QGlyphRun>
#include <QRawFont>
#include <array>
#include <string_view>

class QPainter;

namespace lockstep {

/// Writes names into bars: cut to the width with an ellipsis, without shaping each anew, which is what makes
/// a thousand of them affordable in a frame.
class BarText {
public:
    BarText() = default;
    explicit BarText(const QFont& font);

    /// Draws what fits of `text` into `width` pixels from `left`, on `baseline`; nothing where that is too
    /// little to read.
    void draw(QPainter& painter, std::string_view text, double left, double baseline, double width) const;
    /// How many bytes of `text` fit into `width` pixels, the ellipsis counted where not all do.
    [[nodiscard]] std::size_t fitting(std::string_view text, double width) const;
    /// Pixels that `text` takes, uncut.
    [[nodiscard]] double width(std::string_view text) const;
    [[nodiscard]] double ascent() const { return m_font.ascent(); }
    [[nodiscard]] double descent() const { return m_font.descent(); }

private:
    QRawFont m_font;
    std::array<quint32, 128> m_glyphs{};
    std::array<double, 128> m_advances{};
    quint32 m_ellipsis = 0;
    double m_ellipsisAdvance = 0;
};

} // namespace lockstep
