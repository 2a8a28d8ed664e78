#include "app/stallmappanel.h"

#include "model/analysis/runanalysis.h"
#include "views/charts/stallheatmap.h"
#include "views/common/format.h"
#include "views/panels/plainlabel.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

namespace lockstep {

StallMapPanel::StallMapPanel(FigureFeed& feed, QWidget* parent)
    : QWidget(parent)
    , m_feed(feed)
    , m_state(feed.state())
    , m_steps(new QToolButton(this))
    , m_layers(new QToolButton(this))
    , m_pattern(new PlainLabel({}, this))
    , m_map(new StallHeatmap(this)) {
    setAccessibleName(tr("Stall map"));
    auto* buttons = new QButtonGroup(this);
    m_steps->setText(tr("by step"));
    m_layers->setText(tr("by layer"));
    for (QToolButton* button : {m_steps, m_layers}) {
        button->setCheckable(true);
        button->setFocusPolicy(Qt::StrongFocus);
        buttons->addButton(button);
        connect(button, &QToolButton::clicked, this, &StallMapPanel::refresh);
    }
    m_steps->setChecked(true);
    m_pattern->setWordWrap(true);
    m_pattern->setForegroundRole(QPalette::PlaceholderText);
    auto* head = new QHBoxLayout;
    head->setSpacing(0);
    head->addWidget(m_steps);
    head->addWidget(m_layers);
    head->addSpacing(8);
    head->addWidget(m_pattern, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 0);
    column->setSpacing(2);
    column->addLayout(head);
    column->addWidget(m_map, 1);
    connect(m_map, &StallHeatmap::stallClicked, &m_state, &ViewState::showStall);
    connect(&m_feed, &FigureFeed::changed, this, &StallMapPanel::refresh);
    connect(&m_state, &ViewState::shownChanged, this, &StallMapPanel::refresh);
    refresh();
}

void StallMapPanel::showLayers(bool layers) {
    (layers ? m_layers : m_steps)->setChecked(true);
    refresh();
}

QString StallMapPanel::patternText() const {
    return m_pattern->text();
}

void StallMapPanel::refresh() {
    const std::shared_ptr<const RunFigures> figures = m_feed.figures();
    const bool layers = m_layers->isChecked();
    const bool any = figures && figures->stalls.collectives > 0;
    m_steps->setVisible(any);
    m_layers->setVisible(any);
    m_map->setVisible(any);
    if (!figures) {
        m_pattern->setText(m_feed.reason());
        return;
    }
    std::vector<int> ranks;
    for (const RankTrace& rank : figures->analysis->run->ranks)
        ranks.push_back(rank.rank);
    QString pattern = traceText(figures->stalls.patternText);
    if (figures->analysis->run->ranks.size() < 2)
        pattern = tr("One rank alone waits for nobody: open the traces of all ranks of the run together.");
    else if (layers && figures->stalls.byLayer.columns.empty())
        pattern += tr(" No layers were found in these steps.");
    m_pattern->setText(pattern);
    m_map->setMap(layers ? figures->stalls.byLayer : figures->stalls.byStep, std::move(ranks),
                  layers ? tr("layer") : tr("step"));
}

} // namespace lockstep
