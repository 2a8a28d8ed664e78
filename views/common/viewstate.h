#pragma once

#include "model/analysis/breakdown.h"
#include "views/common/colouring.h"
#include "views/common/eventref.h"
#include "views/common/filters.h"
#include "views/common/searchresult.h"
#include "views/common/showncategories.h"
#include "views/common/shownrun.h"

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

namespace lockstep {

/// A moment that the user marked, on the run's clock.
struct Mark {
    TimeNs at = 0;
    QString label;
    friend bool operator==(const Mark&, const Mark&) = default;
};

/// Another run that the shown one is compared with; nothing where `run` is null.
struct ComparedRun {
    std::shared_ptr<const ShownRun> run;
    std::shared_ptr<const ShownCategories> categories; ///< null until the run is categorised
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
    /// The step drilled into; index into ShownRun::steps.
    [[nodiscard]] std::optional<std::size_t> step() const { return m_step; }
    /// Steps chosen by hand, in order; empty: none were.
    [[nodiscard]] const std::vector<std::uint32_t>& stepSet() const { return m_stepSet; }
    [[nodiscard]] const Filters& filters() const { return m_filters; }
    /// Null while no search is on.
    [[nodiscard]] const std::shared_ptr<const SearchResult>& search() const { return m_search; }
    /// Index into SearchResult::hits.
    [[nodiscard]] std::optional<std::size_t> currentHit() const { return m_currentHit; }
    /// Index into CollectiveTable::matched and StallTable::stalls.
    [[nodiscard]] std::optional<std::uint32_t> currentStall() const { return m_currentStall; }
    /// Null until the run is analysed and categorised.
    [[nodiscard]] const std::shared_ptr<const ShownCategories>& categories() const { return m_categories; }
    /// The rules that runs are to be categorised with; null: the built-in ones. They outlive the run.
    [[nodiscard]] const std::shared_ptr<const CategoryRules>& rules() const { return m_rules; }
    /// What colour every event has; null until worked out for what is shown.
    [[nodiscard]] const std::shared_ptr<const Colouring>& colouring() const { return m_colouring; }
    [[nodiscard]] const ComparedRun& comparison() const { return m_comparison; }
    [[nodiscard]] Attribution attribution() const { return m_attribution; }
    [[nodiscard]] const std::vector<Mark>& marks() const { return m_marks; }
    /// Whether the median step is to be shown beside the one drilled into.
    [[nodiscard]] bool medianBeside() const { return m_medianBeside; }
    /// The steps that numbers are over: those chosen by hand, else the step drilled into, else those in the
    /// time filter, else the typical ones; without those that the filters leave out. In order.
    [[nodiscard]] std::vector<std::uint32_t> chosenSteps() const;
    /// The ranks (indices) that the filters leave.
    [[nodiscard]] std::vector<std::size_t> chosenRanks() const;
    /// chosenSteps() and chosenRanks() as analyses take them.
    [[nodiscard]] BreakdownSelection chosen() const { return {chosenSteps(), chosenRanks(), {}}; }
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
    void setStepSet(std::vector<std::uint32_t> steps);
    void setFilters(lockstep::Filters filters);
    void setSearch(std::shared_ptr<const lockstep::SearchResult> search);
    void setCurrentHit(std::optional<std::size_t> hit);
    void setCurrentStall(std::optional<std::uint32_t> stall);
    /// Asks for all runs to be categorised with `rules`; categoriesChanged() follows when it is done.
    void setRules(std::shared_ptr<const lockstep::CategoryRules> rules);
    void setCategories(std::shared_ptr<const lockstep::ShownCategories> categories);
    void setColouring(std::shared_ptr<const lockstep::Colouring> colouring);
    void setComparison(lockstep::ComparedRun comparison);
    void setAttribution(lockstep::Attribution attribution);
    void setMedianBeside(bool beside);
    /// Marks `at`; a mark that is there already is taken away.
    void toggleMark(lockstep::TimeNs at);
    void setMarks(std::vector<lockstep::Mark> marks);
    /// Names the mark at `at`.
    void renameMark(lockstep::TimeNs at, const QString& label);
    void clearMarks();
    /// Drills into a step: chooses it and zooms to it.
    void showStep(std::size_t step);
    /// Makes a stall the current one, selects the straggler's call and zooms to the wait.
    void showStall(std::uint32_t stall);
    /// Makes a hit the current one and selects it.
    void showHit(std::size_t hit);
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
    void stepChanged(); ///< the step drilled into, or the set chosen by hand
    void filtersChanged();
    void searchChanged();
    void currentHitChanged();
    void currentStallChanged();
    void rulesChanged();
    void categoriesChanged();
    void colouringChanged();
    void comparisonChanged();
    void attributionChanged();
    void marksChanged();
    void medianBesideChanged();
    void historyChanged();

private:
    [[nodiscard]] TimeRange clamped(TimeRange range) const;
    void moveTo(TimeRange range);
    void forgetRun();

    std::shared_ptr<const ShownRun> m_shown;
    TimeRange m_visible;
    std::optional<TimeRange> m_selectedRange;
    EventRef m_selection;
    EventRef m_hover;
    std::optional<std::size_t> m_step;
    std::vector<std::uint32_t> m_stepSet;
    Filters m_filters;
    std::shared_ptr<const SearchResult> m_search;
    std::optional<std::size_t> m_currentHit;
    std::optional<std::uint32_t> m_currentStall;
    std::shared_ptr<const CategoryRules> m_rules;
    std::shared_ptr<const ShownCategories> m_categories;
    std::shared_ptr<const Colouring> m_colouring;
    ComparedRun m_comparison;
    Attribution m_attribution = Attribution::Sum;
    std::vector<Mark> m_marks;
    bool m_medianBeside = false;
    std::vector<TimeRange> m_back;
    std::vector<TimeRange> m_forward;
    bool m_gliding = false; ///< the last move was a glide: its start is in m_back already
};

} // namespace lockstep
