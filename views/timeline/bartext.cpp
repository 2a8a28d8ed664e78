#include "views/timeline/bartext.h"

#include <QPainter>
#include <QPointF>
#include <QVector>

namespace lockstep {

namespace {

constexpr std::size_t kLeastCharacters = 2; ///< fewer say nothing

/// Bytes past ASCII are rare in kernel names (the profiler writes "unknown" instead); they show as '?'.
std::size_t placeOf(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 32 || byte > 126 ? static_cast<std::size_t>('?') : byte;
}

} // namespace

BarText::BarText(const QFont& font)
    : m_font(QRawFont::fromFont(font)) {
    QString characters;
    for (char16_t c = 32; c < 127; ++c)
        characters += QChar(c);
    characters += QChar(0x2026);
    const QVector<quint32> glyphs = m_font.glyphIndexesForString(characters);
    const QVector<QPointF> advances = m_font.advancesForGlyphIndexes(glyphs);
    for (qsizetype i = 0; i < glyphs.size() && i < advances.size(); ++i) {
        if (i == 95) {
            m_ellipsis = glyphs[i];
            m_ellipsisAdvance = advances[i].x();
        } else {
            m_glyphs[static_cast<std::size_t>(i) + 32] = glyphs[i];
            m_advances[static_cast<std::size_t>(i) + 32] = advances[i].x();
        }
    }
}

std::size_t BarText::fitting(std::string_view text, double width) const {
    double used = 0;
    std::size_t withEllipsis = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        used += m_advances[placeOf(text[i])];
        if (used > width)
            return withEllipsis;
        if (used + m_ellipsisAdvance <= width)
            withEllipsis = i + 1;
    }
    return text.size();
}

double BarText::width(std::string_view text) const {
    double used = 0;
    for (const char c : text)
        used += m_advances[placeOf(c)];
    return used;
}

void BarText::draw(QPainter& painter, std::string_view text, double left, double baseline,
                   double width) const {
    const std::size_t count = fitting(text, width);
    if (count < std::min(kLeastCharacters, text.size()) || count == 0)
        return;
    QVector<quint32> glyphs;
    QVector<QPointF> positions;
    glyphs.reserve(static_cast<qsizetype>(count) + 1);
    positions.reserve(static_cast<qsizetype>(count) + 1);
    double x = 0;
    for (std::size_t i = 0; i < count; ++i) {
        glyphs.append(m_glyphs[placeOf(text[i])]);
        positions.append(QPointF(x, 0));
        x += m_advances[placeOf(text[i])];
    }
    if (count < text.size()) {
        glyphs.append(m_ellipsis);
        positions.append(QPointF(x, 0));
    }
    QGlyphRun run;
    run.setRawFont(m_font);
    run.setGlyphIndexes(glyphs);
    run.setPositions(positions);
    painter.drawGlyphRun(QPointF(left, baseline), run);
}

} // namespace lockstep
