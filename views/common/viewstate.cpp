#include "views/common/viewstate.h"

#include <algorithm>
#include <utility>

namespace lockstep {

namespace {
constexpr std::size_t kHistory = 200; ///< moves that can be undone
} // namespace

ViewState::ViewState(QObject* parent)
    : QObject(parent)
    , m_shown(std::make_shared<ShownRun>()) {}

TimeRange ViewState::fullRange() const {
    const TimeRange span = m_shown->span;
    const TimeNs room = std::max<TimeNs>(span.length() / 100, 1'000);
    return {span.begin - room, span.end + room};
}

std::optional<TimeRange> ViewState::selectionRange() const {
    if (!m_selection.valid())
        return std::nullopt;
    const ShownRank& rank = m_shown->ranks[m_selection.rank];
    return rank.toRun(rank.trace->events.range(m_selection.event));
}

TimeRange ViewState::clamped(TimeRange range) const {
    const TimeRange full = fullRange();
    const TimeNs length = std::clamp(range.length(), std::min(kShortestRange, full.length()), full.length());
    // A range that had to change its length keeps its middle.
    const TimeNs begin = range.length() == length ? range.begin : range.begin + (range.length() - length) / 2;
    const TimeNs clampedBegin = std::clamp(begin, full.begin, full.end - length);
    return {clampedBegin, clampedBegin + length};
}

void ViewState::setShown(std::shared_ptr<const ShownRun> shown, bool keepRange) {
    if (shown == m_shown)
        return;
    const bool movedByHand = m_visible != fullRange();
    const TimeRange visible = m_visible;
    // The same events with more known about them: what was chosen stays chosen.
    const bool sameRun = shown->run && shown->run == m_shown->run;
    if (!sameRun) {
        forgetRun();
    } else if (shown->analysis != m_shown->analysis) {
        // Steps are numbered anew.
        setStep(std::nullopt);
        setStepSet({});
    }
    m_shown = std::move(shown);
    // Made for what was shown before: its ranks may be others, or stand elsewhere.
    setColouring(nullptr);
    if (!keepRange) {
        m_back.clear();
        m_forward.clear();
        m_gliding = false;
        Q_EMIT historyChanged();
    }
    Q_EMIT shownChanged();
    moveTo(keepRange && movedByHand && !visible.empty() ? clamped(visible) : fullRange());
}

void ViewState::forgetRun() {
    setHover({});
    setSelection({});
    setCurrentStall(std::nullopt);
    setCurrentHit(std::nullopt);
    setSearch(nullptr);
    setStep(std::nullopt);
    setStepSet({});
    setSelectedRange(std::nullopt);
    setFilters({});
    clearMarks();
    setCategories(nullptr);
}

void ViewState::moveTo(TimeRange range) {
    if (range == m_visible)
        return;
    m_visible = range;
    Q_EMIT visibleRangeChanged();
}

void ViewState::setVisibleRange(TimeRange range, Move move) {
    const TimeRange wanted = clamped(range);
    if (wanted == m_visible)
        return;
    if (move == Move::Jump || !m_gliding) {
        m_back.push_back(m_visible);
        if (m_back.size() > kHistory)
            m_back.erase(m_back.begin());
    }
    m_forward.clear();
    m_gliding = move == Move::Glide;
    moveTo(wanted);
    Q_EMIT historyChanged();
}

void ViewState::setSelectedRange(std::optional<TimeRange> range) {
    if (range && range->empty())
        range.reset();
    if (range == m_selectedRange)
        return;
    m_selectedRange = range;
    Q_EMIT selectedRangeChanged();
}

void ViewState::setSelection(EventRef event) {
    if (event == m_selection)
        return;
    m_selection = event;
    Q_EMIT selectionChanged();
}

void ViewState::setHover(EventRef event) {
    if (event == m_hover)
        return;
    m_hover = event;
    Q_EMIT hoverChanged();
}

void ViewState::goBack() {
    if (m_back.empty())
        return;
    m_forward.push_back(m_visible);
    const TimeRange range = m_back.back();
    m_back.pop_back();
    m_gliding = false;
    moveTo(clamped(range));
    Q_EMIT historyChanged();
}

void ViewState::goForward() {
    if (m_forward.empty())
        return;
    m_back.push_back(m_visible);
    const TimeRange range = m_forward.back();
    m_forward.pop_back();
    m_gliding = false;
    moveTo(clamped(range));
    Q_EMIT historyChanged();
}

void ViewState::fitAll() {
    setVisibleRange(fullRange());
}

void ViewState::fitSelection() {
    if (m_selectedRange) {
        setVisibleRange(*m_selectedRange);
    } else if (const std::optional<TimeRange> range = selectionRange()) {
        const TimeNs room = std::max<TimeNs>(range->length() / 4, kShortestRange);
        setVisibleRange({range->begin - room, range->end + room});
    } else {
        fitAll();
    }
}

void ViewState::clear() {
    setSelectedRange(std::nullopt);
    setSelection({});
    setCurrentStall(std::nullopt);
}

} // namespace lockstep
