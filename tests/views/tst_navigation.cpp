#include "tests/support/qttest.h"
#include "views/common/palette.h"
#include "views/panels/stepbar.h"
#include "views/timeline/legend.h"
#include "views/timeline/minimap.h"
#include "views/timeline/navigation.h"
#include "views/timeline/timelinepanel.h"
#include "views/timeline/timelineview.h"
#include "views/timeline/timeruler.h"

#include <QSignalSpy>

using namespace lockstep;

namespace {

struct Stage {
    ViewState state;
    TimelinePanel panel{state};

    explicit Stage(int ranks = 3) {
        state.setShown(test::shownRun(ranks));
        panel.resize(1000, 500);
        panel.show();
        const bool exposed = QTest::qWaitForWindowExposed(&panel);
        Q_ASSERT(exposed);
        panel.grab();
    }
    [[nodiscard]] TimelineView& view() const { return panel.view(); }
    [[nodiscard]] std::vector<std::size_t> order() const {
        std::vector<std::size_t> ranks;
        for (const RankGroup& group : view().tracks().groups())
            ranks.push_back(group.rank);
        return ranks;
    }
};

} // namespace

class NavigationTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::failOnQtWarnings(); }

    void followsAKernelToItsLaunchAndBack() {
        Stage stage;
        stage.state.setSelection({1, EventId{4u}});
        stage.view().followLaunch(-1);
        const EventRef launch = stage.state.selection();
        const RankTrace& trace = *stage.state.shown()->ranks[1].trace;
        QCOMPARE(launch.rank, std::size_t{1});
        QVERIFY(trace.events.kind(launch.event) == EventKind::Runtime);
        QCOMPARE(trace.events.correlation(launch.event), 5u);
        // The lane that holds it was folded away.
        QVERIFY(stage.view().tracks().sectionOpen(1, TrackSection::CpuThreads));
        stage.view().followLaunch(1);
        QVERIFY((stage.state.selection() == EventRef{1, EventId{4u}}));
    }

    void theWayBackOverAGraphLeadsToWhereItBegan() {
        // One launch, three kernels: as a graph replay has it.
        test::HandmadeRank rank(0);
        rank.track(TrackKind::GpuStream, "7");
        for (int i = 0; i < 3; ++i)
            rank.kernel("k", 1'000 + i * 1'000, 500, 9);
        rank.track(TrackKind::CpuThread, "1", "python");
        rank.event(EventKind::Runtime, "cudaGraphLaunch", 100, 50, 9);
        auto run = std::make_shared<Run>();
        run->ranks.push_back(rank.build());
        Stage stage(1);
        stage.state.setShown(showRun(run));
        stage.state.setSelection({0, EventId{2u}});
        stage.view().followLaunch(-1);
        const RankTrace& trace = *stage.state.shown()->ranks[0].trace;
        QVERIFY(trace.events.kind(stage.state.selection().event) == EventKind::Runtime);
        stage.view().followLaunch(1);
        QCOMPARE(stage.state.selection().event.value, 2u);
    }

    void anAnnotationLedToItsFirstLaunch() {
        const auto shown = test::shownRun(1);
        EventRef marker;
        for (std::size_t i = 0; i < shown->ranks[0].trace->events.size(); ++i)
            if (shown->ranks[0].trace->events.kind(EventId{i}) == EventKind::Annotation) {
                marker = {0, EventId{i}};
                break;
            }
        const EventRef launch = effectOfEvent(*shown, marker);
        QVERIFY(launch.valid());
        QCOMPARE(shown->ranks[0].trace->events.correlation(launch.event), 1u);
    }

    void aFilteredRankIsAloneInTheTimeline() {
        Stage stage;
        Filters filters;
        filters.ranks = {1};
        stage.state.setFilters(filters);
        QVERIFY((stage.order() == std::vector<std::size_t>{1}));
        stage.state.setFilters({});
        QCOMPARE(stage.order().size(), std::size_t{3});
    }

    void draggingAHeaderMovesTheRank() {
        Stage stage;
        const std::vector<RankGroup> groups = stage.view().tracks().groups();
        QWidget* viewport = stage.view().viewport();
        const QPoint from(40, groups[0].top + 8);
        const QPoint to(40, groups[1].top + groups[1].height - 4);
        QTest::mousePress(viewport, Qt::LeftButton, {}, from);
        QTest::mouseMove(viewport, QPoint(40, from.y() + 30));
        QTest::mouseMove(viewport, to);
        QTest::mouseRelease(viewport, Qt::LeftButton, {}, to);
        QVERIFY((stage.order() == std::vector<std::size_t>{1, 0, 2}));
        QVERIFY(!stage.view().tracks().rankFolded(0));
        stage.view().resetTracks();
        QVERIFY((stage.order() == std::vector<std::size_t>{0, 1, 2}));
    }

    void hiddenTracksAreHiddenOnAllRanks() {
        TrackList tracks;
        tracks.setShown(test::shownRun(2));
        const std::size_t rows = tracks.rows().size();
        const QString label = tracks.rows().front().label;
        tracks.setTrackHidden(label, true);
        QCOMPARE(tracks.rows().size(), rows - 2);
        for (const TrackRow& row : tracks.rows())
            QVERIFY(row.label != label);
        QVERIFY(tracks.changed());
        tracks.reset();
        QCOMPARE(tracks.rows().size(), rows);
    }

    void movingATrackSwapsItWithItsNeighbour() {
        TrackList tracks;
        tracks.setShown(test::shownRun(2));
        const QString first = tracks.rows()[0].label;
        const QString second = tracks.rows()[1].label;
        tracks.moveTrack(first, 1);
        QCOMPARE(tracks.rows()[0].label, second);
        QCOMPARE(tracks.rows()[1].label, first);
        tracks.moveTrack(first, -1);
        QCOMPARE(tracks.rows()[0].label, first);
    }

    void allRanksFitWhereEachHasOneRow() {
        Stage stage(24);
        QVERIFY(stage.view().tracks().height() > stage.view().viewport()->height());
        stage.view().setAllRanksFolded(true);
        QVERIFY(stage.view().tracks().allFolded());
        QVERIFY(stage.view().tracks().height() <= stage.view().viewport()->height());
    }

    void stepsForwardBackAndToTheEnds() {
        Stage stage;
        StepBar bar(stage.state);
        const std::size_t count = stage.state.shown()->steps.size();
        QCOMPARE(count, std::size_t{10});
        bar.go(1);
        QCOMPARE(stage.state.step().value_or(99), std::size_t{0});
        QVERIFY(bar.text().startsWith(QStringLiteral("step 0 of 10")));
        bar.go(1);
        QCOMPARE(stage.state.step().value_or(99), std::size_t{1});
        const TimeRange range = stage.state.shown()->steps[1].range;
        QVERIFY(stage.state.visibleRange().begin <= range.begin);
        QVERIFY(stage.state.visibleRange().length() < 2 * range.length());
        bar.go(-1);
        bar.go(-1);
        QCOMPARE(stage.state.step().value_or(99), std::size_t{0});
        stage.state.goBack();
        QVERIFY((stage.state.visibleRange().begin > range.begin - range.length() / 10));
    }

    void searchHitsAreMarkedInMinimapAndLanes() {
        Stage stage;
        const auto accentsIn = [](const QImage& image, int bottom) {
            int count = 0;
            for (int y = 0; y < bottom; ++y)
                for (int x = 0; x < image.width(); ++x)
                    count += image.pixelColor(x, y) == Palette::light().accent ? 1 : 0;
            return count;
        };
        // The frame of the window has the same colour: the marks lie above the strip.
        const auto marks = [&] {
            const QImage image = stage.panel.minimap().grab().toImage();
            int count = 0;
            for (int x = stage.view().headerWidth() + 8; x < image.width() - 8; ++x)
                count += image.pixelColor(x, 3) == Palette::light().accent ? 1 : 0;
            return count;
        };
        const int before = accentsIn(stage.view().viewport()->grab().toImage(), 200);
        QCOMPARE(marks(), 0);
        stage.state.setSearch(searchNames(*stage.state.shown(), QStringLiteral("ns::k5.<")));
        QCOMPARE(marks(), 10);
        QVERIFY(accentsIn(stage.view().viewport()->grab().toImage(), 200) > before);
    }

    void aMarkIsDrawnAndNamed() {
        Stage stage;
        stage.state.toggleMark(3'000'000);
        const int x = stage.view().headerWidth() + static_cast<int>(stage.view().scale().toPixel(3'000'000));
        const QImage image = stage.view().viewport()->grab().toImage();
        QCOMPARE(image.pixelColor(x, image.height() - 5), Palette::light().accent);
    }

    void columnsShowTheSharesOfTheirTime() {
        // Ten kernels a pixel: one in five copies bytes, the others compute.
        test::HandmadeRank rank(0);
        rank.track(TrackKind::GpuStream, "7");
        for (int i = 0; i < 50'000; ++i)
            rank.event(i % 5 == 0 ? EventKind::Memcpy : EventKind::Kernel, "k", i * 1'000, 900);
        auto run = std::make_shared<Run>();
        run->ranks.push_back(rank.build());
        Stage stage(1);
        stage.state.setShown(showRun(run));
        stage.state.setColouring(colour(*stage.state.shown(), nullptr, {}));
        const QImage image = stage.view().viewport()->grab().toImage();
        const TrackRow& row = stage.view().tracks().rows().front();
        const int x = stage.view().headerWidth() + stage.view().viewport()->width() / 3;
        int copies = 0;
        int kernels = 0;
        for (int y = row.top; y < row.top + row.height - 2; ++y) {
            copies += image.pixelColor(x, y) == Palette::light().of(ColourRole::Copy) ? 1 : 0;
            kernels += image.pixelColor(x, y) == Palette::light().of(ColourRole::Kernel) ? 1 : 0;
        }
        // A tenth of the time is idle, and stays empty at the top.
        const int filled = static_cast<int>(std::lround(0.9 * (row.height - 2)));
        QVERIFY(std::abs(copies + kernels - filled) <= 1);
        QVERIFY(std::abs(copies - filled / 5) <= 1);
        QCOMPARE(image.pixelColor(x, row.top), Palette::light().canvas);
    }
};

LOCKSTEP_QTEST_MAIN(NavigationTest)
#include "tst_navigation.moc"
