#include "app/mainwindow.h"

#include "app/colourist.h"
#include "app/demo.h"
#include "app/docks.h"
#include "app/errortext.h"
#include "model/report/session.h"
#include "views/common/format.h"
#include "views/panels/details.h"
#include "views/panels/emptypanel.h"
#include "views/panels/filterbar.h"
#include "views/panels/loadingpanel.h"
#include "views/panels/plainlabel.h"
#include "views/panels/runpanel.h"
#include "views/timeline/timelinepanel.h"
#include "views/timeline/timelineview.h"

#include <QAction>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QMimeData>
#include <QPushButton>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

namespace lockstep {

MainWindow::MainWindow(Settings& settings, Theme* theme, LoadController::Loader loader)
    : m_settings(settings)
    , m_theme(theme)
    , m_actions(*this)
    , m_loads(new LoadController(this, std::move(loader)))
    , m_colourist(new Colourist(m_state, this))
    , m_searches(*this)
    , m_arguments(*this)
    , m_exports(*this)
    , m_sessionWrites(*this)
    , m_sessionReads(*this) {
    setWindowTitle(QStringLiteral("Lockstep"));
    setAcceptDrops(true);
    resize(1440, 860);
    buildCentre();
    buildDocks();
    buildStatusBar();
    buildFileMenu();
    buildViewMenu();
    buildGoMenu();
    buildHelpMenu();
    buildToolBar();
    connectLoads();
    connect(&m_state, &ViewState::shownChanged, this, &MainWindow::refreshStatus);
    connect(m_details, &DetailsPanel::argumentsWanted, this, &MainWindow::readArguments);
    restoreGeometry(m_settings.geometry());
    restoreState(m_settings.windowState());
    m_pages->setCurrentWidget(m_timeline);
    showPage(m_empty);
    refreshRecent();
    refreshStatus();
}

// Children outlive the members: the answers of these must find none of them half gone.
MainWindow::~MainWindow() {
    delete m_loads;
    delete m_colourist;
    delete m_docks;
}

void MainWindow::buildCentre() {
    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_banner = new QWidget(centre);
    auto* bannerRow = new QHBoxLayout(m_banner);
    bannerRow->setContentsMargins(10, 4, 6, 4);
    m_bannerText = new PlainLabel({}, m_banner);
    m_bannerText->setWordWrap(true);
    auto* close = new QToolButton(m_banner);
    close->setText(QStringLiteral("×"));
    close->setAutoRaise(true);
    close->setAccessibleName(tr("Close the message"));
    connect(close, &QToolButton::clicked, this, &MainWindow::clearProblem);
    bannerRow->addWidget(m_bannerText, 1);
    bannerRow->addWidget(close);
    m_banner->setAutoFillBackground(true);
    m_banner->hide();
    m_loading = new LoadingPanel(centre);
    m_pages = new QStackedWidget(centre);
    m_empty = new EmptyPanel(m_pages);
    m_timeline = new TimelinePanel(m_state, m_pages);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_timeline);
    m_filters = new FilterBar(m_state, centre);
    column->addWidget(m_banner);
    column->addWidget(m_loading);
    column->addWidget(m_filters);
    column->addWidget(m_pages, 1);
    setCentralWidget(centre);
    connect(m_empty, &EmptyPanel::openFilesRequested, this, &MainWindow::chooseFiles);
    connect(m_empty, &EmptyPanel::openFolderRequested, this, &MainWindow::chooseFolder);
    connect(m_empty, &EmptyPanel::demoRequested, this, &MainWindow::openDemo);
    connect(m_empty, &EmptyPanel::recentRequested, this, [this](const QString& entry) {
        open(entry.split(QLatin1Char('\n')));
    });
}

void MainWindow::buildDocks() {
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    const auto addDock = [this](const QString& title, const QString& name, QWidget* panel,
                                Qt::DockWidgetArea area) {
        auto* dock = new QDockWidget(title, this);
        dock->setObjectName(name);
        dock->setWidget(panel);
        addDockWidget(area, dock);
        return dock;
    };
    m_runPanel = new RunPanel(m_state, this);
    m_details = new DetailsPanel(m_state, this);
    m_runDock = addDock(tr("Run"), QStringLiteral("runDock"), m_runPanel, Qt::RightDockWidgetArea);
    QDockWidget* details =
        addDock(tr("Details"), QStringLiteral("detailsDock"), m_details, Qt::BottomDockWidgetArea);
    m_docks = new Docks(*this, m_state, m_settings.categoryFile());
    m_docks->arrange(*m_runDock, *details);
}

void MainWindow::buildStatusBar() {
    m_status = new PlainLabel({}, this);
    m_quality = new QPushButton(this);
    m_quality->setFlat(true);
    m_quality->setFocusPolicy(Qt::TabFocus);
    connect(m_quality, &QPushButton::clicked, this, [this] {
        m_runDock->show();
        m_runDock->raise();
    });
    statusBar()->addWidget(m_status);
    m_synthetic = new PlainLabel(tr("synthetic run"), this);
    m_synthetic->setToolTip(tr("These traces were generated, not recorded."));
    statusBar()->addWidget(m_quality);
    statusBar()->addPermanentWidget(m_synthetic);
    statusBar()->setContentsMargins(8, 0, 8, 0);
    statusBar()->setSizeGripEnabled(false);
}

void MainWindow::connectLoads() {
    connect(m_loading, &LoadingPanel::cancelRequested, m_loads, &LoadController::cancel);
    connect(m_colourist, &Colourist::failed, this, &MainWindow::showProblem);
    connect(m_loads, &LoadController::started, this,
            [this](const std::shared_ptr<const LoadProgress>& progress) {
                clearProblem();
                auto opened = std::make_shared<ShownRun>();
                opened->loading = true;
                m_state.setShown(std::move(opened));
                showPage(m_timeline);
                m_loading->follow(progress);
            });
    connect(m_loads, &LoadController::partlyLoaded, this,
            [this](const std::shared_ptr<const ShownRun>& shown) {
                m_state.setShown(shown, true);
            });
    connect(m_loads, &LoadController::loaded, this,
            [this](const std::shared_ptr<const ShownRun>& shown, const QStringList& paths) {
                m_loading->stop();
                m_state.setShown(shown, true);
                m_settings.addRecentRun(paths);
                refreshRecent();
                m_timeline->view().setFocus();
                Q_EMIT settled();
            });
    connect(m_loads, &LoadController::analysed, this, [this](const std::shared_ptr<const ShownRun>& shown) {
        m_state.setShown(shown, true);
        Q_EMIT analysed();
    });
    connect(m_loads, &LoadController::failed, this, [this](const QString& sentence) {
        closeRun();
        showProblem(sentence);
        Q_EMIT settled();
    });
    connect(m_loads, &LoadController::cancelled, this, [this] {
        closeRun();
        Q_EMIT settled();
    });
}

void MainWindow::showPage(QWidget* page) {
    const bool toEmpty = page == m_empty;
    if (toEmpty && m_pages->currentWidget() != m_empty) {
        m_frontDocks = m_docks->fronts();
        m_docksWhenOpen.clear();
        for (QDockWidget* dock : findChildren<QDockWidget*>())
            if (!dock->isHidden())
                m_docksWhenOpen.push_back(dock);
    }
    m_pages->setCurrentWidget(page);
    // With nothing open the panels would be bare: they come back with the next run.
    for (QDockWidget* dock : m_docksWhenOpen)
        dock->setVisible(!toEmpty);
    if (!toEmpty)
        m_docks->raise(std::exchange(m_frontDocks, {}));
}

void MainWindow::open(const QStringList& paths) {
    m_sessionReads.cancel(); // the newest wish counts
    if (paths.size() == 1 && isSessionName(paths.first().toStdString()))
        openSession(paths.first());
    else
        m_loads->open(paths);
}

void MainWindow::openDemo() {
    const QString demo = demoFolder();
    if (demo.isEmpty())
        showProblem(tr("The demo is missing from this installation. Open traces of your own instead."));
    else
        open({demo});
}

void MainWindow::closeRun() {
    m_sessionReads.cancel();
    m_loading->stop();
    m_state.setShown(std::make_shared<ShownRun>());
    showPage(m_empty);
    clearProblem();
}

void MainWindow::showProblem(const QString& sentence) {
    if (m_pages->currentWidget() == m_empty) {
        m_empty->setProblem(sentence);
        return;
    }
    m_bannerText->setText(sentence);
    m_banner->show();
}

void MainWindow::clearProblem() {
    m_empty->setProblem({});
    m_bannerText->clear();
    m_banner->hide();
}

QString MainWindow::bannerText() const {
    return m_bannerText->text();
}

void MainWindow::refreshStatus() {
    const ShownRun& shown = *m_state.shown();
    const bool open = !shown.ranks.empty();
    for (QAction* action : m_runActions)
        action->setEnabled(open);
    m_quality->setVisible(open);
    m_synthetic->setVisible(std::any_of(shown.ranks.begin(), shown.ranks.end(), [](const ShownRank& rank) {
        return rank.trace->header.other.contains("lockstep_synthetic");
    }));
    if (!open) {
        m_status->setText(m_state.shown()->loading ? tr("Reading…") : tr("No run is open"));
        setWindowTitle(QStringLiteral("Lockstep"));
        return;
    }
    std::size_t events = 0;
    for (const ShownRank& rank : shown.ranks)
        events += rank.trace->events.size();
    QStringList loaded{countedText(shown.ranks.size(), tr("file"), tr("files")),
                       countedText(events, tr("event"), tr("events"))};
    if (shown.run) {
        loaded << QString::number(shown.run->loadSeconds, 'f', 1) + QStringLiteral(" s");
        setWindowTitle(traceText(shown.run->name) + QStringLiteral(" – Lockstep"));
    } else {
        loaded << tr("still reading");
    }
    QStringList parts{loaded.join(QStringLiteral(", "))};
    if (shown.analysis)
        parts.prepend(alignmentText(shown.analysis->alignment));
    else if (shown.run)
        parts.prepend(tr("aligning…"));
    m_status->setText(parts.join(QStringLiteral(" · ")) + QStringLiteral(" ·"));
    m_quality->setText(qualitySummary(shown));
}

QString MainWindow::statusText() const {
    return m_status->text() + QLatin1Char(' ') + m_quality->text();
}

void MainWindow::readArguments(EventRef event) {
    // The trace is kept alive while it is read, whatever is opened meanwhile.
    const std::shared_ptr<const RankTrace> trace = m_state.shown()->ranks[event.rank].trace;
    m_arguments.start(
        [trace, id = event.event](const std::stop_token&) {
            return readEventArguments(*trace, id);
        },
        [this, event](const Result<std::vector<EventArgument>>& arguments) {
            if (!arguments) {
                m_details->setArgumentsError(event, errorText(arguments.error()));
                return;
            }
            std::vector<DetailRow> rows;
            for (const EventArgument& argument : *arguments)
                rows.push_back({traceText(argument.key), traceText(argument.value)});
            m_details->setArguments(event, std::move(rows));
        });
}

void MainWindow::chooseFiles() {
    open(QFileDialog::getOpenFileNames(this, tr("Open traces of one run"), {},
                                       tr("Traces (*.json *.gz *.zst *.zstd);;All files (*)")));
}

void MainWindow::chooseFolder() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Open the folder of a run"));
    if (!folder.isEmpty())
        open({folder});
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (std::any_of(urls.begin(), urls.end(), [](const QUrl& url) {
            return url.isLocalFile();
        }))
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    event->acceptProposedAction();
    open(paths);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    m_loads->cancel();
    showPage(m_timeline); // the layout that is kept is the one of an open run
    m_settings.setWindow(saveGeometry(), saveState());
    event->accept();
}

} // namespace lockstep
