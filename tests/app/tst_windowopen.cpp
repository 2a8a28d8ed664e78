#include "app/breakdownpanel.h"
#include "app/docks.h"
#include "app/mainwindow.h"
#include "app/stepspanel.h"
#include "tests/support/qttest.h"
#include "tests/support/runbuilder.h"
#include "views/panels/details.h"
#include "views/panels/emptypanel.h"
#include "views/panels/loadingpanel.h"
#include "views/panels/runpanel.h"
#include "views/timeline/timelinepanel.h"
#include "views/timeline/timelineview.h"

#include <QDropEvent>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QThread>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// A window with settings of its own.
struct Stage {
    QTemporaryDir folder;
    Settings settings{folder.filePath(QStringLiteral("settings.ini"))};
    MainWindow window;

    explicit Stage(LoadController::Loader loader = loadRun)
        : window(settings, nullptr, std::move(loader)) {
        window.resize(1280, 720);
        window.show();
        const bool exposed = QTest::qWaitForWindowExposed(&window);
        Q_ASSERT(exposed);
    }
    [[nodiscard]] bool settle() {
        QSignalSpy settled(&window, &MainWindow::settled);
        return settled.wait(20'000);
    }
};

QStringList writeRun(const TemporaryFolder& folder) {
    RunBuilder run(2);
    run.step(0).compute("gemm", 20us).allReduce({{1, 30us}}).compute("attention<int>", 15us);
    run.step(1).compute("gemm", 20us).allReduce({{0, 10us}}).compute("attention<int>", 15us);
    QStringList paths;
    for (const std::string& path : run.writeTo(folder))
        paths << QString::fromStdString(path);
    return paths;
}

/// Whether any of it can be seen: what lies behind another tab is "visible" to Qt all the same.
bool inFront(const QWidget& widget) {
    return !widget.visibleRegion().isEmpty();
}

/// Waits until it is told to stop, as a long load would.
Result<std::shared_ptr<const Run>> loadForever(const std::vector<std::string>&, const LoadOptions& options) {
    while (!options.stop.stop_requested())
        QThread::msleep(1);
    return make_unexpected(Error{ErrorCode::Cancelled, {}, {}, "cancelled"});
}

} // namespace

class WindowOpenTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnQtWarnings(); }

    void startsEmptyAndSaysWhatToDo() {
        Stage stage;
        QVERIFY(stage.window.empty().isVisible());
        QVERIFY(!stage.window.timeline().isVisible());
        QVERIFY(!stage.window.details().isVisible());
    }

    void panelsComeBackWithARun() {
        Stage stage;
        const TemporaryFolder folder;
        stage.window.open(writeRun(folder));
        QVERIFY(stage.settle());
        // The first of the docks that share a place is in front; the others are a tab away.
        QTRY_VERIFY(inFront(stage.window.docks().breakdown()));
        QTRY_VERIFY(inFront(stage.window.docks().steps()));
        QTRY_VERIFY(!inFront(stage.window.details()));
        QVERIFY(!stage.window.details().parentWidget()->isHidden());
        QVERIFY(!stage.window.runPanel().parentWidget()->isHidden());
    }

    void opensWhatIsDropped() {
        Stage stage;
        const TemporaryFolder folder;
        QMimeData mime;
        QList<QUrl> urls;
        for (const QString& path : writeRun(folder))
            urls << QUrl::fromLocalFile(path);
        mime.setUrls(urls);
        QDragEnterEvent enter(QPoint(400, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&stage.window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(400, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&stage.window, &drop);
        QVERIFY(stage.settle());
        QCOMPARE(stage.window.state().shown()->ranks.size(), std::size_t{2});
        QVERIFY(stage.window.timeline().isVisible());
        QCOMPARE(stage.settings.recentRuns().size(), 1);
    }

    void opensAFolder() {
        Stage stage;
        const TemporaryFolder folder;
        writeRun(folder);
        stage.window.open({QString::fromStdString(folder.path())});
        QVERIFY(stage.settle());
        QCOMPARE(stage.window.state().shown()->ranks.size(), std::size_t{2});
        QCOMPARE(stage.window.state().shown()->steps.size(), std::size_t{2});
    }

    void opensTheDemo() {
        Stage stage;
        stage.window.openDemo();
        QVERIFY(stage.settle());
        QCOMPARE(stage.window.state().shown()->ranks.size(), std::size_t{2});
    }

    void saysInTheWindowWhatCouldNotBeOpened() {
        Stage stage;
        const TemporaryFolder folder;
        stage.window.open({QString::fromStdString(folder.write("notes.json", "no trace at all"))});
        QVERIFY(stage.settle());
        QVERIFY(stage.window.empty().isVisible());
        QVERIFY(stage.window.empty().problem().contains(QStringLiteral("notes.json")));
        writeRun(folder);
        stage.window.open({QString::fromStdString(folder.path("rank0.json"))});
        QVERIFY(stage.settle());
        QVERIFY(stage.window.empty().problem().isEmpty());
    }

    void clickingAnEventShowsItsDetailsWithTheFilesArguments() {
        Stage stage;
        const TemporaryFolder folder;
        stage.window.open(writeRun(folder));
        QVERIFY(stage.settle());
        stage.window.grab();
        TimelineView& view = stage.window.timeline().view();
        const RankTrace& trace = *stage.window.state().shown()->ranks[0].trace;
        EventRef kernel{0, trace.gpuActivities().front()};
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.rectOf(kernel).center());
        QVERIFY(stage.window.state().selection() == kernel);
        DetailsPanel& details = stage.window.details();
        QVERIFY(details.text().contains(QStringLiteral("Event / kind: kernel")));
        QTRY_VERIFY(!details.text().filter(QStringLiteral("Arguments in the file / correlation")).isEmpty());
    }

    void keysZoomPanAndFit() {
        Stage stage;
        const TemporaryFolder folder;
        stage.window.open(writeRun(folder));
        QVERIFY(stage.settle());
        ViewState& state = stage.window.state();
        const TimeRange all = state.visibleRange();
        QTest::keyClick(&stage.window, Qt::Key_W);
        QTest::keyClick(&stage.window, Qt::Key_W);
        const TimeRange zoomed = state.visibleRange();
        QVERIFY(zoomed.length() < all.length() * 6 / 10);
        QTest::keyClick(&stage.window, Qt::Key_D);
        QVERIFY(state.visibleRange().begin > zoomed.begin);
        QCOMPARE(state.visibleRange().length(), zoomed.length());
        QTest::keyClick(&stage.window, Qt::Key_A);
        QTest::keyClick(&stage.window, Qt::Key_S);
        QVERIFY(state.visibleRange().length() > zoomed.length());
        QTest::keyClick(&stage.window, Qt::Key_Period);
        QVERIFY(state.selection().valid());
        QTest::keyClick(&stage.window, Qt::Key_F);
        QVERIFY(state.visibleRange().length() < all.length() / 2);
        QTest::keyClick(&stage.window, Qt::Key_0);
        QVERIFY(state.visibleRange() == all);
        QTest::keyClick(&stage.window, Qt::Key_Escape);
        QVERIFY(!state.selection().valid());
    }

    void cancellingALoadComesBackToTheStart() {
        Stage stage(loadForever);
        stage.window.open({QStringLiteral("/some/run")});
        QTRY_VERIFY(stage.window.loading().isVisible());
        QVERIFY(stage.window.loads().loading());
        stage.window.loading().findChild<QPushButton*>(QStringLiteral("cancelLoad"))->click();
        QVERIFY(!stage.window.loads().loading());
        QVERIFY(!stage.window.loading().isVisible());
        QVERIFY(stage.window.empty().isVisible());
        QVERIFY(stage.settings.recentRuns().isEmpty());
    }

    void drawsWhatHasArrivedWhileMoreIsRead() {
        Stage stage([](const std::vector<std::string>& files, const LoadOptions& options) {
            test::HandmadeRank rank(0);
            rank.track(TrackKind::GpuStream, "7").kernel("early", 1'000, 500);
            options.onPartial(std::make_shared<RankTrace>(rank.build()));
            return loadForever(files, options);
        });
        stage.window.open({QStringLiteral("/some/run")});
        QTRY_COMPARE(stage.window.state().shown()->ranks.size(), std::size_t{1});
        QVERIFY(stage.window.loads().loading());
        QVERIFY(stage.window.timeline().isVisible());
    }

    void openingAnotherRunWhileOneLoadsShowsTheOther() {
        const TemporaryFolder folder;
        const QStringList run = writeRun(folder);
        Stage stage([](const std::vector<std::string>& files, const LoadOptions& options) {
            return files.front() == "/slow" ? loadForever(files, options) : loadRun(files, options);
        });
        stage.window.open({QStringLiteral("/slow")});
        QTest::qWait(10);
        stage.window.open(run);
        QVERIFY(stage.settle());
        QCOMPARE(stage.window.state().shown()->ranks.size(), std::size_t{2});
        QVERIFY(!stage.window.loading().isVisible());
    }

    void closingWhileLoadingIsSafe() {
        auto stage = std::make_unique<Stage>(loadForever);
        stage->window.open({QStringLiteral("/slow")});
        QTest::qWait(5);
        stage.reset();
        QTest::qWait(20);
    }

    void remembersTheNewestRunsFirst() {
        const QTemporaryDir folder;
        Settings settings(folder.filePath(QStringLiteral("s.ini")));
        for (int i = 0; i < 12; ++i)
            settings.addRecentRun({QStringLiteral("/run%1").arg(i)});
        settings.addRecentRun({QStringLiteral("/run5")});
        QCOMPARE(settings.recentRuns().size(), Settings::kMostRecent);
        QCOMPARE(settings.recentRuns().first(), QStringLiteral("/run5"));
        QCOMPARE(settings.recentRuns().count(QStringLiteral("/run5")), 1);
    }
};

LOCKSTEP_QTEST_MAIN(WindowOpenTest)
#include "tst_windowopen.moc"
