#include "views/timeline/timelineview.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/timeline/hovercard.h"
#include "views/timeline/hovertext.h"
#include "views/timeline/navigation.h"
#include "views/timeline/ticks.h"

#include <QApplication>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace lockstep {

namespace {
constexpr int kSlop = 3;              ///< how far from a bar a click still means it
constexpr double kWheelFactor = 0.80; ///< zoom of one notch
constexpr int kTickDistance = 100;    ///< pixels
constexpr double kNotch = 120.0;      ///< eighths of a degree
} // namespace

TimelineView::TimelineView(ViewState& state, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_state(state)
    , m_card(new HoverCard(viewport())) {
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline"));
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    applyFont();
    connect(&m_state, &ViewState::shownChanged, this, &TimelineView::showRun);
    const auto repaint = [this] {
        viewport()->update();
    };
    connect(&m_state, &ViewState::visibleRangeChanged, this, [this] {
        m_card->hide();
        viewport()->update();
    });
    connect(&m_state, &ViewState::selectedRangeChanged, this, repaint);
    connect(&m_state, &ViewState::hoverChanged, this, repaint);
    connect(&m_state, &ViewState::selectionChanged, this, [this] {
        revealSelection();
        viewport()->update();
    });
    showRun();
}

void TimelineView::applyFont() {
    m_header.setFont(font());
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.85);
    m_painter.setFont(small);
    m_stalls.setFont(small);
}

void TimelineView::showRun() {
    const std::shared_ptr<const ShownRun>& shown = m_state.shown();
    m_painter.setShown(shown);
    std::size_t lines = 0;
    for (std::size_t rank = 0; rank < shown->ranks.size(); ++rank)
        lines = std::max(lines, headerLines(*shown, rank).size());
    m_tracks.setMetrics(m_header.rowMetrics(lines));
    m_tracks.setShown(shown);
    m_card->hide();
    updateScrollBar();
    viewport()->update();
}

void TimelineView::setRoles(RoleOf roles) {
    m_painter.setRoles(std::move(roles));
    viewport()->update();
}

QRect TimelineView::laneArea() const {
    return QRect(headerWidth(), 0, std::max(1, viewport()->width() - headerWidth()), viewport()->height());
}

TimeScale TimelineView::scale() const {
    const TimeRange range = m_state.visibleRange();
    return {range.empty() ? TimeRange{0, 1'000} : range, static_cast<double>(laneArea().width())};
}

int TimelineView::scrolled() const {
    return verticalScrollBar()->value();
}

bool TimelineView::overLanes(QPoint position) const {
    return laneArea().contains(position);
}

void TimelineView::updateScrollBar() {
    const int page = viewport()->height();
    verticalScrollBar()->setPageStep(page);
    verticalScrollBar()->setSingleStep(m_header.rowMetrics(0).lane);
    verticalScrollBar()->setRange(0, std::max(0, m_tracks.height() - page));
}

EventRef TimelineView::eventAt(QPoint position) const {
    if (!overLanes(position))
        return {};
    const int row = m_tracks.rowAt(position.y() + scrolled());
    return row < 0 ? EventRef{} : m_painter.eventAt(row, position.x() - headerWidth(), kSlop);
}

QRect TimelineView::rectOf(EventRef event) const {
    const QRect rect = m_painter.rectOf(m_tracks, event);
    return rect.isEmpty() ? QRect() : rect.translated(headerWidth(), -scrolled());
}

void TimelineView::zoom(double factor) {
    const QPoint pointer = viewport()->mapFromGlobal(QCursor::pos());
    const bool atPointer = viewport()->underMouse() && overLanes(pointer);
    const double pixel = atPointer ? pointer.x() - headerWidth() : laneArea().width() / 2.0;
    m_state.setVisibleRange(scale().zoomed(factor, pixel), ViewState::Move::Glide);
}

void TimelineView::pan(double part) {
    m_state.setVisibleRange(scale().panned(part * laneArea().width()), ViewState::Move::Glide);
}

void TimelineView::selectNeighbour(int direction) {
    const EventRef selected = m_state.selection();
    m_state.setSelection(selected.valid() ? neighbourOf(*m_state.shown(), selected, direction)
                                          : firstEventIn(*m_state.shown(), m_state.visibleRange()));
}

void TimelineView::setRankFolded(int rank, bool folded) {
    m_tracks.setRankFolded(rank, folded);
    updateScrollBar();
    viewport()->update();
}

void TimelineView::setAllRanksFolded(bool folded) {
    m_tracks.setAllRanksFolded(folded);
    updateScrollBar();
    viewport()->update();
}

void TimelineView::setSectionOpen(int rank, TrackSection section, bool open) {
    m_tracks.setSectionOpen(rank, section, open);
    updateScrollBar();
    viewport()->update();
}

void TimelineView::revealSelection() {
    const EventRef selected = m_state.selection();
    const std::optional<TimeRange> range = m_state.selectionRange();
    if (!range)
        return;
    m_state.setVisibleRange(revealed(m_state.visibleRange(), *range), ViewState::Move::Glide);
    const RankTrace& trace = *m_state.shown()->ranks[selected.rank].trace;
    const int index = m_tracks.rowOf(selected.rank, trace.events.lane(selected.event));
    if (index < 0)
        return;
    const TrackRow& row = m_tracks.rows()[static_cast<std::size_t>(index)];
    const int page = viewport()->height();
    if (row.top < scrolled())
        verticalScrollBar()->setValue(row.top - row.height);
    else if (row.top + row.height > scrolled() + page)
        verticalScrollBar()->setValue(row.top + 2 * row.height - page);
}

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
    m_painter.prepare(m_tracks, m_state.visibleRange(), lanes.width(), static_cast<int>(below - rows.begin()),
                      static_cast<int>(past - rows.begin()));
    m_painter.paint(painter, colours, QPoint(lanes.left(), -scrolled()));
    paintOverlays(painter, colours);
    painter.setClipping(false);
    m_header.paint(painter, colours, *m_state.shown(), m_tracks,
                   QRect(0, 0, headerWidth(), viewport()->height()), scrolled());
    painter.setPen(colours.line);
    for (const RankGroup& group : m_tracks.groups()) {
        const int y = group.top + group.height - 1 - scrolled();
        painter.drawLine(0, y, viewport()->width(), y);
    }
    painter.drawLine(headerWidth() - 1, 0, headerWidth() - 1, viewport()->height());
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

void TimelineView::resizeEvent(QResizeEvent*) {
    updateScrollBar();
}

void TimelineView::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_card) {
        applyFont();
        showRun();
    }
}

bool TimelineView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave) {
        m_card->hide();
        m_state.setHover({});
    }
    return QAbstractScrollArea::viewportEvent(event);
}

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
            clickHeader(m_pressed);
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
        m_state.setSelection(eventAt(m_pressed));
    }
    m_drag = Drag::None;
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
