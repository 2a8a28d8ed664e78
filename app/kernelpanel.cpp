#include "app/kernelpanel.h"

#include "model/analysis/runanalysis.h"
#include "views/common/format.h"
#include "views/panels/plainlabel.h"
#include "views/tables/kerneltable.h"
#include "views/tables/tablepanel.h"

#include <QVBoxLayout>

namespace lockstep {

KernelPanel::KernelPanel(FigureFeed& feed, QWidget* parent)
    : QWidget(parent)
    , m_feed(feed)
    , m_state(feed.state())
    , m_scope(new PlainLabel({}, this))
    , m_table(new TablePanel(tr("Kernels"), TablePanel::Use::Searching, this)) {
    setAccessibleName(tr("Kernels"));
    m_scope->setWordWrap(true);
    m_scope->setForegroundRole(QPalette::PlaceholderText);
    m_table->setColumns(kernelColumns());
    m_table->setWideColumn(0, 30);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 0);
    column->setSpacing(2);
    column->addWidget(m_scope);
    column->addWidget(m_table, 1);
    connect(&m_feed, &FigureFeed::changed, this, &KernelPanel::refresh);
    connect(&m_state, &ViewState::shownChanged, this, &KernelPanel::refresh);
    connect(&m_state, &ViewState::filtersChanged, this, &KernelPanel::refresh);
    refresh();
}

void KernelPanel::refresh() {
    const std::shared_ptr<const RunFigures> figures = m_feed.figures();
    if (!figures) {
        m_scope->setText(m_feed.reason());
        m_table->setRows({});
        return;
    }
    m_table->setEmptyText(tr("No GPU activity is left: take a filter away."));
    m_table->setRows(
        kernelRows(figures->kernels, *figures->analysis->run->strings, figures->set, m_state.filters()));
    m_scope->setText(m_feed.scopeText() + QStringLiteral(" · ") +
                     countedText(figures->kernels.rows.size(), tr("kernel"), tr("kernels")) +
                     tr(" · Ctrl+C copies the chosen row"));
}

} // namespace lockstep
