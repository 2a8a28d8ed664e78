#include "views/timeline/timelineview.h"

#include "tests/support/qttest.h"
#include "views/common/palette.h"
#include "views/timeline/hovercard.h"
#include "views/timeline/minimap.h"
#include "views/timeline/timelinepanel.h"
#include "views/timeline/timeruler.h"

#include <QWheelEvent>

using namespace lockstep;

namespace {

/// A timeline of two ranks, 1000 × 500 pixels.
struct Stage {
    ViewState state;
    TimelinePanel panel{state};

    Stage() {
        state.setShown(test::shownRun(2));
        panel.resize(1000, 500);
        panel.show();
        const bool exposed = QTest::qWaitForWindowExposed(&panel);
        Q_ASSERT(exposed);
        paint();
    }
    void paint() { panel.grab(); }
    [[nodiscard]] TimelineView& view() const { return panel.view(); }
    /// The middle of a bar in the viewport.
    [[nodiscard]] QPoint middleOf(EventRef event) const { return view().rectOf(event).center(); }
    void wheel(QPoint at, int delta, Qt::KeyboardModifiers modifiers) {
        QWheelEvent event(at, view().viewport()->mapToGlobal(at), {}, {0, delta}, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(view().viewport(), &event);
        paint();
    }
};

} // namespace

class TimelineViewTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::failOnQtWarnings(); }

    void hitsTheEventThatIsDrawn() {
        Stage stage;
        stage.state.setVisibleRange({1'000'000, 2'000'000});
        stage.paint();
        for (const std::size_t rank : {0u, 1u}) {
            const EventRef event{rank, EventId{5u}};
            QVERIFY(!stage.view().rectOf(event).isEmpty());
            QCOMPARE(stage.view().eventAt(stage.middleOf(event)).event.value, 5u);
            QCOMPARE(stage.view().eventAt(stage.middleOf(event)).rank, rank);
        }
    }

    void drawsBarsInTheColourOfTheirKind() {
        Stage stage;
        stage.state.setVisibleRange({1'000'000, 1'500'000});
        stage.paint();
        const QRect bar = stage.view().rectOf({0, EventId{1u}});
        const QImage image = stage.view().viewport()->grab().toImage();
        QCOMPARE(image.pixelColor(bar.left() + 1, bar.top()), Palette::light().of(ColourRole::Kernel));
        QCOMPARE(image.pixelColor(bar.right() + 5, bar.top()), Palette::light().canvas);
    }

    void drawsBarsInTheColoursItIsGiven() {
        Stage stage;
        auto ranks = std::vector<std::shared_ptr<const RankColours>>{};
        for (const ShownRank& rank : stage.state.shown()->ranks) {
            auto colours = std::make_shared<RankColours>();
            colours->classes.assign(rank.trace->events.size(),
                                    {static_cast<std::uint8_t>(ColourRole::Attention), 0});
            colours->mixes.resize(rank.trace->lanes.size());
            ranks.push_back(colours);
        }
        auto colouring = std::make_shared<Colouring>();
        colouring->ranks = ranks;
        stage.state.setColouring(colouring);
        stage.state.setVisibleRange({1'000'000, 1'500'000});
        stage.paint();
        const QRect bar = stage.view().rectOf({0, EventId{1u}});
        QCOMPARE(stage.view().viewport()->grab().toImage().pixelColor(bar.left() + 1, bar.top()),
                 Palette::light().of(ColourRole::Attention));
    }

    void clickSelectsAndClickBesideClears() {
        Stage stage;
        stage.state.setVisibleRange({1'000'000, 2'000'000});
        stage.paint();
        QTest::mouseClick(stage.view().viewport(), Qt::LeftButton, {}, stage.middleOf({1, EventId{3u}}));
        QVERIFY((stage.state.selection() == EventRef{1, EventId{3u}}));
        const int between = stage.view().tracks().groups()[1].top + 2;
        QTest::mouseClick(stage.view().viewport(), Qt::LeftButton, {}, QPoint(600, between));
        QVERIFY(!stage.state.selection().valid());
    }

    void hoverShowsTheFullNameAsPlainText() {
        Stage stage;
        stage.state.setVisibleRange({1'000'000, 2'000'000});
        stage.paint();
        QTest::mouseMove(stage.view().viewport(), stage.middleOf({0, EventId{3u}}));
        auto* card = stage.panel.findChild<HoverCard*>();
        QTRY_VERIFY(card->isVisible());
        QCOMPARE(card->title(), QStringLiteral("void ns::k3<int>(int)"));
        QVERIFY(card->lines().first().startsWith(QStringLiteral("80.00 µs")));
        QVERIFY((stage.state.hover() == EventRef{0, EventId{3u}}));
    }

    void dragSelectsARange() {
        Stage stage;
        QWidget* lanes = stage.view().viewport();
        QTest::mousePress(lanes, Qt::LeftButton, {}, QPoint(400, 60));
        QTest::mouseMove(lanes, QPoint(600, 60));
        QTest::mouseRelease(lanes, Qt::LeftButton, {}, QPoint(600, 60));
        const TimeScale scale = stage.view().scale();
        const int header = stage.view().headerWidth();
        QVERIFY(stage.state.selectedRange().has_value());
        QCOMPARE(stage.state.selectedRange()->begin, scale.toTime(400 - header));
        QCOMPARE(stage.state.selectedRange()->end, scale.toTime(600 - header));
    }

    void shiftDragPans() {
        Stage stage;
        stage.state.setVisibleRange({3'000'000, 5'000'000});
        stage.paint();
        const double perPixel = stage.view().scale().nsPerPixel();
        QWidget* lanes = stage.view().viewport();
        QTest::mousePress(lanes, Qt::LeftButton, Qt::ShiftModifier, QPoint(600, 60));
        QTest::mouseMove(lanes, QPoint(500, 60));
        QTest::mouseRelease(lanes, Qt::LeftButton, Qt::ShiftModifier, QPoint(500, 60));
        QVERIFY(std::abs(static_cast<double>(stage.state.visibleRange().begin - 3'000'000) - 100 * perPixel) <
                10);
        QVERIFY(!stage.state.selectedRange());
    }

    void controlWheelZoomsAtThePointer() {
        Stage stage;
        const QPoint pointer(600, 60);
        const TimeNs under = stage.view().scale().toTime(pointer.x() - stage.view().headerWidth());
        const TimeNs before = stage.state.visibleRange().length();
        for (int i = 0; i < 10; ++i)
            stage.wheel(pointer, 120, Qt::ControlModifier);
        QVERIFY(stage.state.visibleRange().length() < before / 5);
        const TimeScale after = stage.view().scale();
        QVERIFY(std::abs(after.toPixel(under) - (pointer.x() - stage.view().headerWidth())) < 2);
    }

    void zoomsToTheNanosecondAndBackOut() {
        Stage stage;
        for (int i = 0; i < 100; ++i)
            stage.wheel(QPoint(600, 60), 120, Qt::ControlModifier);
        QCOMPARE(stage.state.visibleRange().length(), ViewState::kShortestRange);
        for (int i = 0; i < 200; ++i)
            stage.wheel(QPoint(600, 60), -120, Qt::ControlModifier);
        QVERIFY(stage.state.visibleRange() == stage.state.fullRange());
    }

    void wheelPansThroughTimeWhereAllRowsFit() {
        Stage stage;
        stage.state.setVisibleRange({3'000'000, 5'000'000});
        stage.paint();
        stage.wheel(QPoint(600, 60), -120, {});
        QVERIFY(stage.state.visibleRange().begin > 3'000'000);
        QCOMPARE(stage.state.visibleRange().length(), TimeNs{2'000'000});
    }

    void stepsFromEventToEventAndKeepsItInView() {
        Stage stage;
        stage.state.setVisibleRange({1'000'000, 1'500'000});
        stage.paint();
        stage.view().selectNeighbour(1);
        QVERIFY((stage.state.selection() == EventRef{0, EventId{0u}}));
        for (int i = 0; i < 30; ++i)
            stage.view().selectNeighbour(1);
        QCOMPARE(stage.state.selection().event.value, 30u);
        QVERIFY(stage.state.visibleRange().overlaps({4'000'000, 4'080'000}));
        stage.view().selectNeighbour(-1);
        QCOMPARE(stage.state.selection().event.value, 29u);
    }

    void doubleClickShowsTheEvent() {
        Stage stage;
        stage.state.setVisibleRange({1'000'000, 2'000'000});
        stage.paint();
        QTest::mouseDClick(stage.view().viewport(), Qt::LeftButton, {}, stage.middleOf({0, EventId{5u}}));
        QCOMPARE(stage.state.visibleRange().length(), TimeNs{120'000});
        QVERIFY(stage.state.visibleRange().contains(1'500'000));
    }

    void clickOnTheHeaderFolds() {
        Stage stage;
        QTest::mouseClick(stage.view().viewport(), Qt::LeftButton, {}, QPoint(12, 12));
        QVERIFY(stage.view().tracks().rankFolded(0));
        QTest::mouseClick(stage.view().viewport(), Qt::LeftButton, {}, QPoint(12, 12));
        QVERIFY(!stage.view().tracks().rankFolded(0));
        const TrackRow& fold = stage.view().tracks().rows()[2];
        QTest::mouseClick(stage.view().viewport(), Qt::LeftButton, {},
                          QPoint(stage.view().headerWidth() - 30, fold.top + fold.height / 2));
        QVERIFY(stage.view().tracks().sectionOpen(0, TrackSection::CpuThreads));
    }

    void aFoldedRankStillHitsItsEvents() {
        Stage stage;
        stage.state.setVisibleRange({1'000'000, 2'000'000});
        stage.view().setAllRanksFolded(true);
        stage.paint();
        const EventRef reduce{1, EventId{103u}};
        QVERIFY(!stage.view().rectOf(reduce).isEmpty());
        QVERIFY(stage.view().eventAt(stage.middleOf(reduce)) == reduce);
    }

    void doubleClickOnAStepShowsIt() {
        Stage stage;
        TimeRuler& ruler = stage.panel.ruler();
        const int x = ruler.width() / 2;
        const int step = ruler.stepAt(x);
        QVERIFY(step >= 0);
        QTest::mouseDClick(&ruler, Qt::LeftButton, {}, QPoint(x, ruler.height() - 4));
        QCOMPARE(stage.state.step().value_or(99), static_cast<std::size_t>(step));
        const TimeRange range = stage.state.shown()->steps[static_cast<std::size_t>(step)].range;
        QVERIFY(stage.state.visibleRange().begin <= range.begin &&
                stage.state.visibleRange().end >= range.end);
        QVERIFY(stage.state.visibleRange().length() < 2 * range.length());
    }

    void theMinimapMovesTheWindow() {
        Stage stage;
        stage.state.setVisibleRange({2'000'000, 3'000'000});
        Minimap& map = stage.panel.minimap();
        const int far = map.width() - 100;
        QTest::mouseClick(&map, Qt::LeftButton, {}, QPoint(far, 10));
        QCOMPARE(stage.state.visibleRange().length(), TimeNs{1'000'000});
        QVERIFY(std::abs(map.window().center().x() - far) <= 2);
        const QPoint grip = map.window().center();
        QTest::mousePress(&map, Qt::LeftButton, {}, grip);
        QTest::mouseMove(&map, grip - QPoint(200, 0));
        QTest::mouseRelease(&map, Qt::LeftButton, {}, grip - QPoint(200, 0));
        QVERIFY(std::abs(map.window().center().x() - (far - 200)) <= 2);
    }

    void axisOfRulerMinimapAndLanesAgree() {
        Stage stage;
        QCOMPARE(stage.panel.ruler().width(), stage.view().viewport()->width());
        QCOMPARE(stage.panel.minimap().width(), stage.view().viewport()->width());
    }
};

LOCKSTEP_QTEST_MAIN(TimelineViewTest)
#include "tst_timelineview.moc"
