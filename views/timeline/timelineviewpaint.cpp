// What a TimelineView paints around its lanes.
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/timeline/ticks.h"
#include "views/timeline/timelineview.h"

#include <QPainter>
#include <QScrollBar>
#include <algorithm>

namespace lockstep {

namespace {
constexpr int kTickDistance = 100; ///< pixels
constexpr int kPartedRow = 14;     ///< height from which a rank is parted from the next by a line
constexpr int kShadedWidth = 4;    ///< narrower steps in turn light and dark would flicker
} // namespace

void TimelineView::paintEvent(QPaintEvent*) {
    const Palette& colours = Palette::of(palette());
    QPainter painter(viewport());
    const QRect lanes = laneArea();
    painter.fillRect(lanes, colours.canvas);
    if (m_state.shown()->ranks.empty()) {
        painter.fillRect(QRect(0, 0, headerWidth(), viewport()->height()), colours.window);
        return;
    }
    painter.setClipRect(lanes);
    paintBackground(painter, colours);
    const std::vector<TrackRow>& rows = m_tracks.rows();
    const auto below = std::upper_bound(rows.begin(), rows.end(), scrolled(), [](int y, const TrackRow& row) {
        return y < row.top + row.height;
    });
    const auto past = std::lower_bound(below, rows.end(), scrolled() + viewport()->height(),
                                       [](const TrackRow& row, int y) {
                                           return row.top < y;
                                       });
    m_painter.prepare(m_tracks, colours, m_state.visibleRange(), lanes.width(),
                      static_cast<int>(below - rows.begin()), static_cast<int>(past - rows.begin()));
    m_painter.paint(painter, colours, QPoint(lanes.left(), -scrolled()));
    paintOverlays(painter, colours);
    painter.setClipping(false);
    m_header.paint(painter, colours, *m_state.shown(), m_tracks,
                   QRect(0, 0, headerWidth(), viewport()->height()), scrolled());
    painter.setPen(colours.line);
    for (const RankGroup& group : m_tracks.groups()) {
        if (group.height < kPartedRow) // lines between low rows would be all there is to see
            continue;
        const int y = group.top + group.height - 1 - scrolled();
        painter.drawLine(0, y, viewport()->width(), y);
    }
    painter.drawLine(headerWidth() - 1, 0, headerWidth() - 1, viewport()->height());
    paintDrop(painter, colours);
    if (m_framed) {
        painter.setPen(QPen(colours.accent, 2));
        painter.drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
    }
}

void TimelineView::paintBackground(QPainter& painter, const Palette& palette) const {
    const TimeScale time = scale();
    const QRect lanes = laneArea();
    const int bottom = std::min(lanes.height(), m_tracks.height() - scrolled());
    const std::vector<StepMark>& steps = m_state.shown()->steps;
    for (std::size_t i = 1; i < steps.size(); i += 2) {
        if (!steps[i].range.overlaps(time.range))
            continue;
        const int left = static_cast<int>(std::max(0.0, time.toPixel(steps[i].range.begin)));
        const int right = static_cast<int>(std::min<double>(lanes.width(), time.toPixel(steps[i].range.end)));
        if (right - left >= kShadedWidth)
            painter.fillRect(lanes.left() + left, 0, right - left, bottom, palette.shade);
    }
    QColor grid = palette.line;
    grid.setAlpha(110);
    for (const Tick& tick :
         ticksOf(time.range, m_state.shown()->span.begin, time.nsPerPixel() * kTickDistance))
        painter.fillRect(lanes.left() + static_cast<int>(time.toPixel(tick.at)), 0, 1, bottom, grid);
}

void TimelineView::paintStall(QPainter& painter, const Palette& palette) const {
    const ShownRun& shown = *m_state.shown();
    for (const EventRef event : {m_state.hover(), m_state.selection()}) {
        if (!event.valid())
            continue;
        if (const std::optional<std::uint32_t> collective =
                shown.ranks[event.rank].collectiveOf(event.event)) {
            m_stalls.paint(painter, palette, shown, m_tracks, scale(), laneArea(), scrolled(), *collective);
            return;
        }
    }
    if (m_state.currentStall() && shown.analysis)
        m_stalls.paint(painter, palette, shown, m_tracks, scale(), laneArea(), scrolled(),
                       *m_state.currentStall());
}

void TimelineView::paintMarks(QPainter& painter, const Palette& palette) const {
    const TimeScale time = scale();
    const QRect lanes = laneArea();
    for (const Mark& mark : m_state.marks())
        painter.fillRect(lanes.left() +
                             static_cast<int>(std::clamp(time.toPixel(mark.at), -2.0, time.width + 2)),
                         0, 1, lanes.height(), palette.accent);
    // What the time filter leaves out lies under a veil.
    if (const std::optional<TimeRange> kept = m_state.filters().range) {
        QColor veil = palette.canvas;
        veil.setAlpha(150);
        const int left = static_cast<int>(std::clamp(time.toPixel(kept->begin), 0.0, time.width));
        const int right = static_cast<int>(std::clamp(time.toPixel(kept->end), 0.0, time.width));
        painter.fillRect(lanes.left(), 0, left, lanes.height(), veil);
        painter.fillRect(lanes.left() + right, 0, lanes.width() - right, lanes.height(), veil);
    }
}

void TimelineView::paintDrop(QPainter& painter, const Palette& palette) const {
    if (m_drag != Drag::Rank)
        return;
    const std::size_t place = placeAt(m_last.y());
    const std::vector<RankGroup>& groups = m_tracks.groups();
    const int y = place < groups.size() ? groups[place].top : m_tracks.height();
    painter.fillRect(0, y - scrolled() - 1, viewport()->width(), 3, palette.accent);
}

void TimelineView::paintOverlays(QPainter& painter, const Palette& palette) const {
    paintStall(painter, palette);
    const QRect hovered = rectOf(m_state.hover());
    if (!hovered.isEmpty() && m_state.hover() != m_state.selection()) {
        painter.setPen(palette.text);
        painter.drawRect(hovered.adjusted(0, 0, -1, -1));
    }
    const QRect selected = rectOf(m_state.selection());
    if (!selected.isEmpty()) {
        painter.setPen(QPen(palette.text, 2));
        painter.drawRect(selected.adjusted(-1, -1, 1, 1));
    }
    paintMarks(painter, palette);
    paintSelectedRange(painter, palette);
}

void TimelineView::paintSelectedRange(QPainter& painter, const Palette& palette) const {
    const std::optional<TimeRange> range = m_state.selectedRange();
    if (!range || !range->overlaps(m_state.visibleRange()))
        return;
    const TimeScale time = scale();
    const QRect lanes = laneArea();
    const int left = lanes.left() + static_cast<int>(std::max(-2.0, time.toPixel(range->begin)));
    const int right =
        lanes.left() + static_cast<int>(std::min(lanes.width() + 2.0, time.toPixel(range->end)));
    painter.fillRect(left, 0, std::max(1, right - left), lanes.height(), palette.accentFill);
    painter.setPen(palette.accent);
    painter.drawLine(left, 0, left, lanes.height());
    painter.drawLine(right, 0, right, lanes.height());
    const QString text = durationText(range->length());
    const int width = painter.fontMetrics().horizontalAdvance(text) + 12;
    const int height = painter.fontMetrics().height() + 4;
    const int middle = std::clamp((left + right) / 2, lanes.left() + width / 2, lanes.right() - width / 2);
    const int y = std::max(0, std::min(m_tracks.height() - scrolled(), lanes.height()) - height - 4);
    const QRect label(middle - width / 2, y, width, height);
    painter.fillRect(label, palette.accent);
    painter.setPen(Palette::textOn(palette.accent));
    painter.drawText(label, Qt::AlignCenter, text);
}

} // namespace lockstep
