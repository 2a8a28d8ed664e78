// Sessions saved and reopened in the window, and that it exports what lockstep-cli exports.
#include "app/docks.h"
#include "app/exportdialog.h"
#include "app/mainwindow.h"
#include "tests/support/process.h"
#include "tests/support/qttest.h"
#include "tests/support/runbuilder.h"
#include "views/charts/stepstrip.h"
#include "views/panels/searchbar.h"
#include "views/timeline/minimap.h"
#include "views/timeline/timelinepanel.h"
#include "views/timeline/timelineview.h"

#include <QDockWidget>
#include <QFile>
#include <QSignalSpy>
#include <QStatusBar>
#include <qcustomplot.h>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// The files of a run of two ranks and six steps, in which rank 1 comes 200 µs late in step 2.
QStringList runIn(const TemporaryFolder& folder) {
    RunBuilder run(2);
    for (int step = 0; step < 6; ++step)
        run.step(step, "execute_context_0(0)_generation_1(1)")
            .compute("flash_fwd_splitkv_kernel", 20us)
            .allReduce({{1, step == 2 ? 200us : 1us}}, 10us)
            .compute("marlin_gemm", 20us)
            .allReduce({{0, 1us}}, 10us);
    QStringList paths;
    for (const std::string& path : run.writeTo(folder))
        paths << QString::fromStdString(path);
    return paths;
}

/// A window with something open, analysed and coloured.
struct Stage {
    QTemporaryDir settingsFolder;
    Settings settings{settingsFolder.filePath(QStringLiteral("settings.ini"))};
    MainWindow window{settings};

    explicit Stage(const QStringList& paths) {
        window.resize(1280, 720);
        window.show();
        const bool exposed = QTest::qWaitForWindowExposed(&window);
        Q_ASSERT(exposed);
        window.open(paths);
        const bool coloured = QTest::qWaitFor(
            [this] {
                return window.state().colouring() != nullptr;
            },
            20'000);
        Q_ASSERT(coloured);
        settle();
    }
    /// Until the figures, which come from threads of their own, are those of what is chosen, and the picture
    /// stays as it is.
    void settle() {
        const bool followed = QTest::qWaitFor(
            [this] {
                const auto figures = window.docks().feed().figures();
                return figures && figures->selection.steps == state().chosenSteps();
            },
            20'000);
        Q_ASSERT(followed);
        QImage before;
        for (int same = 0, tries = 0; same < 3 && tries < 100; ++tries) {
            QTest::qWait(100);
            const QImage now = window.grab().toImage();
            same = now == before ? same + 1 : 0;
            before = now;
        }
    }
    [[nodiscard]] ViewState& state() { return window.state(); }
    void save(const QString& file) {
        QSignalSpy written(&window, &MainWindow::sessionWritten);
        window.writeSessionTo(file);
        QVERIFY(written.wait(20'000));
    }
};

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class WindowSessionTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnQtWarnings(); }

    void comesBackAsItWasSeen() {
        const TemporaryFolder traces;
        const QStringList run = runIn(traces);
        const QString file = QString::fromStdString(traces.path("seen.lockstep"));
        QImage before;
        {
            Stage stage(run);
            TimelineView& lanes = stage.window.timeline().view();
            stage.state().showStep(2);
            stage.state().setMedianBeside(true);
            lanes.showNeighbourStall(1);
            lanes.setSectionOpen(1, TrackSection::CpuThreads, true);
            const TimeRange step = stage.state().shown()->steps[2].range;
            stage.state().toggleMark(step.begin + 40'000);
            stage.state().renameMark(step.begin + 40'000, QStringLiteral("here it hurts"));
            stage.state().setVisibleRange({step.begin - 5'000, step.end + 5'000});
            stage.state().setAttribution(Attribution::Wall);
            for (QDockWidget* dock : stage.window.findChildren<QDockWidget*>())
                if (dock->windowTitle() == QLatin1String("Stalls"))
                    dock->raise();
            stage.save(file);
            stage.window.statusBar()->clearMessage();
            stage.settle();
            before = stage.window.grab().toImage();
        }
        Stage again({file});
        QTRY_VERIFY(again.state().step().has_value());
        again.settle();
        QCOMPARE(again.state().step().value(), std::size_t{2});
        QVERIFY(again.state().medianBeside());
        QVERIFY(again.state().currentStall().has_value());
        QVERIFY(again.state().selection().valid());
        QCOMPARE(again.state().marks().size(), std::size_t{1});
        QCOMPARE(again.state().marks().front().label, QStringLiteral("here it hurts"));
        QCOMPARE(again.state().attribution(), Attribution::Wall);
        QVERIFY(again.window.timeline().view().tracks().sectionOpen(1, TrackSection::CpuThreads));
        // The picture, but for the status bar, which says how long loading took, and its margins.
        again.window.statusBar()->clearMessage();
        const QImage after = again.window.grab().toImage();
        QCOMPARE(after.size(), before.size());
        const int bottom = after.height() - again.window.statusBar()->height();
        int differing = 0;
        for (int y = 0; y < bottom; ++y)
            for (int x = 0; x < after.width(); ++x)
                differing += after.pixel(x, y) == before.pixel(x, y) ? 0 : 1;
        if (differing > 0) {
            before.save(QDir::temp().filePath(QStringLiteral("session-before.png")));
            after.save(QDir::temp().filePath(QStringLiteral("session-after.png")));
        }
        QCOMPARE(differing, 0);
    }

    void aSessionOfAnotherVersionIsRefusedWithASentence() {
        const TemporaryFolder traces;
        Stage stage(runIn(traces));
        QSignalSpy settled(&stage.window, &MainWindow::settled);
        stage.window.open({QString::fromStdString(
            traces.write("new.lockstep", R"({"schema": "lockstep.session", "version": 99, "files": []})"))});
        QVERIFY(settled.wait(20'000));
        QVERIFY(stage.window.bannerText().contains(QLatin1String("version 99")));
        QVERIFY(!stage.state().shown()->ranks.empty()); // what was open stays
    }

    void theDialogWritesWhatTheCommandLineWrites() {
        const TemporaryFolder traces;
        const QStringList run = runIn(traces);
        Stage stage(run);
        stage.state().setStep(3);
        stage.window.exportViews();
        QTRY_VERIFY(stage.window.findChild<ExportDialog*>() != nullptr);
        ExportDialog& dialog = *stage.window.findChild<ExportDialog*>();
        for (const char* format : {"svg", "csv"}) {
            dialog.choose(0, QLatin1String(format));
            QCOMPARE(dialog.writeAll(QString::fromStdString(traces.path(""))), QString());
        }
        const std::string name = stage.state().shown()->run->name;
        for (const char* view : {"timeline", "breakdown", "stalls", "steps", "stall-map"})
            for (const char* format : {"svg", "csv"}) {
                const std::string written = traces.path(name + "-" + view + "." + format);
                const std::string other = traces.path(std::string("cli.") + format);
                std::vector<std::string> arguments{
                    "export", "--view", std::string(view) == "stall-map" ? "heatmap" : view, "--step", "3",
                    "-o",     other};
                for (const QString& path : run)
                    arguments.push_back(path.toStdString());
                QCOMPARE(runProgram(LOCKSTEP_CLI, arguments).status, 0);
                QVERIFY(!contents(QString::fromStdString(written)).isEmpty());
                QVERIFY2(contents(QString::fromStdString(written)) == contents(QString::fromStdString(other)),
                         view);
            }
        dialog.close();
    }

    void doubleClicksInStripAndMinimapDrillIntoAStep() {
        const TemporaryFolder traces;
        Stage stage(runIn(traces));
        auto* plot = stage.window.findChild<StepStrip*>()->findChild<QCustomPlot*>();
        const QPoint fourth(static_cast<int>(plot->xAxis->coordToPixel(4)), plot->height() / 2);
        QTest::mouseDClick(plot, Qt::LeftButton, {}, fourth);
        QTest::mouseRelease(plot, Qt::LeftButton, {}, fourth);
        QCOMPARE(stage.state().step().value_or(99), std::size_t{4});
        QVERIFY(stage.state().visibleRange().length() < 2 * stage.state().shown()->steps[4].range.length());
        Minimap& map = stage.window.timeline().minimap();
        const TimeRange full = stage.state().fullRange();
        const TimeRange first = stage.state().shown()->steps[1].range;
        const int header = stage.window.timeline().view().headerWidth();
        const double part = static_cast<double>(first.begin + first.length() / 2 - full.begin) /
                            static_cast<double>(full.length());
        QTest::mouseDClick(&map, Qt::LeftButton, {},
                           {header + static_cast<int>(part * (map.width() - header)), map.height() / 2});
        QCOMPARE(stage.state().step().value_or(99), std::size_t{1});
    }

    void filtersOfCategoriesActOnFigures() {
        const TemporaryFolder traces;
        Stage stage(runIn(traces));
        const auto before = stage.window.docks().feed().figures();
        QVERIFY(before && before->kernels.rows.size() == 3);
        Filters filters;
        filters.categories = {before->set.find("moe_gemm").value_or(0)};
        for (const KernelStats& kernel : before->kernels.rows)
            if (stage.state().shown()->run->strings->view(kernel.name) == "marlin_gemm")
                filters.categories = {kernel.category};
        stage.state().setFilters(filters);
        QTRY_VERIFY(stage.window.docks().feed().figures() != before && stage.window.docks().feed().figures());
        const auto after = stage.window.docks().feed().figures();
        QCOMPARE(after->kernels.rows.size(), std::size_t{1});
        QCOMPARE(after->sum.kernelSumNs, after->kernels.totalNs);
        QVERIFY(after->sum.kernelSumNs < before->sum.kernelSumNs);
        QCOMPARE(after->stalls.collectives, std::size_t{0}); // all-reduces are filtered out
    }
};

LOCKSTEP_QTEST_MAIN(WindowSessionTest)
#include "tst_windowsession.moc"
