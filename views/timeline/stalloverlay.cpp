#include "views/timeline/stalloverlay.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/timeline/stallparts.h"

#include <QFontMetrics>
#include <QPainter>
#include <algorithm>

namespace lockstep {

void StallOverlay::setFont(const QFont& font) {
    m_font = font;
    m_font.setBold(true);
}

void StallOverlay::paint(QPainter& painter, const Palette& palette, const ShownRun& shown,
                         const TrackList& tracks, const TimeScale& scale, QRect lanes, int scrolled,
                         std::uint32_t collective) const {
    const RunAnalysis& analysis = *shown.analysis;
    const Stall& stall = analysis.stalls.stalls[collective];
    const double at = scale.toPixel(lastArrivalOf(shown, collective));
    if (at < -1)
        return;
    // Where the last arrival lies beyond the picture, the waits are told at its edge.
    const bool beyond = at > scale.width;
    const int x = beyond ? lanes.right() : lanes.left() + static_cast<int>(at);
    painter.setPen(QPen(palette.of(ColourRole::Lateness), 2, Qt::DashLine));
    if (!beyond)
        painter.drawLine(x, 0, x, std::min(lanes.height(), tracks.height() - scrolled));
    for (std::size_t r = 0; r < shown.ranks.size(); ++r) {
        const CollectiveCall* call = analysis.collectives.callOf(collective, r);
        if (!call)
            continue;
        const int index = tracks.rowOf(r, shown.ranks[r].trace->events.lane(call->event));
        if (index < 0)
            continue;
        const TrackRow& row = tracks.rows()[static_cast<std::size_t>(index)];
        const bool late = r == stall.straggler;
        const RankWait& own = analysis.stalls.waitOf(collective, r);
        const TimeNs wait = own.waitNs;
        const double arrived = scale.toPixel(own.arrivalNs);
        if (beyond && (late || arrived > scale.width))
            continue;
        const int hatch = x - lanes.left() - static_cast<int>(std::max(arrived, 0.0));
        const QString text =
            late ? QStringLiteral("last, +%1").arg(durationText(stall.skewNs)) : durationText(wait);
        paintWait(painter, palette, text, late, x, hatch,
                  QRect(lanes.left(), row.top - scrolled, lanes.width(), row.height - 2));
    }
}

void StallOverlay::paintWait(QPainter& painter, const Palette& palette, const QString& text, bool late,
                             int right, int hatch, QRect row) const {
    const QFontMetrics metrics(m_font);
    if (row.height() < metrics.ascent()) // rows this low have no room for words
        return;
    const int width = metrics.horizontalAdvance(text) + 8;
    // Over the hatching where that is wide enough, else before it: the wait itself must be seen.
    const int end = late || hatch >= width + 6 ? right : right - hatch;
    QRect box(end - width - 3, row.top() + 1, width, row.height() - 2);
    if (box.left() < row.left())
        box.moveLeft(right + 4);
    QColor ground = late ? palette.of(ColourRole::Lateness) : palette.canvas;
    ground.setAlpha(late || hatch < width + 6 ? 255 : 215);
    painter.fillRect(box, ground);
    painter.setFont(m_font);
    painter.setPen(late ? Palette::textOn(palette.of(ColourRole::Lateness))
                        : palette.of(ColourRole::Lateness));
    painter.drawText(box, Qt::AlignCenter | Qt::TextSingleLine, text);
}

} // namespace lockstep
