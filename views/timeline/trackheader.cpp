#include "views/timeline/trackheader.h"

#include "views/common/format.h"
#include "views/common/palette.h"

#include <QFontMetrics>
#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <cmath>

namespace lockstep {

namespace {

constexpr int kMargin = 8;
constexpr int kTriangle = 7; ///< side of a folding triangle, and the room it takes

/// A small triangle that points down where something is open, right where it is folded.
void paintTriangle(QPainter& painter, const QColor& colour, QPointF middle, bool open) {
    const double r = kTriangle / 2.0;
    QPolygonF triangle;
    if (open)
        triangle << middle + QPointF(-r, -r / 2) << middle + QPointF(r, -r / 2)
                 << middle + QPointF(0, r / 2 + 1);
    else
        triangle << middle + QPointF(-r / 2, -r) << middle + QPointF(r / 2 + 1, 0)
                 << middle + QPointF(-r / 2, r);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(triangle);
    painter.restore();
}

QString signedText(double ns) {
    const QString text = durationText(static_cast<TimeNs>(std::llround(std::abs(ns))));
    return (ns < 0 ? QStringLiteral("−") : QStringLiteral("+")) + text;
}

} // namespace

std::vector<HeaderLine> headerLines(const ShownRun& shown, std::size_t rank,
                                    const std::vector<RankStalls>& chosen) {
    std::vector<HeaderLine> lines;
    QString device = traceText(shown.ranks[rank].device);
    if (device.startsWith(QLatin1String("NVIDIA ")))
        device.remove(0, 7);
    if (!device.isEmpty())
        lines.push_back({device, false});
    if (!shown.analysis)
        return lines;
    const RunAnalysis& analysis = *shown.analysis;
    if (rank < analysis.alignment.ranks.size() && analysis.alignment.method != AlignmentMethod::None)
        lines.push_back(
            {rank == analysis.alignment.reference
                 ? QStringLiteral("reference clock")
                 : QStringLiteral("offset ") + signedText(analysis.alignment.ranks[rank].offsetNs),
             false});
    const std::vector<RankStalls>& stalls =
        chosen.size() == analysis.stalls.ranks.size() ? chosen : analysis.stalls.ranks;
    if (rank >= stalls.size() || analysis.collectives.matched.empty())
        return lines;
    const auto most =
        std::max_element(stalls.begin(), stalls.end(), [](const RankStalls& a, const RankStalls& b) {
            return a.causedNs < b.causedNs;
        });
    lines.push_back({QStringLiteral("waited ") + durationText(stalls[rank].waitedNs), false});
    lines.push_back({QStringLiteral("caused ") + durationText(stalls[rank].causedNs),
                     stalls[rank].causedNs > 0 && &*most == &stalls[rank]});
    return lines;
}

void TrackHeader::setFont(const QFont& font) {
    m_title = font;
    m_title.setBold(true);
    m_small = font;
    m_small.setPointSizeF(font.pointSizeF() * 0.85);
    const QFontMetrics small(m_small);
    m_lineHeight = small.height();
    m_titleHeight = QFontMetrics(m_title).height() + 1;
    QFont late = m_small;
    late.setBold(true);
    m_nameWidth =
        QFontMetrics(late).horizontalAdvance(QStringLiteral("waited 000.0 ms ")) + 2 * kMargin + kTriangle;
    m_labelWidth = small.horizontalAdvance(QStringLiteral("thread 00000000")) + kMargin;
}

RowMetrics TrackHeader::rowMetrics(std::size_t lines) const {
    RowMetrics metrics;
    metrics.lane = m_lineHeight + 7;
    metrics.thinLane = m_lineHeight + 3;
    metrics.fold = m_lineHeight + 2;
    metrics.header = m_titleHeight + static_cast<int>(lines) * m_lineHeight;
    return metrics;
}

void TrackHeader::paint(QPainter& painter, const Palette& palette, const ShownRun& shown,
                        const TrackList& tracks, QRect area, int scrolled) const {
    painter.fillRect(area, palette.window);
    for (const TrackRow& row : tracks.rows()) {
        const QRect rect(area.left(), area.top() + row.top - scrolled, area.width(), row.height);
        if (rect.bottom() >= area.top() && rect.top() <= area.bottom())
            paintRow(painter, palette, row, rect);
    }
    for (const RankGroup& group : tracks.groups()) {
        const QRect rect(area.left(), area.top() + group.top - scrolled, area.width(), group.height);
        if (rect.bottom() >= area.top() && rect.top() <= area.bottom())
            paintGroup(painter, palette, shown, group, rect);
    }
}

void TrackHeader::paintGroup(QPainter& painter, const Palette& palette, const ShownRun& shown,
                             const RankGroup& group, QRect area) const {
    const ShownRank& rank = shown.ranks[group.rank];
    const int padding = RowMetrics{}.padding;
    const int left = area.left() + kMargin + kTriangle + 4;
    const int width = area.left() + m_nameWidth - left;
    int y = group.folded ? area.top() + (area.height() - m_titleHeight) / 2 : area.top() + padding;
    // Of rows lower than a line only every so many are named.
    const int every = (m_lineHeight + area.height() - 1) / std::max(area.height(), 1);
    if (group.folded && every > 1 && group.rank % static_cast<std::size_t>(every) != 0)
        return;
    paintTriangle(painter, palette.mutedText,
                  QPointF(area.left() + kMargin + kTriangle / 2.0, y + m_titleHeight / 2.0), !group.folded);
    // A low row takes small letters.
    painter.setFont(area.height() < m_titleHeight ? m_small : m_title);
    painter.setPen(palette.text);
    const QString title =
        rank.trace->rank >= 0 ? QStringLiteral("rank %1").arg(rank.trace->rank) : QStringLiteral("trace");
    painter.drawText(QRect(left, y, width, m_titleHeight), Qt::AlignVCenter | Qt::TextSingleLine, title);
    if (group.folded)
        return;
    y += m_titleHeight;
    for (const HeaderLine& line : headerLines(shown, group.rank, m_stalls)) {
        QFont font = m_small;
        font.setBold(line.late);
        painter.setFont(font);
        painter.setPen(line.late ? palette.of(ColourRole::Lateness) : palette.mutedText);
        painter.drawText(QRect(left, y, width, m_lineHeight), Qt::AlignVCenter | Qt::TextSingleLine,
                         QFontMetrics(font).elidedText(line.text, Qt::ElideRight, width));
        y += m_lineHeight;
    }
}

void TrackHeader::paintRow(QPainter& painter, const Palette& palette, const TrackRow& row, QRect area) const {
    if (row.label.isEmpty())
        return;
    painter.setFont(m_small);
    painter.setPen(palette.mutedText);
    const int right = area.right() - kMargin;
    int room = m_labelWidth - kMargin;
    if (row.kind == TrackRow::Kind::Fold)
        room -= kTriangle + 3;
    const QString label = QFontMetrics(m_small).elidedText(row.label, Qt::ElideRight, room);
    const int width = QFontMetrics(m_small).horizontalAdvance(label);
    painter.drawText(QRect(right - width, area.top(), width + 1, area.height() - 2),
                     Qt::AlignVCenter | Qt::TextSingleLine, label);
    if (row.kind == TrackRow::Kind::Fold)
        paintTriangle(painter, palette.mutedText, QPointF(right - width - kTriangle, area.center().y()),
                      row.open);
}

} // namespace lockstep
