#include "app/stallpanel.h"

#include "views/common/format.h"
#include "views/panels/plainlabel.h"
#include "views/tables/stalltables.h"
#include "views/tables/tablepanel.h"

#include <QVBoxLayout>

namespace lockstep {

StallPanel::StallPanel(FigureFeed& feed, QWidget* parent)
    : QWidget(parent)
    , m_feed(feed)
    , m_state(feed.state())
    , m_scope(new PlainLabel({}, this))
    , m_ranks(new TablePanel(tr("Stalls by rank"), TablePanel::Use::Reading, this))
    , m_worst(new TablePanel(tr("Worst stalls"), TablePanel::Use::Searching, this)) {
    setAccessibleName(tr("Stalls"));
    m_scope->setWordWrap(true);
    m_scope->setForegroundRole(QPalette::PlaceholderText);
    m_ranks->setColumns(stallRankColumns());
    m_worst->setColumns(worstStallColumns());
    m_worst->setWideColumn(4, 26);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 6, 8, 4);
    column->setSpacing(8);
    column->addWidget(m_scope);
    column->addWidget(m_ranks);
    column->addWidget(m_worst, 1);
    connect(m_worst, &TablePanel::rowChosen, this, [this](qlonglong stall) {
        if (stall >= 0)
            m_state.showStall(static_cast<std::uint32_t>(stall));
    });
    connect(&m_feed, &FigureFeed::changed, this, &StallPanel::refresh);
    connect(&m_state, &ViewState::shownChanged, this, &StallPanel::refresh);
    connect(&m_state, &ViewState::currentStallChanged, this, &StallPanel::markCurrent);
    refresh();
}

void StallPanel::markCurrent() {
    const auto stall = m_state.currentStall();
    m_worst->setCurrentKey(stall ? static_cast<std::int64_t>(*stall) : -1);
}

QString StallPanel::scopeText() const {
    return m_scope->text();
}

void StallPanel::refresh() {
    const std::shared_ptr<const RunFigures> figures = m_feed.figures();
    m_ranks->setVisible(figures && figures->stalls.collectives > 0);
    if (!figures) {
        m_scope->setText(m_feed.reason());
        m_ranks->setRows({});
        m_worst->setRows({});
        m_worst->setEmptyText({});
        return;
    }
    m_ranks->setRows(stallRankRows(*figures));
    m_worst->setEmptyText(
        figures->analysis->run->ranks.size() < 2
            ? tr("One rank alone waits for nobody: open the traces of all ranks of the run together.")
            : tr("No collective was matched across ranks in what is chosen."));
    m_worst->setRows(worstStallRows(*figures));
    markCurrent();
    const bool whole = figures->stalls.collectives == figures->analysis->stalls.stalls.size();
    QString scope =
        countedText(figures->stalls.collectives, tr("matched collective"), tr("matched collectives")) +
        (whole ? tr(" of the whole capture") : tr(" of %1").arg(m_feed.scopeText()));
    if (figures->causes.size() < figures->stalls.worst.size())
        scope += tr(" · the %1 worst are listed").arg(countText(figures->causes.size()));
    m_scope->setText(scope);
}

} // namespace lockstep
