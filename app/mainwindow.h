#pragma once

#include "app/actions.h"
#include "app/loadcontroller.h"
#include "app/settings.h"
#include "app/viewsession.h"
#include "model/import/eventtext.h"
#include "model/report/reportviews.h"
#include "views/common/viewstate.h"

#include <QMainWindow>

class QActionGroup;
class QLabel;
class QPushButton;
class QStackedWidget;
class QToolBar;
class QToolButton;

namespace lockstep {

class Colourist;
class DetailsPanel;
class Docks;
class EmptyPanel;
class FilterBar;
class LoadingPanel;
class RunPanel;
class SearchBar;
class StepBar;
class TimelinePanel;

/// The window: puts the views around one ViewState, and wires them to menus, keys, files and settings.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// `theme` may be null: then the menu offers no choice of look.
    explicit MainWindow(Settings& settings, Theme* theme = nullptr, LoadController::Loader loader = loadRun);
    ~MainWindow() override;

    void open(const QStringList& paths);
    void openDemo();
    void closeRun();

    [[nodiscard]] ViewState& state() { return m_state; }
    [[nodiscard]] const LoadController& loads() const { return *m_loads; }
    [[nodiscard]] TimelinePanel& timeline() const { return *m_timeline; }
    [[nodiscard]] DetailsPanel& details() const { return *m_details; }
    [[nodiscard]] Docks& docks() const { return *m_docks; }
    [[nodiscard]] RunPanel& runPanel() const { return *m_runPanel; }
    [[nodiscard]] EmptyPanel& empty() const { return *m_empty; }
    [[nodiscard]] LoadingPanel& loading() const { return *m_loading; }
    [[nodiscard]] SearchBar& search() const { return *m_search; }
    [[nodiscard]] StepBar& steps() const { return *m_steps; }
    [[nodiscard]] const Actions& actions() const { return m_actions; }
    /// What the status bar says of the run.
    [[nodiscard]] QString statusText() const;
    /// The sentence in the banner over an open run; empty where there is none.
    [[nodiscard]] QString bannerText() const;

    /// Shows what can be exported of the open run; says so where it is not analysed yet.
    void exportViews();
    /// Saves what is shown as a session; sessionWritten() follows.
    void writeSessionTo(const QString& file);

Q_SIGNALS:
    void sessionWritten();
    /// A load ended, one way or another.
    void settled();
    /// The open run was aligned, and its steps and stalls found.
    void analysed();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void buildCentre();
    void buildDocks();
    void buildStatusBar();
    void buildFileMenu();
    void buildViewMenu();
    void buildGoMenu();
    void buildHelpMenu();
    void buildThemeMenu(QMenu& view);
    void buildToolBar();
    void buildCommands(QMenu& help);
    void addAttribution(QToolBar& bar);
    void startSearch(const QString& pattern);
    void clearOneThing();
    void connectLoads();
    void refreshRecent();
    void refreshStatus();
    void showProblem(const QString& sentence);
    void clearProblem();
    void chooseFiles();
    void chooseFolder();
    void saveSession();
    void openSession(const QString& path);
    [[nodiscard]] bool settleProblems(SessionRead& read);
    void showSession(const Session& session);
    void readArguments(EventRef event);
    void showPage(QWidget* page);

    Settings& m_settings;
    Theme* m_theme;
    ViewState m_state;
    Actions m_actions;
    LoadController* m_loads;
    Colourist* m_colourist;
    QStackedWidget* m_pages = nullptr;
    EmptyPanel* m_empty = nullptr;
    TimelinePanel* m_timeline = nullptr;
    LoadingPanel* m_loading = nullptr;
    QWidget* m_banner = nullptr;
    QLabel* m_bannerText = nullptr;
    FilterBar* m_filters = nullptr;
    SearchBar* m_search = nullptr;
    StepBar* m_steps = nullptr;
    DetailsPanel* m_details = nullptr;
    RunPanel* m_runPanel = nullptr;
    QDockWidget* m_runDock = nullptr;
    Docks* m_docks = nullptr;
    QMenu* m_recentMenu = nullptr;
    QLabel* m_status = nullptr;
    QLabel* m_synthetic = nullptr;
    QPushButton* m_quality = nullptr;
    QAction* m_openAction = nullptr;
    QAction* m_backAction = nullptr;
    QAction* m_forwardAction = nullptr;
    QAction* m_fitAllAction = nullptr;
    QAction* m_fitSelectionAction = nullptr;
    QAction* m_foldAction = nullptr;
    QAction* m_cpuAction = nullptr;
    std::vector<QAction*> m_runActions; ///< those that need an open run
    std::vector<QDockWidget*> m_docksWhenOpen;
    QStringList m_frontDocks; ///< titles of the docks in front when they were hidden
    Job<std::shared_ptr<const SearchResult>> m_searches; ///< last, with m_arguments: they join their threads
    Job<Result<std::vector<EventArgument>>> m_arguments; ///< before the rest goes
    Job<Result<std::vector<ReportView>>> m_exports;
    Job<Result<SessionRead>> m_sessionWrites;
    Job<Result<SessionRead>> m_sessionReads;
};

} // namespace lockstep
