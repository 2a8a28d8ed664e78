#include "views/timeline/timelinepanel.h"

#include "views/timeline/legend.h"
#include "views/timeline/minimap.h"
#include "views/timeline/timelineview.h"
#include "views/timeline/timeruler.h"

#include <QScrollBar>
#include <QVBoxLayout>

namespace lockstep {

TimelinePanel::TimelinePanel(ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_view(new TimelineView(state, this))
    , m_minimap(new Minimap(state, m_view->headerWidth(), this))
    , m_ruler(new TimeRuler(state, m_view->headerWidth(), this))
    , m_legend(new Legend(state, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    // The lanes lose their scroll bar's width; minimap and ruler must share their axis.
    m_view->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    auto* above = new QVBoxLayout;
    above->setContentsMargins(0, 0, m_view->verticalScrollBar()->sizeHint().width(), 0);
    above->setSpacing(0);
    above->addWidget(m_minimap);
    above->addWidget(m_ruler);
    column->addLayout(above);
    column->addWidget(m_view, 1);
    column->addWidget(m_legend);
}

} // namespace lockstep
