// What the mouse does over the lanes and their names.
#include "views/timeline/hovercard.h"
#include "views/timeline/hovertext.h"
#include "views/timeline/timelineview.h"

#include "views/common/format.h"

#include <QApplication>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace lockstep {

namespace {
constexpr double kWheelFactor = 0.80; ///< zoom of one notch
constexpr double kNotch = 120.0;      ///< eighths of a degree
} // namespace

void TimelineView::wheelEvent(QWheelEvent* event) {
    const QPoint angle = event->angleDelta();
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        const double pixel = std::clamp(event->position().x() - headerWidth(), 0.0, laneArea().width() * 1.0);
        m_state.setVisibleRange(scale().zoomed(std::pow(kWheelFactor, angle.y() / kNotch), pixel),
                                ViewState::Move::Glide);
    } else {
        // Sideways, or with Shift, or where all rows are in view already: the wheel moves through time.
        const bool sideways =
            event->modifiers().testFlag(Qt::ShiftModifier) || verticalScrollBar()->maximum() == 0;
        const int along = angle.x() + (sideways ? angle.y() : 0);
        if (along != 0)
            m_state.setVisibleRange(scale().panned(-along / kNotch * laneArea().width() * 0.08),
                                    ViewState::Move::Glide);
        if (!sideways && angle.y() != 0)
            verticalScrollBar()->setValue(scrolled() - angle.y() / 2);
    }
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    m_pressed = m_last = event->position().toPoint();
    m_card->hide();
    if (!overLanes(m_pressed)) {
        if (event->button() == Qt::LeftButton)
            m_drag = Drag::Header;
        return;
    }
    m_pressedAt = scale().toTime(m_pressed.x() - headerWidth());
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && shift)) {
        m_drag = Drag::Pan;
        viewport()->setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton) {
        m_drag = Drag::Press;
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    const QPoint position = event->position().toPoint();
    if (m_drag == Drag::Press &&
        (position - m_pressed).manhattanLength() >= QApplication::startDragDistance())
        m_drag = Drag::Range;
    if (m_drag == Drag::Header &&
        std::abs(position.y() - m_pressed.y()) >= QApplication::startDragDistance()) {
        const int group = m_tracks.groupAt(m_pressed.y() + scrolled());
        m_draggedRank =
            group < 0
                ? -1
                : m_state.shown()->ranks[m_tracks.groups()[static_cast<std::size_t>(group)].rank].trace->rank;
        m_drag = group < 0 ? Drag::None : Drag::Rank;
    }
    if (m_drag == Drag::Rank)
        viewport()->update();
    if (m_drag == Drag::Pan) {
        m_state.setVisibleRange(scale().panned(m_last.x() - position.x()), ViewState::Move::Glide);
        verticalScrollBar()->setValue(scrolled() + m_last.y() - position.y());
    } else if (m_drag == Drag::Range) {
        const TimeNs at = scale().toTime(position.x() - headerWidth());
        m_state.setSelectedRange(TimeRange{std::min(at, m_pressedAt), std::max(at, m_pressedAt)});
    } else if (m_drag == Drag::None) {
        hoverAt(position);
    }
    m_last = position;
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    if (m_drag == Drag::Press && event->button() == Qt::LeftButton) {
        m_state.setSelectedRange(std::nullopt);
        const int row = m_tracks.rowAt(m_pressed.y() + scrolled());
        // What a reference row shows lies elsewhere: the view stays with the step that it is compared with.
        m_reveals = row < 0 || !m_tracks.rows()[static_cast<std::size_t>(row)].reference;
        m_state.setSelection(eventAt(m_pressed));
        m_reveals = true;
    }
    if (m_drag == Drag::Header && event->button() == Qt::LeftButton)
        clickHeader(m_pressed);
    if (m_drag == Drag::Rank)
        dropRank(event->position().toPoint().y());
    m_drag = Drag::None;
    m_draggedRank = -1;
    viewport()->update();
    viewport()->unsetCursor();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
    const EventRef hit = eventAt(event->position().toPoint());
    if (event->button() != Qt::LeftButton || !hit.valid())
        return;
    m_state.setSelection(hit);
    m_state.fitSelection();
}

void TimelineView::hoverAt(QPoint position) {
    const EventRef hit = eventAt(position);
    m_state.setHover(hit);
    const int group = m_tracks.groupAt(position.y() + scrolled());
    if (hit.valid()) {
        const EventText text = hoverText(*m_state.shown(), hit);
        m_card->showAt(position, text.title, text.lines);
    } else if (!overLanes(position) && group >= 0) {
        const ShownRank& rank =
            m_state.shown()->ranks[m_tracks.groups()[static_cast<std::size_t>(group)].rank];
        m_card->showAt(position, QStringLiteral("rank %1").arg(rank.trace->rank),
                       {traceText(rank.device), traceText(rank.trace->report.file)});
    } else {
        m_card->hide();
    }
}

void TimelineView::clickHeader(QPoint position) {
    const int y = position.y() + scrolled();
    const int index = m_tracks.rowAt(y);
    const int groupIndex = m_tracks.groupAt(y);
    if (groupIndex < 0)
        return;
    const RankGroup group = m_tracks.groups()[static_cast<std::size_t>(groupIndex)];
    const int rank = m_state.shown()->ranks[group.rank].trace->rank;
    const bool onTitle = group.folded || y < group.top + m_header.rowMetrics(0).header + RowMetrics{}.padding;
    const TrackRow* row = index >= 0 ? &m_tracks.rows()[static_cast<std::size_t>(index)] : nullptr;
    if (row && row->kind == TrackRow::Kind::Fold)
        setSectionOpen(rank, row->section, !row->open);
    else if (onTitle)
        setRankFolded(rank, !group.folded);
}

} // namespace lockstep
