#include "views/timeline/timelineview.h"

#include "model/analysis/stallsummary.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/stepmarks.h"
#include "views/timeline/hovercard.h"
#include "views/timeline/navigation.h"

#include <QFocusEvent>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

namespace lockstep {

namespace {
constexpr int kSlop = 3;         ///< how far from a bar a click still means it
constexpr int kLeastRow = 8;     ///< pixels of a rank where each has one row
constexpr int kHighestLane = 28; ///< tenths of its usual height
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
    connectState();
    showRun();
}

void TimelineView::connectState() {
    connect(&m_state, &ViewState::shownChanged, this, &TimelineView::showRun);
    const auto repaint = [this] {
        viewport()->update();
    };
    for (const auto signal : {&ViewState::selectedRangeChanged, &ViewState::hoverChanged,
                              &ViewState::currentStallChanged, &ViewState::marksChanged})
        connect(&m_state, signal, this, repaint);
    connect(&m_state, &ViewState::visibleRangeChanged, this, [this] {
        m_card->hide();
        viewport()->update();
    });
    connect(&m_state, &ViewState::colouringChanged, this, [this] {
        m_painter.setColouring(m_state.colouring());
        viewport()->update();
    });
    connect(&m_state, &ViewState::searchChanged, this, [this] {
        m_painter.setSearch(m_state.search());
        viewport()->update();
    });
    connect(&m_state, &ViewState::stepChanged, this, &TimelineView::sumStalls);
    connect(&m_state, &ViewState::filtersChanged, this, [this] {
        sumStalls();
        m_tracks.setRanksLeft(m_state.filters().ranks);
        relayTracks();
    });
    for (const auto signal : {&ViewState::stepChanged, &ViewState::medianBesideChanged})
        connect(&m_state, signal, this, [this] {
            const unsigned before = m_tracks.version();
            showReference();
            if (m_tracks.version() != before)
                relayTracks();
        });
    connect(&m_state, &ViewState::selectionChanged, this, [this] {
        revealSelection();
        viewport()->update();
    });
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
    m_painter.setColouring(m_state.colouring());
    m_painter.setSearch(m_state.search());
    m_followed.clear();
    m_lines = 0;
    for (std::size_t rank = 0; rank < shown->ranks.size(); ++rank)
        m_lines = std::max(m_lines, headerLines(*shown, rank).size());
    m_tracks.setShown(shown);
    m_tracks.setRanksLeft(m_state.filters().ranks);
    showReference();
    sumStalls();
    m_card->hide();
    applyMetrics();
    relayTracks();
}

void TimelineView::showReference() {
    const std::vector<StepMark>& steps = m_state.shown()->steps;
    const std::optional<std::size_t> step = m_state.step();
    const std::optional<std::size_t> median =
        m_state.medianBeside() && step ? medianStep(*m_state.shown()) : std::nullopt;
    std::optional<ReferenceStep> reference;
    if (median && *median != *step)
        reference = {rangesOfStep(*m_state.shown(), *median),
                     steps[*median].range.begin - steps[*step].range.begin,
                     tr("median step %1").arg(*median)};
    m_tracks.setReference(std::move(reference));
}

/// The headers speak of what the panels speak of: the chosen steps, else the whole capture.
void TimelineView::sumStalls() {
    const std::shared_ptr<const RunAnalysis>& analysis = m_state.shown()->analysis;
    const Filters& filters = m_state.filters();
    const bool narrowed = m_state.step() || !m_state.stepSet().empty() || filters.range || filters.decodeOnly;
    std::vector<RankStalls> stalls;
    if (analysis && narrowed) {
        BreakdownSelection selection;
        selection.steps = m_state.chosenSteps();
        stalls = selection.steps.empty() ? std::vector<RankStalls>(analysis->stalls.ranks.size())
                                         : summariseStalls(*analysis, selection).ranks;
    }
    m_header.setStalls(std::move(stalls));
    viewport()->update();
}

void TimelineView::applyMetrics() {
    RowMetrics metrics = m_header.rowMetrics(m_lines);
    const auto groups = static_cast<int>(m_tracks.groups().size());
    if (m_tracks.allFolded() && groups > 0) {
        // One row each: as high as lets all ranks be seen at once, within what can be read.
        const int most = 2 * metrics.lane + 2 * metrics.padding;
        const int each = std::clamp(viewport()->height() / groups, kLeastRow, most);
        metrics.summaryPadding = each >= metrics.lane + 2 * metrics.padding ? metrics.padding
                                 : each > 12                                ? 1
                                                                            : 0;
        metrics.summary = each - 2 * metrics.summaryPadding;
        m_tracks.setMetrics(metrics);
        return;
    }
    metrics.summary = metrics.lane;
    m_tracks.setMetrics(metrics);
    // Few lanes are drawn higher, many lower, so that all are seen where that is possible.
    const auto lanes = static_cast<int>(
        std::count_if(m_tracks.rows().begin(), m_tracks.rows().end(), [](const TrackRow& row) {
            return row.kind == TrackRow::Kind::Lane && row.section == TrackSection::Gpu;
        }));
    const int spare = viewport()->height() - m_tracks.height();
    if (lanes == 0 || spare == 0)
        return;
    const int wanted = metrics.lane + static_cast<int>(std::floor(spare / static_cast<double>(lanes)));
    // Lower than the rank's own lines they would gain nothing.
    const int least = std::max(metrics.thinLane, (metrics.header - metrics.fold) * groups / lanes);
    metrics.lane = std::clamp(wanted, std::min(least, metrics.lane), kHighestLane * metrics.lane / 10);
    m_tracks.setMetrics(metrics);
}

void TimelineView::relayTracks() {
    applyMetrics();
    updateScrollBar();
    viewport()->update();
    Q_EMIT tracksChanged();
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
    relayTracks();
}

void TimelineView::setAllRanksFolded(bool folded) {
    m_tracks.setAllRanksFolded(folded);
    relayTracks();
}

void TimelineView::setSectionOpen(int rank, TrackSection section, bool open) {
    m_tracks.setSectionOpen(rank, section, open);
    relayTracks();
}

void TimelineView::setCpuLanesOpen(bool open) {
    for (const ShownRank& rank : m_state.shown()->ranks)
        m_tracks.setSectionOpen(rank.trace->rank, TrackSection::CpuThreads, open);
    relayTracks();
}

void TimelineView::setArrangement(const TrackArrangement& arrangement) {
    m_tracks.setArrangement(arrangement);
    relayTracks();
}

void TimelineView::resetTracks() {
    m_tracks.reset();
    relayTracks();
}

void TimelineView::followLaunch(int direction) {
    const EventRef here = m_state.selection();
    // Of a graph's many kernels the way back leads to the one that the way there began at.
    if (!m_followed.empty() && m_followed.back().second != here)
        m_followed.clear();
    if (direction > 0 && !m_followed.empty()) {
        const EventRef back = m_followed.back().first;
        m_followed.pop_back();
        m_state.setSelection(back);
        return;
    }
    const EventRef next =
        direction < 0 ? causeOfEvent(*m_state.shown(), here) : effectOfEvent(*m_state.shown(), here);
    if (!next.valid())
        return;
    if (direction < 0)
        m_followed.emplace_back(here, next);
    m_state.setSelection(next);
}

bool TimelineView::showNeighbourStall(int direction) {
    const auto stall = neighbourStall(*m_state.shown(), m_state.filters(), m_state.categories().get(),
                                      m_state.currentStall(), direction);
    if (!stall)
        return false;
    m_state.showStall(*stall);
    // One who is in a step goes on in that of the stall: what stands around must be about what is shown.
    const std::uint32_t step = m_state.shown()->analysis->collectives.matched[*stall].step;
    if (m_state.step() && step < m_state.shown()->steps.size())
        m_state.setStep(step);
    return true;
}

void TimelineView::toggleMark() {
    const TimeRange visible = m_state.visibleRange();
    const QPoint pointer = viewport()->mapFromGlobal(QCursor::pos());
    const std::optional<TimeRange> selected = m_state.selectionRange();
    TimeNs at = visible.begin + visible.length() / 2;
    if (viewport()->underMouse() && overLanes(pointer))
        at = scale().toTime(pointer.x() - headerWidth());
    else if (selected)
        at = selected->begin;
    m_state.toggleMark(at);
}

void TimelineView::openFor(EventRef event) {
    const RankTrace& trace = *m_state.shown()->ranks[event.rank].trace;
    const Track& track = trace.trackOf(event.event);
    if (m_tracks.rowOf(event.rank, trace.events.lane(event.event)) >= 0)
        return;
    m_tracks.setRankHidden(trace.rank, false);
    m_tracks.setTrackHidden(traceText(track.label()), false);
    const TrackSection section = sectionOf(track.kind);
    if (section != TrackSection::Gpu) {
        m_tracks.setRankFolded(trace.rank, false);
        m_tracks.setSectionOpen(trace.rank, section, true);
    }
    relayTracks();
}

void TimelineView::revealSelection() {
    const EventRef selected = m_state.selection();
    const std::optional<TimeRange> range = m_state.selectionRange();
    if (!range || !m_reveals)
        return;
    m_state.setVisibleRange(revealed(m_state.visibleRange(), *range), ViewState::Move::Glide);
    openFor(selected);
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

void TimelineView::resizeEvent(QResizeEvent*) {
    applyMetrics();
    updateScrollBar();
}

void TimelineView::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_card) {
        applyFont();
        showRun();
    }
}

void TimelineView::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    m_framed = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    viewport()->update();
}

void TimelineView::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    m_framed = false;
    viewport()->update();
}

bool TimelineView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave) {
        m_card->hide();
        m_state.setHover({});
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace lockstep
