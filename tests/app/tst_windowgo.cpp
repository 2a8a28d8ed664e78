#include "app/commandpalette.h"
#include "app/mainwindow.h"
#include "tests/support/qttest.h"
#include "tests/support/runbuilder.h"
#include "views/panels/searchbar.h"
#include "views/panels/stepbar.h"
#include "views/timeline/hovercard.h"
#include "views/timeline/legend.h"
#include "views/timeline/timelinepanel.h"
#include "views/timeline/timelineview.h"
#include "views/timeline/timeruler.h"

#include <QAction>
#include <QLineEdit>
#include <QSignalSpy>
#include <QToolButton>
#include <QTreeWidget>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// A window with an analysed run of two ranks and six steps: rank 1 comes 200 µs late in step 2, and 90 µs in
/// step 4.
struct Stage {
    QTemporaryDir settingsFolder;
    TemporaryFolder folder;
    Settings settings{settingsFolder.filePath(QStringLiteral("settings.ini"))};
    MainWindow window{settings};

    Stage() {
        window.resize(1280, 720);
        window.show();
        const bool exposed = QTest::qWaitForWindowExposed(&window);
        Q_ASSERT(exposed);
        RunBuilder run(2);
        for (int step = 0; step < 6; ++step)
            run.step(step, "execute_context_0(0)_generation_1(1)")
                .compute("flash_fwd_splitkv_kernel", 20us)
                .allReduce({{1, step == 2   ? 200us
                                : step == 4 ? 90us
                                            : 1us}},
                           10us)
                .compute("marlin_gemm", 20us)
                .allReduce({{0, 1us}}, 10us);
        QStringList paths;
        for (const std::string& path : run.writeTo(folder))
            paths << QString::fromStdString(path);
        QSignalSpy coloured(&window.state(), &ViewState::colouringChanged);
        window.open(paths);
        for (int i = 0; i < 200 && !window.state().colouring(); ++i)
            coloured.wait(100);
        window.grab();
    }
    [[nodiscard]] ViewState& state() { return window.state(); }
    [[nodiscard]] TimelineView& lanes() const { return window.timeline().view(); }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(&window, key, modifiers);
        window.grab();
    }
    [[nodiscard]] TimeRange rangeOfStall(std::uint32_t stall, std::size_t rank) {
        const ShownRun& shown = *state().shown();
        const EventId event = shown.analysis->collectives.callOf(stall, rank)->event;
        return shown.ranks[rank].toRun(shown.ranks[rank].trace->events.range(event));
    }
};

} // namespace

class WindowGoTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnQtWarnings(); }

    void nGoesToTheWorstStallsOneAfterAnother() {
        Stage stage;
        const std::vector<std::uint32_t>& worst = stage.state().shown()->analysis->stalls.worst;
        stage.press(Qt::Key_N);
        QCOMPARE(stage.state().currentStall().value_or(99), worst[0]);
        const TimeRange first = stage.rangeOfStall(worst[0], 0);
        QVERIFY(stage.state().visibleRange().begin <= first.begin);
        QVERIFY(stage.state().visibleRange().end >= first.end);
        QVERIFY(stage.state().visibleRange().length() < 3 * first.length());
        QCOMPARE(stage.state().selection().rank, std::size_t{1});
        stage.press(Qt::Key_N);
        QCOMPARE(stage.state().currentStall().value_or(99), worst[1]);
        stage.press(Qt::Key_P);
        QCOMPARE(stage.state().currentStall().value_or(99), worst[0]);
        stage.press(Qt::Key_Escape);
        QVERIFY(!stage.state().currentStall());
    }

    void hoveringACollectiveSaysItsWait() {
        Stage stage;
        const std::uint32_t worst = stage.state().shown()->analysis->stalls.worst.front();
        stage.state().showStall(worst);
        stage.state().clear();
        stage.window.grab();
        const EventRef waiting{0, stage.state().shown()->analysis->collectives.callOf(worst, 0)->event};
        const QPoint at = stage.lanes().rectOf(waiting).center();
        QTest::mouseMove(stage.lanes().viewport(), at);
        QVERIFY(stage.state().hover() == waiting);
        const auto* card = stage.lanes().findChild<HoverCard*>();
        QVERIFY(card->isVisible());
        const QString lines = card->lines().join(QLatin1Char('\n'));
        QVERIFY2(lines.contains(QStringLiteral("waits 200.")), qPrintable(lines));
        QVERIFY2(lines.contains(QStringLiteral("rank 1 arrives last")), qPrintable(lines));
    }

    void drillsIntoAStepAndBackOut() {
        Stage stage;
        const TimeRange all = stage.state().visibleRange();
        stage.press(Qt::Key_PageDown);
        QCOMPARE(stage.state().step().value_or(99), std::size_t{0});
        stage.press(Qt::Key_PageDown);
        stage.press(Qt::Key_PageDown);
        QCOMPARE(stage.state().step().value_or(99), std::size_t{2});
        QVERIFY(stage.window.steps().text().startsWith(QStringLiteral("step 2 of 6 · decode")));
        QVERIFY((stage.state().chosenSteps() == std::vector<std::uint32_t>{2}));
        stage.press(Qt::Key_PageUp);
        QCOMPARE(stage.state().step().value_or(99), std::size_t{1});
        for (int i = 0; i < 4; ++i)
            stage.press(Qt::Key_Backspace);
        QVERIFY(stage.state().visibleRange() == all);
    }

    void slashSearchesAndEnterGoesThroughTheHits() {
        Stage stage;
        stage.press(Qt::Key_Slash);
        auto* line = stage.window.search().findChild<QLineEdit*>();
        QVERIFY(line->hasFocus());
        QTest::keyClicks(line, QStringLiteral("marlin"));
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_VERIFY(stage.state().search() != nullptr);
        QCOMPARE(stage.state().search()->hits.size(), std::size_t{12});
        QTRY_COMPARE(stage.state().currentHit().value_or(99), std::size_t{0});
        QVERIFY(stage.window.search().summary().startsWith(QStringLiteral("1 of 12 · ")));
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(stage.state().currentHit().value_or(99), std::size_t{1});
        QVERIFY(stage.state().selection() == stage.state().search()->hits[1]);
        QTest::keyClick(line, Qt::Key_Return, Qt::ShiftModifier);
        QTest::keyClick(line, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(stage.state().currentHit().value_or(99), std::size_t{11});
        QTest::keyClick(line, Qt::Key_Escape);
        QVERIFY(!stage.state().search());
        QVERIFY(!line->hasFocus());
    }

    void aBrokenPatternIsSaid() {
        Stage stage;
        stage.window.search().setPattern(QStringLiteral("gemm("));
        QTRY_COMPARE(stage.window.search().summary(), QStringLiteral("no valid regex"));
        QVERIFY(!stage.state().currentHit());
    }

    void filtersAreShownAsChipsAndGoWithAClick() {
        Stage stage;
        Filters filters;
        filters.ranks = {1};
        filters.decodeOnly = true;
        stage.state().setFilters(filters);
        stage.window.grab();
        QCOMPARE(stage.lanes().tracks().groups().size(), std::size_t{1});
        QToolButton* chip = nullptr;
        for (QToolButton* button : stage.window.findChildren<QToolButton*>())
            if (button->text().startsWith(QStringLiteral("rank 1")))
                chip = button;
        QVERIFY(chip != nullptr);
        QTRY_VERIFY(chip->isVisible());
        QTest::mouseClick(chip, Qt::LeftButton);
        QVERIFY(stage.state().filters().ranks.empty());
        QVERIFY(stage.state().filters().decodeOnly);
        QCOMPARE(stage.lanes().tracks().groups().size(), std::size_t{2});
    }

    void eventsHaveTheirCategorysColour() {
        Stage stage;
        const RankTrace& trace = *stage.state().shown()->ranks[0].trace;
        const auto roleOfName = [&](std::string_view name) {
            for (const EventId event : trace.gpuActivities())
                if (trace.name(event) == name)
                    return roleOfClass(stage.state().colouring()->ranks[0]->classes[event.index()].own);
            return ColourRole::Other;
        };
        QVERIFY(roleOfName("flash_fwd_splitkv_kernel") == ColourRole::Attention);
        const QStringList legend = stage.window.timeline().legend().texts();
        QVERIFY(legend.contains(QStringLiteral("AllReduce")));
        QVERIFY(legend.contains(QStringLiteral("waiting")));
        QVERIFY(legend.contains(QStringLiteral("Attention")));
    }

    void otherRulesRecolourTheRun() {
        Stage stage;
        const auto rules = CategoryRules::builtin().value().extendedBy(
            R"({"schema": "lockstep.categories/1", "rules": [
                {"id": "mine", "category": "routing", "name": "flash_fwd", "why": "a test"}]})",
            "mine.json");
        QVERIFY(rules.has_value());
        QSignalSpy coloured(&stage.state(), &ViewState::colouringChanged);
        stage.state().setRules(std::make_shared<const CategoryRules>(*rules));
        QVERIFY(coloured.wait(5'000));
        const RankTrace& trace = *stage.state().shown()->ranks[0].trace;
        for (const EventId event : trace.gpuActivities())
            if (trace.name(event) == "flash_fwd_splitkv_kernel")
                QVERIFY(roleOfClass(stage.state().colouring()->ranks[0]->classes[event.index()].own) ==
                        ColourRole::Routing);
    }

    void aFilteredCategoryLeavesTheOthersPale() {
        Stage stage;
        Filters filters;
        filters.categories = {*stage.state().categories()->rules.set.find("attention")};
        QSignalSpy coloured(&stage.state(), &ViewState::colouringChanged);
        stage.state().setFilters(filters);
        QVERIFY(coloured.wait(5'000));
        const RankTrace& trace = *stage.state().shown()->ranks[0].trace;
        for (const EventId event : trace.gpuActivities()) {
            const std::uint8_t own = stage.state().colouring()->ranks[0]->classes[event.index()].own;
            if (trace.name(event) == "flash_fwd_splitkv_kernel")
                QCOMPARE(own, static_cast<std::uint8_t>(ColourRole::Attention));
            else
                QCOMPARE(own, Colouring::kMutedClass);
        }
    }

    void marksComeAndGoWithM() {
        Stage stage;
        stage.press(Qt::Key_M);
        QCOMPARE(stage.state().marks().size(), std::size_t{1});
        stage.press(Qt::Key_M);
        QVERIFY(stage.state().marks().empty());
    }

    void theStatusBarSaysHowGoodItIs() {
        Stage stage;
        const QString text = stage.window.statusText();
        QVERIFY2(text.startsWith(QStringLiteral("aligned on 12 collectives, ±")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("2 files, ")), qPrintable(text));
    }

    void everyActionWithAKeyIsInAMenuAndInTheListOfKeys() {
        Stage stage;
        stage.press(Qt::Key_Question);
        auto* keys = stage.window.findChild<QDialog*>(QStringLiteral("keys"));
        QVERIFY(keys != nullptr);
        QStringList listed;
        const auto* tree = keys->findChild<QTreeWidget*>();
        for (int i = 0; i < tree->topLevelItemCount(); ++i)
            listed << tree->topLevelItem(i)->text(1);
        for (const QAction* action : stage.window.actions().all()) {
            QVERIFY2(!action->associatedObjects().isEmpty(), qPrintable(action->text()));
            if (!action->shortcuts().isEmpty())
                QVERIFY2(listed.contains(plainText(*action)), qPrintable(action->text()));
        }
        QVERIFY(listed.contains(QStringLiteral("Next stall, worst first")));
        keys->close();
    }

    void noTwoActionsShareAKey() {
        Stage stage;
        QStringList keys;
        for (const QAction* action : stage.window.actions().all())
            for (const QKeySequence& key : action->shortcuts())
                keys << key.toString();
        QStringList distinct = keys;
        distinct.removeDuplicates();
        QCOMPARE(keys, distinct);
    }

    void theCommandPaletteRunsWhatIsTyped() {
        Stage stage;
        stage.press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* palette = stage.window.findChild<CommandPalette*>();
        QVERIFY(palette != nullptr);
        auto* line = palette->findChild<QLineEdit*>();
        QTest::keyClicks(line, QStringLiteral("median"));
        QVERIFY(palette->texts().first().startsWith(QStringLiteral("Median step")));
        QTest::keyClick(line, Qt::Key_Return);
        QVERIFY(stage.state().step().has_value());
    }

    void aDoubleClickOnALayerShowsTheLayer() {
        Stage stage;
        stage.state().showStep(1);
        stage.window.grab();
        TimeRuler& ruler = stage.window.timeline().ruler();
        std::optional<LayerMark> layer;
        int x = stage.lanes().headerWidth();
        for (; x < ruler.width() && !layer; ++x)
            layer = ruler.layerAt(x);
        if (!layer)
            QSKIP("no layers are found in this run");
        QTest::mouseDClick(&ruler, Qt::LeftButton, {}, QPoint(x, ruler.height() - 4));
        QVERIFY(stage.state().visibleRange().begin <= layer->range.begin);
        QVERIFY(stage.state().visibleRange().length() < 2 * layer->range.length());
    }
};

LOCKSTEP_QTEST_MAIN(WindowGoTest)
#include "tst_windowgo.moc"
