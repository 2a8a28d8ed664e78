#include "tests/support/qttest.h"
#include "views/panels/details.h"
#include "views/panels/emptypanel.h"
#include "views/panels/loadingpanel.h"
#include "views/panels/runpanel.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>

using namespace lockstep;

class PanelsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::failOnQtWarnings(); }

    void detailsShowTimesTrackAndLaunch() {
        ViewState state;
        DetailsPanel panel(state);
        state.setShown(test::shownRun(2));
        state.setSelection({1, EventId{5u}});
        const QStringList text = panel.text();
        QVERIFY(text.contains(QStringLiteral("Event / duration: 80.00 µs")));
        QVERIFY(text.contains(QStringLiteral("Event / begin: 500.000 µs")));
        QVERIFY(text.contains(QStringLiteral("Event / rank: 1")));
        QVERIFY(text.contains(QStringLiteral("Event / track: stream 7")));
        QVERIFY(text.contains(QStringLiteral("Launched by / call: cudaLaunchKernel")));
        QCOMPARE(panel.findChild<QLabel*>()->text(), QStringLiteral("void ns::k5<int>(int)"));
        QCOMPARE(panel.findChild<QLabel*>()->textFormat(), Qt::PlainText);
    }

    void detailsAskForTheFilesOwnArgumentsAndShowThem() {
        ViewState state;
        DetailsPanel panel(state);
        state.setShown(test::shownRun(1));
        QSignalSpy wanted(&panel, &DetailsPanel::argumentsWanted);
        state.setSelection({0, EventId{5u}});
        QCOMPARE(wanted.count(), 1);
        panel.setArguments({0, EventId{5u}}, {{"queued", "0"}, {"grid", "[1,2,3]"}});
        QVERIFY(panel.text().contains(QStringLiteral("Arguments in the file / queued: 0")));
        QVERIFY(panel.text().contains(QStringLiteral("Arguments in the file / grid: [1,2,3]")));
    }

    void detailsIgnoreArgumentsThatComeTooLate() {
        ViewState state;
        DetailsPanel panel(state);
        state.setShown(test::shownRun(1));
        state.setSelection({0, EventId{5u}});
        state.setSelection({0, EventId{6u}});
        panel.setArguments({0, EventId{5u}}, {{"queued", "0"}});
        panel.setArgumentsError({0, EventId{5u}}, QStringLiteral("gone"));
        QVERIFY(panel.text().filter(QStringLiteral("Arguments")).isEmpty());
        panel.setArgumentsError({0, EventId{6u}}, QStringLiteral("gone"));
        QVERIFY(panel.text().contains(QStringLiteral("Arguments in the file / not read: gone")));
    }

    void runPanelListsFilesNotesAndDamage() {
        test::HandmadeRank rank(3);
        rank.track(TrackKind::GpuStream, "7").kernel("k", 1'000, 10);
        rank.trace().report.file = "/somewhere/rank3.json.gz";
        rank.trace().report.truncated = true;
        rank.trace().report.skipped = 2;
        rank.trace().report.warn("event_skipped", "not JSON", 12'345);
        rank.trace().report.warn("event_skipped", "not JSON", 99'999);
        auto run = std::make_shared<Run>();
        run->name = "my run";
        run->worldSize = 8;
        run->ranks.push_back(rank.build());
        run->setAside.push_back({"/somewhere/async_llm.json", "the front end, not a rank"});
        run->notes.emplace_back("rank 4 is missing");
        ViewState state;
        RunPanel panel(state);
        state.setShown(showRun(run));
        const QStringList text = panel.text();
        QVERIFY(text.contains(QStringLiteral("world size\t8")));
        QVERIFY(text.contains(QStringLiteral("rank 3\trank3.json.gz")));
        QVERIFY(text.contains(QStringLiteral("note\trank 4 is missing")));
        QVERIFY(text.contains(QStringLiteral("async_llm.json\tthe front end, not a rank")));
        QVERIFY(text.contains(QStringLiteral("rank3.json.gz\t2 events skipped")));
        QVERIFY(text.contains(QStringLiteral("rank3.json.gz\tnot JSON (2 times), first at byte 12,345")));
        QVERIFY(!text.filter(QStringLiteral("cut off")).isEmpty());
        QCOMPARE(qualitySummary(*state.shown()), QStringLiteral("⚠ 4 notes on data quality"));
    }

    void runPanelSaysWhereNothingWasWrong() {
        ViewState state;
        RunPanel panel(state);
        state.setShown(test::shownRun(1));
        QVERIFY(!panel.text().filter(QStringLiteral("nothing skipped or repaired")).isEmpty());
        QCOMPARE(qualitySummary(*state.shown()), QStringLiteral("no notes on data quality"));
    }

    void loadingShowsEachFileAndCanBeCancelled() {
        auto progress = std::make_shared<LoadProgress>();
        for (const char* name : {"/a/rank0.json", "/a/rank1.json"}) {
            auto file = std::make_unique<FileProgress>();
            file->file = name;
            file->bytesTotal = 1'000;
            progress->files.push_back(std::move(file));
        }
        progress->files[0]->bytesRead = 500;
        progress->files[0]->jsonBytes = 8'000;
        progress->files[1]->done = true;
        progress->started = true;
        LoadingPanel panel;
        panel.follow(progress);
        const auto bars = panel.findChildren<QProgressBar*>();
        QCOMPARE(bars.size(), 2);
        QCOMPARE(bars[0]->value(), 500);
        QCOMPARE(bars[1]->value(), 1'000);
        QSignalSpy cancel(&panel, &LoadingPanel::cancelRequested);
        panel.findChild<QPushButton*>(QStringLiteral("cancelLoad"))->click();
        QCOMPARE(cancel.count(), 1);
        panel.stop();
        QVERIFY(!panel.isVisible());
        QVERIFY(panel.findChildren<QProgressBar*>().isEmpty());
    }

    void emptyPanelOffersRecentRunsAndSaysWhatWentWrong() {
        EmptyPanel panel;
        QSignalSpy recent(&panel, &EmptyPanel::recentRequested);
        panel.setRecent({QStringLiteral("/runs/a&b"), QStringLiteral("/runs/r0.json\n/runs/r1.json")});
        QPushButton* last = nullptr;
        for (QPushButton* button : panel.findChildren<QPushButton*>())
            if (button->text().contains(QStringLiteral("r0.json")))
                last = button;
        QVERIFY(last);
        QVERIFY(last->text().contains(QStringLiteral("1 more")));
        last->click();
        QCOMPARE(recent.at(0).at(0).toString(), QStringLiteral("/runs/r0.json\n/runs/r1.json"));
        panel.setProblem(QStringLiteral("No trace <here>."));
        QCOMPARE(panel.problem(), QStringLiteral("No trace <here>."));
    }
};

LOCKSTEP_QTEST_MAIN(PanelsTest)
#include "tst_panels.moc"
