#include "app/comparisonpanel.h"
#include "app/demo.h"
#include "app/docks.h"
#include "app/mainwindow.h"
#include "views/panels/emptypanel.h"
#include "views/panels/filterbar.h"
#include "views/timeline/timelinepanel.h"
#include "views/timeline/timelineview.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenuBar>

namespace lockstep {

namespace {
constexpr double kKeyZoom = 0.75; ///< of one press of W; S is its inverse
constexpr double kKeyPan = 0.15;  ///< part of the visible range
} // namespace

void MainWindow::buildFileMenu() {
    QMenu& file = *menuBar()->addMenu(tr("&File"));
    m_openAction = m_actions.add(file, tr("&Open files…"), {QKeySequence::Open}, [this] {
        chooseFiles();
    });
    m_actions.add(file, tr("Open &folder…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)}, [this] {
        chooseFolder();
    });
    m_recentMenu = file.addMenu(tr("Open &recent"));
    m_actions.add(file, tr("Open the &demo"), {}, [this] {
        openDemo();
    });
    file.addSeparator();
    m_actions.add(file, tr("&Save session…"), {QKeySequence::Save}, [this] {
        saveSession();
    });
    m_actions.add(file, tr("&Export…"), {QKeySequence(Qt::CTRL | Qt::Key_E)}, [this] {
        exportViews();
    });
    m_actions.add(file, tr("Co&mpare with files…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M)}, [this] {
        m_docks->comparison().chooseFiles();
    });
    m_actions.add(file, tr("Compare with fo&lder…"), {}, [this] {
        m_docks->comparison().chooseFolder();
    });
    file.addSeparator();
    m_actions.add(file, tr("&Close run"), {QKeySequence(Qt::CTRL | Qt::Key_W)}, [this] {
        m_loads->cancel();
        closeRun();
    });
    m_actions.add(file, tr("&Quit"), {QKeySequence(Qt::CTRL | Qt::Key_Q)}, [this] {
        close();
    });
}

void MainWindow::buildViewMenu() {
    QMenu& view = *menuBar()->addMenu(tr("&View"));
    TimelineView& lanes = m_timeline->view();
    m_actions.add(view, tr("Zoom &in"), {Qt::Key_W, QKeySequence(Qt::CTRL | Qt::Key_Plus)}, [&lanes] {
        lanes.zoom(kKeyZoom);
    });
    m_actions.add(view, tr("Zoom &out"), {Qt::Key_S, QKeySequence(Qt::CTRL | Qt::Key_Minus)}, [&lanes] {
        lanes.zoom(1 / kKeyZoom);
    });
    m_actions.add(view, tr("Pan &left"), {Qt::Key_A, Qt::Key_Left}, [&lanes] {
        lanes.pan(-kKeyPan);
    });
    m_actions.add(view, tr("Pan &right"), {Qt::Key_D, Qt::Key_Right}, [&lanes] {
        lanes.pan(kKeyPan);
    });
    m_fitSelectionAction = m_actions.add(view, tr("&Fit selection"), {Qt::Key_F}, [this] {
        m_state.fitSelection();
    });
    m_fitAllAction = m_actions.add(view, tr("Fit &all"), {Qt::Key_0}, [this] {
        m_state.fitAll();
    });
    view.addSeparator();
    m_backAction =
        m_actions.add(view, tr("&Back"), {QKeySequence(Qt::ALT | Qt::Key_Left), Qt::Key_Backspace}, [this] {
            m_state.goBack();
        });
    m_forwardAction = m_actions.add(view, tr("For&ward"), {QKeySequence(Qt::ALT | Qt::Key_Right)}, [this] {
        m_state.goForward();
    });
    const auto refreshHistory = [this] {
        m_backAction->setEnabled(m_state.canGoBack());
        m_forwardAction->setEnabled(m_state.canGoForward());
    };
    connect(&m_state, &ViewState::historyChanged, this, refreshHistory);
    refreshHistory();
    view.addSeparator();
    m_foldAction = m_actions.add(view, tr("&One row per rank"), {Qt::Key_R}, [this, &lanes] {
        lanes.setAllRanksFolded(m_foldAction->isChecked());
    });
    m_foldAction->setCheckable(true);
    m_cpuAction = m_actions.add(view, tr("&CPU lanes"), {Qt::Key_C}, [this, &lanes] {
        lanes.setCpuLanesOpen(m_cpuAction->isChecked());
    });
    m_cpuAction->setCheckable(true);
    QAction* reset = m_actions.add(view, tr("Show all ranks and &lanes"), {}, [&lanes] {
        lanes.resetTracks();
    });
    connect(&lanes, &TimelineView::tracksChanged, this, [this, &lanes, reset] {
        m_foldAction->setChecked(lanes.tracks().allFolded());
        reset->setEnabled(lanes.tracks().changed());
    });
    QMenu* filter = view.addMenu(tr("F&ilter"));
    connect(filter, &QMenu::aboutToShow, this, [this, filter] {
        fillFilterMenu(*filter, m_state);
    });
    view.addSeparator();
    m_runActions.insert(m_runActions.end(),
                        {m_fitAllAction, m_fitSelectionAction, m_foldAction, m_cpuAction});
    for (QDockWidget* dock : findChildren<QDockWidget*>())
        view.addAction(dock->toggleViewAction());
    buildThemeMenu(view);
}

void MainWindow::buildThemeMenu(QMenu& view) {
    if (!m_theme)
        return;
    QMenu* menu = view.addMenu(tr("&Theme"));
    auto* group = new QActionGroup(menu);
    const auto add = [&](const QString& text, ThemeChoice choice) {
        QAction* action = menu->addAction(text, this, [this, choice] {
            m_theme->apply(choice);
            m_settings.setTheme(choice);
        });
        action->setCheckable(true);
        action->setChecked(m_theme->choice() == choice);
        group->addAction(action);
    };
    add(tr("Like the &system"), ThemeChoice::System);
    add(tr("&Light"), ThemeChoice::Light);
    add(tr("&Dark"), ThemeChoice::Dark);
}

void MainWindow::refreshRecent() {
    const QStringList recent = m_settings.recentRuns();
    m_empty->setRecent(recent);
    m_recentMenu->clear();
    m_recentMenu->setEnabled(!recent.isEmpty());
    for (const QString& entry : recent) {
        const QStringList paths = entry.split(QLatin1Char('\n'));
        QString text = QFileInfo(paths.first()).fileName();
        if (paths.size() > 1)
            text += tr(" and %1 more").arg(paths.size() - 1);
        text.replace(QLatin1Char('&'), QLatin1String("&&"));
        m_recentMenu
            ->addAction(text, this,
                        [this, paths] {
                            open(paths);
                        })
            ->setStatusTip(paths.first());
    }
    if (recent.isEmpty())
        return;
    m_recentMenu->addSeparator();
    m_recentMenu->addAction(tr("Clear list"), this, [this] {
        m_settings.clearRecentRuns();
        refreshRecent();
    });
}

} // namespace lockstep
