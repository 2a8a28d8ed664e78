// How one gets around in a run: the Go and Help menus, the toolbar, search.
#include "app/commandpalette.h"
#include "app/mainwindow.h"
#include "views/panels/filterbar.h"
#include "views/panels/searchbar.h"
#include "views/panels/stepbar.h"
#include "views/timeline/timelinepanel.h"
#include "views/timeline/timelineview.h"

#include <QAction>
#include <QActionGroup>
#include <QMenuBar>
#include <QMessageBox>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>

namespace lockstep {

void MainWindow::buildGoMenu() {
    QMenu& go = *menuBar()->addMenu(tr("&Go"));
    TimelineView& lanes = m_timeline->view();
    m_search = new SearchBar(m_state, this);
    m_steps = new StepBar(m_state, this);
    const auto add = [&](const QString& text, const QList<QKeySequence>& keys, auto&& run) {
        m_runActions.push_back(m_actions.add(go, text, keys, run));
    };
    add(tr("&Search names"), {Qt::Key_Slash, QKeySequence::Find}, [this] {
        m_search->edit();
    });
    add(tr("Next &hit"), {QKeySequence(Qt::Key_F3)}, [this] {
        m_search->goToHit(1);
    });
    add(tr("Previous h&it"), {QKeySequence(Qt::SHIFT | Qt::Key_F3)}, [this] {
        m_search->goToHit(-1);
    });
    go.addSeparator();
    add(tr("Next s&tep"), {Qt::Key_PageDown}, [this] {
        m_steps->go(1);
    });
    add(tr("Previous ste&p"), {Qt::Key_PageUp}, [this] {
        m_steps->go(-1);
    });
    add(tr("&Median step"), {QKeySequence(Qt::SHIFT | Qt::Key_M)}, [this] {
        m_steps->goToMedian();
    });
    add(tr("Median step &beside"), {Qt::Key_B}, [this] {
        m_steps->setBeside(!m_state.medianBeside());
    });
    add(tr("Leave the step"), {QKeySequence(Qt::SHIFT | Qt::Key_Escape)}, [this] {
        m_state.setStep(std::nullopt);
        m_state.fitAll();
    });
    go.addSeparator();
    const auto goToStall = [this, &lanes](int direction) {
        if (!lanes.showNeighbourStall(direction))
            statusBar()->showMessage(
                m_state.currentStall() ? tr("No further stall in this direction.")
                : m_state.filters().any()
                    ? tr("The filters leave no stall.")
                    : tr("No collective was matched across ranks: there is no stall to go to."),
                4'000);
    };
    add(tr("Next stall, &worst first"), {Qt::Key_N}, [goToStall] {
        goToStall(1);
    });
    add(tr("Previous sta&ll"), {Qt::Key_P}, [goToStall] {
        goToStall(-1);
    });
    go.addSeparator();
    add(tr("&Next event"), {Qt::Key_Period}, [&lanes] {
        lanes.selectNeighbour(1);
    });
    add(tr("Pre&vious event"), {Qt::Key_Comma}, [&lanes] {
        lanes.selectNeighbour(-1);
    });
    add(tr("To what la&unched it"), {Qt::Key_BracketLeft}, [&lanes] {
        lanes.followLaunch(-1);
    });
    add(tr("To what it launche&d"), {Qt::Key_BracketRight}, [&lanes] {
        lanes.followLaunch(1);
    });
    go.addSeparator();
    add(tr("Mar&k this moment"), {Qt::Key_M}, [&lanes] {
        lanes.toggleMark();
    });
    add(tr("Remove all marks"), {}, [this] {
        m_state.clearMarks();
    });
    add(tr("&Clear selection"), {Qt::Key_Escape}, [this] {
        clearOneThing();
    });
    connect(m_search, &SearchBar::searchWanted, this, &MainWindow::startSearch);
    connect(m_search, &SearchBar::left, &lanes, qOverload<>(&QWidget::setFocus));
    connect(&lanes, &TimelineView::searchRequested, m_search, [this](const QString& pattern) {
        m_search->setPattern(pattern);
    });
}

void MainWindow::clearOneThing() {
    const bool chosen =
        m_state.selection().valid() || m_state.selectedRange() || m_state.currentStall().has_value();
    if (chosen)
        m_state.clear();
    else if (m_state.search())
        m_search->setPattern({});
}

void MainWindow::startSearch(const QString& pattern) {
    m_searches.cancel();
    if (pattern.isEmpty() || m_state.shown()->ranks.empty()) {
        m_state.setSearch(nullptr);
        return;
    }
    m_searches.start(
        [shown = m_state.shown(), pattern](const std::stop_token& stop) {
            return searchNames(*shown, pattern, stop);
        },
        [this, searched = m_state.shown()](std::shared_ptr<const SearchResult> result) {
            // Hits are numbers of events: they mean nothing in another run.
            const bool same =
                m_state.shown() == searched || (searched->run && searched->run == m_state.shown()->run);
            if (result && same)
                m_state.setSearch(std::move(result));
        });
}

void MainWindow::buildHelpMenu() {
    QMenu& help = *menuBar()->addMenu(tr("&Help"));
    m_actions.add(help, tr("&Keys"), {Qt::Key_Question, Qt::Key_F1}, [this] {
        showKeys(*this, m_actions);
    });
    m_actions.add(help, tr("&Commands…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)}, [this] {
        auto* palette = new CommandPalette(m_actions.all(), this);
        palette->show();
    });
    m_actions.add(help, tr("&About Lockstep"), {}, [this] {
        QMessageBox::about(this, tr("Lockstep"),
                           tr("Lockstep %1: decode timelines of all ranks on one clock.")
                               .arg(QStringLiteral(LOCKSTEP_VERSION)));
    });
}

void MainWindow::buildToolBar() {
    QToolBar* bar = addToolBar(tr("Toolbar"));
    bar->setObjectName(QStringLiteral("toolbar"));
    bar->setMovable(false);
    bar->setStyleSheet(QStringLiteral("QToolBar { border: none; padding: 3px; spacing: 4px; }"));
    bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_openAction->setIconText(tr("Open…"));
    bar->addAction(m_openAction);
    bar->addSeparator();
    bar->addWidget(m_steps);
    bar->addSeparator();
    addAttribution(*bar);
    bar->addSeparator();
    auto* filter = new QToolButton(bar);
    filter->setText(tr("Filter"));
    filter->setPopupMode(QToolButton::InstantPopup);
    filter->setAccessibleName(tr("Filters"));
    auto* menu = new QMenu(filter);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        fillFilterMenu(*menu, m_state);
    });
    filter->setMenu(menu);
    bar->addWidget(filter);
    m_foldAction->setIconText(tr("One row per rank"));
    bar->addAction(m_foldAction);
    m_search->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(m_search);
}

void MainWindow::addAttribution(QToolBar& bar) {
    auto* group = new QActionGroup(&bar);
    const auto add = [&](const QString& text, const QString& tip, Attribution attribution) {
        QAction* action = bar.addAction(text);
        action->setCheckable(true);
        action->setToolTip(tip);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, attribution] {
            m_state.setAttribution(attribution);
        });
        const auto refresh = [this, action, attribution] {
            action->setChecked(m_state.attribution() == attribution);
        };
        connect(&m_state, &ViewState::attributionChanged, this, refresh);
        refresh();
    };
    add(tr("sum"), tr("Durations added up: parts that overlap count twice"), Attribution::Sum);
    add(tr("wall"), tr("Each instant shared among what runs in it: parts and idle add up to the wall time"),
        Attribution::Wall);
}

} // namespace lockstep
