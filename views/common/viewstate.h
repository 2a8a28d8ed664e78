#pragma once

#include "views/common/shownrun.h"

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

namespace lockstep {

/// An event of one rank of the shown run.
struct EventRef {
    std::size_t rank = 0; ///< index into ShownRun::ranks
    EventId event;

    [[nodiscard]] bool valid() const { return event.valid(); }
    friend bool operator==(const EventRef&, const EventRef&) = default;
};

/// Where all views meet: what is shown, which part of it, and what is chosen. A setter that changes nothing
/// says nothing.
class ViewState : public QObject {
    Q_OBJECT
public:
    /// How the visible range changes: a jump can be undone by itself, gliding steps (wheel, keys) together.
    enum class Move { Jump, Glide };

    static constexpr TimeNs kShortestRange = 100; ///< nanoseconds; nothing in a trace is finer than one

    explicit ViewState(QObject* parent = nullptr);

    [[nodiscard]] const std::shared_ptr<const ShownRun>& shown() const { return m_shown; }
    [[nodiscard]] TimeRange visibleRange() const { return m_visible; }
    [[nodiscard]] std::optional<TimeRange> selectedRange() const { return m_selectedRange; }
    [[nodiscard]] EventRef selection() const { return m_selection; }
    [[nodiscard]] EventRef hover() const { return m_hover; }
    [[nodiscard]] std::optional<std::size_t> step() const { return m_step; }
    [[nodiscard]] bool canGoBack() const { return !m_back.empty(); }
    [[nodiscard]] bool canGoForward() const { return !m_forward.empty(); }
    /// The range that "fit all" shows: the run with a little room at both sides.
    [[nodiscard]] TimeRange fullRange() const;
    /// The range of the selected event on the run's clock.
    [[nodiscard]] std::optional<TimeRange> selectionRange() const;

public Q_SLOTS:
    /// Shows other ranks; selection and hover end, unless it is the same run with more known about it. The
    /// visible range stays if `keepRange` and it was moved by hand, else all is shown.
    void setShown(std::shared_ptr<const lockstep::ShownRun> shown, bool keepRange = false);
    void setVisibleRange(lockstep::TimeRange range, lockstep::ViewState::Move move = Move::Jump);
    void setSelectedRange(std::optional<lockstep::TimeRange> range);
    void setSelection(lockstep::EventRef event);
    void setHover(lockstep::EventRef event);
    void setStep(std::optional<std::size_t> step);
    void goBack();
    void goForward();
    void fitAll();
    /// Shows the selected range, else the selected event with room around it, else all.
    void fitSelection();
    /// Ends selection and selected range.
    void clear();

Q_SIGNALS:
    void shownChanged();
    void visibleRangeChanged();
    void selectedRangeChanged();
    void selectionChanged();
    void hoverChanged();
    void stepChanged();
    void historyChanged();

private:
    [[nodiscard]] TimeRange clamped(TimeRange range) const;
    void moveTo(TimeRange range);

    std::shared_ptr<const ShownRun> m_shown;
    TimeRange m_visible;
    std::optional<TimeRange> m_selectedRange;
    EventRef m_selection;
    EventRef m_hover;
    std::optional<std::size_t> m_step;
    std::vector<TimeRange> m_back;
    std::vector<TimeRange> m_forward;
    bool m_gliding = false; ///< the last move was a glide: its start is in m_back already
};

} // namespace lockstep
