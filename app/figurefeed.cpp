#include "app/figurefeed.h"

#include "views/common/format.h"

#include <QTimer>
#include <algorithm>
#include <utility>

namespace lockstep {

FigureFeed::FigureFeed(ViewState& state, QObject* parent)
    : QObject(parent)
    , m_state(state)
    , m_soon(new QTimer(this))
    , m_job(*this) {
    m_soon->setSingleShot(true);
    m_soon->setInterval(0);
    connect(m_soon, &QTimer::timeout, this, &FigureFeed::refresh);
    const auto soon = [this] {
        m_soon->start();
    };
    connect(&m_state, &ViewState::shownChanged, this, [this] {
        // Figures of another run must not stand beside this one.
        if (m_figures && m_figures->analysis != m_state.shown()->analysis) {
            m_job.cancel();
            set(nullptr);
        }
        m_soon->start();
    });
    connect(&m_state, &ViewState::categoriesChanged, this, soon);
    connect(&m_state, &ViewState::stepChanged, this, soon);
    connect(&m_state, &ViewState::filtersChanged, this, soon);
}

void FigureFeed::refresh() {
    const std::shared_ptr<const RunAnalysis> analysis = m_state.shown()->analysis;
    const std::shared_ptr<const ShownCategories> categories = m_state.categories();
    BreakdownSelection chosen = m_state.chosen();
    // To the analyses an empty choice means all: nothing chosen is told apart here.
    const bool nothing =
        analysis && (chosen.ranks.empty() || (chosen.steps.empty() && !analysis->steps.steps.empty()));
    if (!analysis || !categories || categories->analysis != analysis || nothing) {
        m_job.cancel();
        set(nullptr);
        return;
    }
    BreakdownSelection stalls = chosen;
    const Filters& filters = m_state.filters();
    if (!m_state.step() && m_state.stepSet().empty() && !filters.range && !filters.decodeOnly)
        stalls.steps.clear(); // the whole capture
    m_job.start(
        [analysis, categories, chosen, stalls, filters](const std::stop_token& stop) mutable {
            chosen.only = activityFilter(*analysis, categories->table, filters.streams, filters.categories);
            stalls.only = chosen.only;
            return figuresOf(analysis, categories->rules.set, categories->table, chosen, stalls, stop);
        },
        [this](std::shared_ptr<const RunFigures> figures) {
            set(std::move(figures));
        });
}

void FigureFeed::set(std::shared_ptr<const RunFigures> figures) {
    if (figures == m_figures)
        return;
    m_figures = std::move(figures);
    Q_EMIT changed();
}

QString FigureFeed::reason() const {
    const ShownRun& shown = *m_state.shown();
    if (shown.ranks.empty())
        return shown.loading ? tr("The files are still being read.") : tr("Open a run to see its figures.");
    if (!shown.run)
        return tr("The files are still being read.");
    if (!shown.analysis || !m_state.categories() || m_job.running())
        return tr("The run is being analysed.");
    if (m_state.chosenRanks().empty())
        return tr("The filters leave out all ranks: take one away.");
    if (shown.analysis->steps.steps.empty())
        return tr("No steps were found in this run: there are no markers, no graph launches and no repeating "
                  "sequence of kernels.");
    if (m_state.chosenSteps().empty())
        return m_state.filters().any() || m_state.step()
                   ? tr("The filters leave out all steps: take one away.")
                   : tr("All steps are cut or unusual: choose one in the Steps tab.");
    return {};
}

QString FigureFeed::scopeText() const {
    if (!m_figures)
        return {};
    const Breakdown& breakdown = m_figures->sum;
    const StepTable& table = m_figures->analysis->steps;
    QString steps;
    if (breakdown.steps.size() == 1) {
        const Step& step = table.steps[breakdown.steps.front()];
        steps = tr("step %1").arg(breakdown.steps.front());
        if (step.kind != StepKind::Unknown)
            steps += QStringLiteral(" (%1)").arg(traceText(nameOf(step.kind)));
    } else {
        const bool typical = breakdown.steps == table.typicalSteps();
        const bool all = breakdown.steps.size() == table.steps.size();
        steps = all       ? tr("all %1 steps").arg(table.steps.size())
                : typical ? tr("%1 typical steps of %2").arg(breakdown.steps.size()).arg(table.steps.size())
                          : tr("%1 steps of %2").arg(breakdown.steps.size()).arg(table.steps.size());
    }
    if (m_state.filters().range && !m_state.step() && m_state.stepSet().empty())
        steps += tr(", those that the time filter touches");
    const std::size_t all = m_figures->analysis->run->ranks.size();
    QString ranks = all == 1 ? tr("1 rank") : tr("all %1 ranks").arg(all);
    if (breakdown.ranks.size() != all)
        ranks = countedText(breakdown.ranks.size(), tr("rank"), tr("ranks")) + tr(" of %1").arg(all);
    QString scope = steps + QStringLiteral(" · ") + ranks;
    if (m_figures->selection.only)
        scope += tr(" · without what the filters leave out");
    return scope;
}

} // namespace lockstep
