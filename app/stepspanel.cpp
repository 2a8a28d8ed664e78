#include "app/stepspanel.h"

#include "views/charts/stepstrip.h"
#include "views/common/format.h"
#include "views/panels/plainlabel.h"

#include <QVBoxLayout>
#include <algorithm>

namespace lockstep {

namespace {

QString sourceText(StepSource source) {
    switch (source) {
    case StepSource::CpuAnnotation:
        return QObject::tr("found by markers on the CPU");
    case StepSource::GpuAnnotation:
        return QObject::tr("found by markers on the GPU");
    case StepSource::GraphLaunch:
        return QObject::tr("each a graph launch");
    case StepSource::Period:
        return QObject::tr("found by the repeating sequence of kernels");
    case StepSource::None:
        break;
    }
    return {};
}

} // namespace

StepsPanel::StepsPanel(ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_scope(new PlainLabel({}, this))
    , m_strip(new StepStrip(this)) {
    setAccessibleName(tr("Steps"));
    m_scope->setWordWrap(true);
    m_scope->setForegroundRole(QPalette::PlaceholderText);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 0);
    column->setSpacing(2);
    column->addWidget(m_scope);
    column->addWidget(m_strip, 1);
    connect(m_strip, &StepStrip::stepClicked, this, [this](qulonglong step) {
        // Of the chosen step a second click lets go.
        m_state.setStep(m_state.step() == std::optional<std::size_t>(step)
                            ? std::nullopt
                            : std::optional<std::size_t>(step));
    });
    connect(m_strip, &StepStrip::stepDoubleClicked, &m_state, &ViewState::showStep);
    connect(&m_state, &ViewState::shownChanged, this, &StepsPanel::refresh);
    connect(&m_state, &ViewState::filtersChanged, this, &StepsPanel::refresh);
    connect(&m_state, &ViewState::stepChanged, this, [this] {
        m_strip->setCurrent(m_state.step());
    });
    refresh();
}

QString StepsPanel::scopeText() const {
    return m_scope->text();
}

void StepsPanel::refresh() {
    const ShownRun& shown = *m_state.shown();
    const bool any = shown.analysis && !shown.analysis->steps.steps.empty();
    m_strip->setVisible(any);
    if (!any) {
        m_strip->clear();
        m_scope->setText(shown.ranks.empty() && !shown.loading ? tr("Open a run to see its steps.")
                         : !shown.run                          ? tr("The files are still being read.")
                         : !shown.analysis
                             ? tr("The run is being analysed.")
                             : tr("No steps were found in this run: there are no markers, no graph "
                                  "launches and no repeating sequence of kernels."));
        return;
    }
    const StepTable& table = shown.analysis->steps;
    const std::vector<std::size_t> ranks = m_state.chosenRanks();
    std::vector<int> numbers;
    for (const std::size_t rank : ranks)
        numbers.push_back(shown.ranks[rank].trace->rank);
    const Filters& filters = m_state.filters();
    std::vector<bool> left(table.steps.size(), true);
    for (std::size_t step = 0; step < left.size(); ++step)
        left[step] = (!filters.decodeOnly || table.steps[step].kind == StepKind::Decode) &&
                     (!filters.range || shown.steps[step].range.overlaps(*filters.range));
    m_strip->setSteps(table, ranks, numbers, left);
    m_strip->setCurrent(m_state.step());
    QString scope = countedText(table.steps.size(), tr("step"), tr("steps")) + QStringLiteral(", ") +
                    sourceText(table.source);
    if (const auto out = std::count(left.begin(), left.end(), false); out > 0)
        scope += tr(" · the filters leave out %1").arg(out);
    if (m_strip->outliers() > 0)
        scope += tr(" · ◆ %1 cut or unusual: averages leave them out").arg(m_strip->outliers());
    m_scope->setText(scope + tr(" · click to choose, double click to show"));
}

} // namespace lockstep
