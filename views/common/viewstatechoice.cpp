// What is chosen of a run: steps, filters, search, stalls, marks, categories.
#include "views/common/format.h"
#include "views/common/viewstate.h"

#include <algorithm>
#include <utility>

namespace lockstep {

std::vector<std::uint32_t> ViewState::chosenSteps() const {
    std::vector<std::uint32_t> steps;
    if (!m_shown->analysis)
        return steps;
    const StepTable& table = m_shown->analysis->steps;
    if (!m_stepSet.empty()) {
        steps = m_stepSet;
    } else if (m_step) {
        steps = {static_cast<std::uint32_t>(*m_step)};
    } else if (m_filters.range) {
        for (std::size_t i = 0; i < m_shown->steps.size(); ++i)
            if (m_shown->steps[i].range.overlaps(*m_filters.range))
                steps.push_back(static_cast<std::uint32_t>(i));
    } else {
        steps = table.typicalSteps();
    }
    std::erase_if(steps, [&](std::uint32_t step) {
        return step >= table.steps.size() ||
               (m_filters.decodeOnly && table.steps[step].kind != StepKind::Decode);
    });
    return steps;
}

std::vector<std::size_t> ViewState::chosenRanks() const {
    std::vector<std::size_t> ranks;
    for (std::size_t i = 0; i < m_shown->ranks.size(); ++i)
        if (m_filters.passesRank(m_shown->ranks[i].trace->rank))
            ranks.push_back(i);
    return ranks;
}

void ViewState::setStep(std::optional<std::size_t> step) {
    if (step && *step >= m_shown->steps.size())
        step.reset();
    if (step == m_step)
        return;
    m_step = step;
    Q_EMIT stepChanged();
}

void ViewState::setStepSet(std::vector<std::uint32_t> steps) {
    std::sort(steps.begin(), steps.end());
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    if (steps == m_stepSet)
        return;
    m_stepSet = std::move(steps);
    Q_EMIT stepChanged();
}

void ViewState::setFilters(Filters filters) {
    if (filters == m_filters)
        return;
    m_filters = std::move(filters);
    Q_EMIT filtersChanged();
}

void ViewState::setSearch(std::shared_ptr<const SearchResult> search) {
    if (search == m_search)
        return;
    setCurrentHit(std::nullopt);
    m_search = std::move(search);
    Q_EMIT searchChanged();
}

void ViewState::setCurrentHit(std::optional<std::size_t> hit) {
    if (hit && (!m_search || *hit >= m_search->hits.size()))
        hit.reset();
    if (hit == m_currentHit)
        return;
    m_currentHit = hit;
    Q_EMIT currentHitChanged();
}

void ViewState::setCurrentStall(std::optional<std::uint32_t> stall) {
    if (stall && (!m_shown->analysis || *stall >= m_shown->analysis->stalls.stalls.size()))
        stall.reset();
    if (stall == m_currentStall)
        return;
    m_currentStall = stall;
    Q_EMIT currentStallChanged();
}

void ViewState::setRules(std::shared_ptr<const CategoryRules> rules) {
    if (rules == m_rules)
        return;
    m_rules = std::move(rules);
    Q_EMIT rulesChanged();
}

void ViewState::setCategories(std::shared_ptr<const ShownCategories> categories) {
    if (categories == m_categories)
        return;
    m_categories = std::move(categories);
    Q_EMIT categoriesChanged();
}

void ViewState::setColouring(std::shared_ptr<const Colouring> colouring) {
    if (colouring == m_colouring)
        return;
    m_colouring = std::move(colouring);
    Q_EMIT colouringChanged();
}

void ViewState::setComparison(ComparedRun comparison) {
    if (comparison.run == m_comparison.run && comparison.categories == m_comparison.categories)
        return;
    m_comparison = std::move(comparison);
    Q_EMIT comparisonChanged();
}

void ViewState::setAttribution(Attribution attribution) {
    if (attribution == m_attribution)
        return;
    m_attribution = attribution;
    Q_EMIT attributionChanged();
}

void ViewState::toggleMark(TimeNs at) {
    const auto same = std::find_if(m_marks.begin(), m_marks.end(), [&](const Mark& mark) {
        return mark.at == at;
    });
    if (same != m_marks.end())
        m_marks.erase(same);
    else
        m_marks.push_back({at, momentText(at - m_shown->span.begin)});
    std::sort(m_marks.begin(), m_marks.end(), [](const Mark& a, const Mark& b) {
        return a.at < b.at;
    });
    Q_EMIT marksChanged();
}

void ViewState::setMarks(std::vector<Mark> marks) {
    if (marks == m_marks)
        return;
    m_marks = std::move(marks);
    Q_EMIT marksChanged();
}

void ViewState::renameMark(TimeNs at, const QString& label) {
    std::vector<Mark> marks = m_marks;
    for (Mark& mark : marks)
        if (mark.at == at)
            mark.label = label;
    setMarks(std::move(marks));
}

void ViewState::clearMarks() {
    if (m_marks.empty())
        return;
    m_marks.clear();
    Q_EMIT marksChanged();
}

void ViewState::setMedianBeside(bool beside) {
    if (m_medianBeside == beside)
        return;
    m_medianBeside = beside;
    Q_EMIT medianBesideChanged();
}

void ViewState::showStep(std::size_t step) {
    if (step >= m_shown->steps.size())
        return;
    const TimeRange range = m_shown->steps[step].range;
    const TimeNs room = std::max<TimeNs>(range.length() / 50, kShortestRange);
    setStep(step);
    setVisibleRange({range.begin - room, range.end + room});
}

void ViewState::showStall(std::uint32_t stall) {
    if (!m_shown->analysis || stall >= m_shown->analysis->stalls.stalls.size())
        return;
    const RunAnalysis& analysis = *m_shown->analysis;
    TimeRange range;
    for (std::size_t r = 0; r < m_shown->ranks.size(); ++r)
        if (const CollectiveCall* call = analysis.collectives.callOf(stall, r)) {
            const ShownRank& rank = m_shown->ranks[r];
            range = hull(range, rank.toRun(rank.trace->events.range(call->event)));
        }
    setCurrentStall(stall);
    const TimeNs room = std::max<TimeNs>(range.length() / 2, 20'000);
    setVisibleRange({range.begin - room, range.end + room});
    const std::uint32_t straggler = analysis.stalls.stalls[stall].straggler;
    if (const CollectiveCall* call = analysis.collectives.callOf(stall, straggler))
        setSelection({straggler, call->event});
}

void ViewState::showHit(std::size_t hit) {
    setCurrentHit(hit);
    if (m_currentHit)
        setSelection(m_search->hits[*m_currentHit]);
}

} // namespace lockstep
