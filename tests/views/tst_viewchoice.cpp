#include "tests/support/qttest.h"
#include "views/common/viewstate.h"

#include <QSignalSpy>

using namespace lockstep;

class ViewChoiceTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::failOnQtWarnings(); }

    void choicesThatChangeNothingSayNothing() {
        ViewState state;
        state.setShown(test::shownRun(2));
        Filters filters;
        filters.ranks = {1};
        const auto hits = searchNames(*state.shown(), QStringLiteral("k1"));
        const auto choose = [&] {
            state.setFilters(filters);
            state.setSearch(hits);
            state.setCurrentHit(1);
            state.setStepSet({3, 1, 3});
            state.setAttribution(Attribution::Wall);
        };
        choose();
        QSignalSpy filtersSpy(&state, &ViewState::filtersChanged);
        QSignalSpy search(&state, &ViewState::searchChanged);
        QSignalSpy hit(&state, &ViewState::currentHitChanged);
        QSignalSpy steps(&state, &ViewState::stepChanged);
        QSignalSpy attribution(&state, &ViewState::attributionChanged);
        choose();
        QCOMPARE(filtersSpy.count() + search.count() + hit.count() + steps.count() + attribution.count(), 0);
        QVERIFY((state.stepSet() == std::vector<std::uint32_t>{1, 3}));
    }

    void aRankFilterLeavesThatRank() {
        ViewState state;
        state.setShown(test::shownRun(3));
        Filters filters;
        filters.ranks = {2};
        state.setFilters(filters);
        QVERIFY((state.chosenRanks() == std::vector<std::size_t>{2}));
        state.setFilters({});
        QCOMPARE(state.chosenRanks().size(), std::size_t{3});
    }

    void filtersAreSaidAsChips() {
        Filters filters;
        filters.range = TimeRange{2'000'000, 3'500'000};
        filters.ranks = {0, 1, 2, 5};
        filters.streams = {7};
        filters.decodeOnly = true;
        QStringList texts;
        for (const FilterChip& chip : chipsOf(filters, 1'000'000, nullptr))
            texts << chip.text;
        QCOMPARE(texts, (QStringList{QStringLiteral("1.000 ms – 2.500 ms"), QStringLiteral("ranks 0–2, 5"),
                                     QStringLiteral("stream 7"), QStringLiteral("decode steps only")}));
        QVERIFY(!without(filters, FilterChip::Kind::Ranks).ranks.contains(5));
        QVERIFY(without(filters, FilterChip::Kind::Ranks).decodeOnly);
    }

    void aCategoryChipNamesAWholeGroupOnce() {
        const CategoryRules rules = CategoryRules::builtin().value();
        Filters filters;
        for (std::size_t i = 0; i < rules.set.categories.size(); ++i)
            if (rules.set.groupOf(static_cast<std::uint8_t>(i)).id == "allreduce")
                filters.categories.insert(static_cast<std::uint8_t>(i));
        QCOMPARE(chipsOf(filters, 0, &rules.set).front().text, QStringLiteral("AllReduce"));
    }

    void searchFindsNamesInOrderOfTimeOnAllRanks() {
        const auto shown = test::shownRun(2);
        const auto found = searchNames(*shown, QStringLiteral("ns::k7<"));
        QCOMPARE(found->hits.size(), std::size_t{2});
        QCOMPARE(found->totalNs, TimeNs{160'000});
        QVERIFY(found->isHit({1, EventId{7u}}));
        QVERIFY(!found->isHit({1, EventId{8u}}));
        const auto all = searchNames(*shown, QStringLiteral("NCCLdev"));
        QCOMPARE(all->hits.size(), std::size_t{200});
        for (std::size_t i = 1; i < all->hits.size(); ++i) {
            const auto begin = [&](const EventRef& hit) {
                return shown->ranks[hit.rank].trace->events.begin(hit.event);
            };
            QVERIFY(begin(all->hits[i - 1]) <= begin(all->hits[i]));
        }
    }

    void aBrokenPatternIsSaidAndFindsNothing() {
        const auto found = searchNames(*test::shownRun(1), QStringLiteral("k(1"));
        QVERIFY(found->error.contains(QStringLiteral("character")));
        QVERIFY(found->hits.empty());
    }

    void aStoppedSearchHasNoResult() {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!searchNames(*test::shownRun(1), QStringLiteral("k"), stop.get_token()));
    }

    void marksComeAndGo() {
        ViewState state;
        state.setShown(test::shownRun(1));
        QSignalSpy spy(&state, &ViewState::marksChanged);
        state.toggleMark(3'000'000);
        state.toggleMark(2'000'000);
        QCOMPARE(state.marks().size(), std::size_t{2});
        QCOMPARE(state.marks().front().label, QStringLiteral("1.000000 ms"));
        state.toggleMark(2'000'000);
        QCOMPARE(state.marks().size(), std::size_t{1});
        QCOMPARE(spy.count(), 3);
    }

    void anotherRunEndsAllChoices() {
        ViewState state;
        state.setShown(test::shownRun(1));
        Filters filters;
        filters.decodeOnly = true;
        state.setFilters(filters);
        state.setSearch(searchNames(*state.shown(), QStringLiteral("k")));
        state.setCurrentHit(3);
        state.toggleMark(2'000'000);
        state.setShown(test::shownRun(1));
        QVERIFY(!state.filters().any());
        QVERIFY(!state.search());
        QVERIFY(!state.currentHit());
        QVERIFY(state.marks().empty());
    }

    void mutesWhatTheFiltersLeaveOut() {
        const auto shown = test::shownRun(2);
        Filters filters;
        filters.streams = {20};
        const auto colours = colour(*shown, nullptr, filters);
        const auto& classes = colours->ranks[0]->classes;
        QCOMPARE(classes[5].own, Colouring::kMutedClass);
        QCOMPARE(classes[105].own, static_cast<std::uint8_t>(ColourRole::Kernel));
        filters = {};
        filters.ranks = {1};
        const auto byRank = colour(*shown, nullptr, filters);
        QCOMPARE(byRank->ranks[0]->classes[5].own, Colouring::kMutedClass);
        QCOMPARE(byRank->ranks[1]->classes[5].own, static_cast<std::uint8_t>(ColourRole::Kernel));
    }
};

LOCKSTEP_QTEST_MAIN(ViewChoiceTest)
#include "tst_viewchoice.moc"
