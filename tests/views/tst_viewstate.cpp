#include "views/common/viewstate.h"

#include "tests/support/qttest.h"

#include <QSignalSpy>

using namespace lockstep;

class ViewStateTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::failOnQtWarnings(); }

    void showsAllOfANewRun() {
        ViewState state;
        state.setShown(test::shownRun(1));
        QVERIFY(state.visibleRange() == state.fullRange());
        QVERIFY(state.fullRange().begin < 1'000'000);
        QVERIFY(!state.canGoBack());
    }

    void settersThatChangeNothingSayNothing() {
        ViewState state;
        const auto run = test::shownRun(1);
        state.setShown(run);
        state.setVisibleRange({2'000'000, 3'000'000});
        state.setSelection({0, EventId{3u}});
        state.setHover({0, EventId{4u}});
        state.setSelectedRange(TimeRange{1, 2});
        state.setStep(1);
        QSignalSpy shown(&state, &ViewState::shownChanged);
        QSignalSpy visible(&state, &ViewState::visibleRangeChanged);
        QSignalSpy selection(&state, &ViewState::selectionChanged);
        QSignalSpy hover(&state, &ViewState::hoverChanged);
        QSignalSpy range(&state, &ViewState::selectedRangeChanged);
        QSignalSpy step(&state, &ViewState::stepChanged);
        state.setShown(run);
        state.setVisibleRange({2'000'000, 3'000'000});
        state.setSelection({0, EventId{3u}});
        state.setHover({0, EventId{4u}});
        state.setSelectedRange(TimeRange{1, 2});
        state.setStep(1);
        QCOMPARE(shown.count() + visible.count() + selection.count() + hover.count() + range.count() +
                     step.count(),
                 0);
    }

    void keepsTheVisibleRangeInsideTheRun() {
        ViewState state;
        state.setShown(test::shownRun(1));
        state.setVisibleRange({-5'000'000, 0});
        QCOMPARE(state.visibleRange().begin, state.fullRange().begin);
        QCOMPARE(state.visibleRange().length(), TimeNs{5'000'000});
        state.setVisibleRange({0, 1'000'000'000'000});
        QVERIFY(state.visibleRange() == state.fullRange());
    }

    void neverShowsLessThanTheShortestRange() {
        ViewState state;
        state.setShown(test::shownRun(1));
        state.setVisibleRange({2'000'000, 2'000'001});
        QCOMPARE(state.visibleRange().length(), ViewState::kShortestRange);
    }

    void goesBackAndForwardThroughJumps() {
        ViewState state;
        state.setShown(test::shownRun(1));
        const TimeRange all = state.visibleRange();
        const TimeRange first{2'000'000, 4'000'000};
        const TimeRange second{2'500'000, 3'000'000};
        state.setVisibleRange(first);
        state.setVisibleRange(second);
        state.goBack();
        QVERIFY(state.visibleRange() == first);
        state.goBack();
        QVERIFY(state.visibleRange() == all);
        QVERIFY(!state.canGoBack());
        state.goForward();
        state.goForward();
        QVERIFY(state.visibleRange() == second);
        QVERIFY(!state.canGoForward());
    }

    void undoesAGlideAtOnce() {
        ViewState state;
        state.setShown(test::shownRun(1));
        const TimeRange start{2'000'000, 4'000'000};
        state.setVisibleRange(start);
        for (int i = 1; i <= 20; ++i)
            state.setVisibleRange({start.begin + i * 1'000, start.end + i * 1'000}, ViewState::Move::Glide);
        state.goBack();
        QVERIFY(state.visibleRange() == start);
    }

    void fitsTheSelectedRangeBeforeTheSelectedEvent() {
        ViewState state;
        state.setShown(test::shownRun(1));
        state.setSelection({0, EventId{10u}});
        state.fitSelection();
        QVERIFY(state.visibleRange().contains(2'000'000));
        QCOMPARE(state.visibleRange().length(), TimeNs{120'000});
        state.setSelectedRange(TimeRange{3'000'000, 4'000'000});
        state.fitSelection();
        QVERIFY((state.visibleRange() == TimeRange{3'000'000, 4'000'000}));
    }

    void endsSelectionAndHoverWithTheRun() {
        ViewState state;
        state.setShown(test::shownRun(1));
        state.setSelection({0, EventId{10u}});
        state.setHover({0, EventId{11u}});
        state.setShown(test::shownRun(1, 5));
        QVERIFY(!state.selection().valid());
        QVERIFY(!state.hover().valid());
    }

    void keepsAMovedRangeWhenMoreOfTheRunArrives() {
        ViewState state;
        state.setShown(test::shownRun(1, 50));
        state.setVisibleRange({2'000'000, 3'000'000});
        state.setShown(test::shownRun(1, 100), true);
        QVERIFY((state.visibleRange() == TimeRange{2'000'000, 3'000'000}));
        state.fitAll();
        state.setShown(test::shownRun(1, 200), true);
        QVERIFY(state.visibleRange() == state.fullRange());
    }

    void eventsAtTimeZeroDoNotStretchTheRun() {
        test::HandmadeRank rank(0);
        rank.track(TrackKind::GpuStream, "7");
        rank.kernel("lost", 0, 0).kernel("k", 7'000'000'000'000'000, 1'000);
        auto run = std::make_shared<Run>();
        run->ranks.push_back(rank.build());
        ViewState state;
        state.setShown(showRun(run));
        QVERIFY(state.fullRange().length() < 10'000);
    }
};

LOCKSTEP_QTEST_MAIN(ViewStateTest)
#include "tst_viewstate.moc"
