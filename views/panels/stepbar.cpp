#include "views/panels/stepbar.h"

#include "views/common/format.h"
#include "views/common/stepmarks.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace lockstep {

StepBar::StepBar(ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_previous(new QToolButton(this))
    , m_current(new QToolButton(this))
    , m_next(new QToolButton(this))
    , m_median(new QToolButton(this))
    , m_beside(new QToolButton(this)) {
    m_previous->setText(QStringLiteral("◀"));
    m_previous->setToolTip(tr("Previous step (Page Up)"));
    m_previous->setAccessibleName(tr("Previous step"));
    m_next->setText(QStringLiteral("▶"));
    m_next->setToolTip(tr("Next step (Page Down)"));
    m_next->setAccessibleName(tr("Next step"));
    m_current->setToolTip(tr("Zoom to this step"));
    m_median->setToolTip(tr("The typical step of median length: click to go there"));
    m_beside->setText(tr("beside"));
    m_beside->setCheckable(true);
    m_beside->setAccessibleName(tr("Median step beside"));
    m_beside->setToolTip(tr("Show the median step below the lanes of every rank, begin under begin (B)"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    for (QToolButton* button : {m_previous, m_current, m_next, m_median, m_beside}) {
        button->setAutoRaise(button != m_current);
        button->setFocusPolicy(Qt::TabFocus);
        row->addWidget(button);
    }
    connect(m_previous, &QToolButton::clicked, this, [this] {
        go(-1);
    });
    connect(m_next, &QToolButton::clicked, this, [this] {
        go(1);
    });
    connect(m_current, &QToolButton::clicked, this, [this] {
        if (const auto step = m_state.step())
            m_state.showStep(*step);
        else
            go(1);
    });
    connect(m_median, &QToolButton::clicked, this, &StepBar::goToMedian);
    connect(m_beside, &QToolButton::clicked, this, &StepBar::setBeside);
    connect(&m_state, &ViewState::medianBesideChanged, this, [this] {
        m_beside->setChecked(m_state.medianBeside());
    });
    connect(&m_state, &ViewState::shownChanged, this, &StepBar::refresh);
    connect(&m_state, &ViewState::stepChanged, this, &StepBar::refresh);
    refresh();
}

void StepBar::go(int direction) {
    if (const auto step = neighbourStep(*m_state.shown(), m_state.step(), m_state.visibleRange(), direction))
        m_state.showStep(*step);
}

void StepBar::goToMedian() {
    if (const auto step = medianStep(*m_state.shown()))
        m_state.showStep(*step);
}

void StepBar::setBeside(bool beside) {
    m_state.setMedianBeside(beside);
    if (beside && !m_state.step()) // it stands beside one
        go(1);
}

QString StepBar::text() const {
    return m_current->text();
}

void StepBar::refresh() {
    const std::vector<StepMark>& steps = m_state.shown()->steps;
    const std::optional<std::size_t> step = m_state.step();
    setEnabled(!steps.empty());
    m_previous->setEnabled(!step || *step > 0);
    m_next->setEnabled(!step || *step + 1 < steps.size());
    if (step) {
        const StepMark& mark = steps[*step];
        QString text = tr("step %1 of %2").arg(*step).arg(steps.size());
        if (mark.kind != StepKind::Unknown)
            text += QStringLiteral(" · ") + traceText(nameOf(mark.kind));
        m_current->setText(text + QStringLiteral(" · ") + durationText(mark.range.length()));
    } else {
        m_current->setText(steps.empty() ? tr("no steps")
                                         : countedText(steps.size(), tr("step"), tr("steps")));
    }
    const std::optional<std::size_t> median = medianStep(*m_state.shown());
    m_median->setVisible(median.has_value());
    m_beside->setVisible(median.has_value() && steps.size() > 1);
    m_beside->setEnabled(!step || step != median);
    if (median)
        m_median->setText(
            tr("median: step %1 · %2").arg(*median).arg(durationText(steps[*median].range.length())));
}

} // namespace lockstep
