#include "app/docks.h"

#include "app/breakdownpanel.h"
#include "app/categoryeditor.h"
#include "app/comparisonpanel.h"
#include "app/kernelpanel.h"
#include "app/stallmappanel.h"
#include "app/stallpanel.h"
#include "app/stepspanel.h"
#include "app/whatifpanel.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QTabBar>

namespace lockstep {

Docks::Docks(QMainWindow& window, ViewState& state, const QString& rulesFile)
    : QObject(&window)
    , m_window(window)
    , m_feed(new FigureFeed(state, this))
    , m_breakdown(new BreakdownPanel(*m_feed, &window))
    , m_stalls(new StallPanel(*m_feed, &window))
    , m_comparison(new ComparisonPanel(*m_feed, &window))
    , m_whatIf(new WhatIfPanel(*m_feed, &window))
    , m_steps(new StepsPanel(state, &window))
    , m_stallMap(new StallMapPanel(*m_feed, &window))
    , m_kernels(new KernelPanel(*m_feed, &window))
    , m_rules(new CategoryEditor(state, rulesFile, &window)) {
    QDockWidget* comparison =
        add(tr("Comparison"), QStringLiteral("comparisonDock"), m_comparison, Qt::RightDockWidgetArea);
    m_right = {
        add(tr("Breakdown"), QStringLiteral("breakdownDock"), m_breakdown, Qt::RightDockWidgetArea),
        add(tr("Stalls"), QStringLiteral("stallDock"), m_stalls, Qt::RightDockWidgetArea),
        comparison,
        add(tr("What-if"), QStringLiteral("whatIfDock"), m_whatIf, Qt::RightDockWidgetArea),
    };
    m_bottom = {
        add(tr("Steps"), QStringLiteral("stepsDock"), m_steps, Qt::BottomDockWidgetArea),
        add(tr("Stall map"), QStringLiteral("stallMapDock"), m_stallMap, Qt::BottomDockWidgetArea),
        add(tr("Kernels"), QStringLiteral("kernelDock"), m_kernels, Qt::BottomDockWidgetArea),
        add(tr("Category rules"), QStringLiteral("rulesDock"), m_rules, Qt::BottomDockWidgetArea),
    };
    connect(m_comparison, &ComparisonPanel::opened, comparison, [comparison] {
        comparison->show();
        comparison->raise();
    });
}

QDockWidget* Docks::add(const QString& title, const QString& name, QWidget* panel, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, &m_window);
    dock->setObjectName(name);
    dock->setWidget(panel);
    m_window.addDockWidget(area, dock);
    return dock;
}

void Docks::arrange(QDockWidget& run, QDockWidget& details) {
    std::vector<QDockWidget*> right = m_right;
    right.push_back(&run);
    std::vector<QDockWidget*> bottom = m_bottom;
    bottom.push_back(&details);
    for (const auto* docks : {&right, &bottom}) {
        for (std::size_t i = 1; i < docks->size(); ++i)
            m_window.tabifyDockWidget((*docks)[i - 1], (*docks)[i]);
        docks->front()->raise();
    }
    for (const QDockWidget* dock : m_window.findChildren<QDockWidget*>()) {
        connect(dock, &QDockWidget::visibilityChanged, this, &Docks::refreshTitles);
        // Behind another tab a panel is out of sight, but would still take the keyboard.
        connect(dock, &QDockWidget::visibilityChanged, dock->widget(), &QWidget::setEnabled);
        connect(dock, &QDockWidget::topLevelChanged, this, &Docks::refreshTitles);
        connect(dock, &QDockWidget::dockLocationChanged, this, &Docks::refreshTitles);
    }
    refreshTitles();
    m_window.resizeDocks({right.front()}, {500}, Qt::Horizontal);
    m_window.resizeDocks({bottom.front()}, {230}, Qt::Vertical);
}

void Docks::refreshTitles() {
    for (QDockWidget* dock : m_window.findChildren<QDockWidget*>()) {
        const bool tabbed = !dock->isFloating() && !m_window.tabifiedDockWidgets(dock).isEmpty();
        if (tabbed == (dock->titleBarWidget() != nullptr))
            continue;
        QWidget* before = dock->titleBarWidget();
        dock->setTitleBarWidget(tabbed ? new QWidget(dock) : nullptr);
        if (before)
            before->deleteLater();
    }
}

QStringList Docks::fronts() const {
    QStringList titles;
    for (const QTabBar* bar : m_window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        if (bar->currentIndex() >= 0)
            titles << bar->tabText(bar->currentIndex());
    return titles;
}

void Docks::raise(const QStringList& fronts) {
    for (QDockWidget* dock : m_window.findChildren<QDockWidget*>())
        if (fronts.contains(dock->windowTitle()))
            dock->raise();
}

} // namespace lockstep
