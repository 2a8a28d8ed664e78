#include "app/breakdownpanel.h"
#include "app/categoryeditor.h"
#include "app/colourist.h"
#include "app/comparisonpanel.h"
#include "app/docks.h"
#include "app/kernelpanel.h"
#include "app/stallmappanel.h"
#include "app/stallpanel.h"
#include "app/stepspanel.h"
#include "app/whatifpanel.h"
#include "tests/support/decoderun.h"
#include "tests/support/qttest.h"
#include "tests/support/runbuilder.h"
#include "views/charts/stackedbar.h"
#include "views/charts/stallheatmap.h"
#include "views/charts/stepstrip.h"
#include "views/panels/findingspanel.h"
#include "views/panels/hbmpanel.h"
#include "views/tables/tablepanel.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QMainWindow>
#include <QSignalSpy>
#include <QTableView>
#include <qcustomplot.h>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Four ranks, six steps; in step 3, layer 2, rank 1 comes 300 µs late.
std::shared_ptr<const ShownRun> stalledRun() {
    DecodeRunOptions options;
    options.ranks = 4;
    options.steps = 6;
    options.stalls = {{3, 5, 1, 300'000, InjectedCause::Kernel}};
    const auto shown = showRun(decodeRun(options));
    return withAnalysis(*shown, analyseRun(shown->run));
}

/// The docks in a bare window, fed as the program feeds them.
struct Stage {
    QTemporaryDir folder;
    ViewState state;
    QMainWindow window;
    Colourist colourist{state};
    Docks docks{window, state, folder.filePath(QStringLiteral("own/categories.json"))};

    explicit Stage(const std::shared_ptr<const ShownRun>& shown = stalledRun()) {
        window.resize(1280, 800);
        window.show();
        state.setShown(shown);
        const bool fed = waitForFigures();
        Q_ASSERT(fed);
    }
    [[nodiscard]] bool waitForFigures() {
        QSignalSpy changed(&docks.feed(), &FigureFeed::changed);
        return changed.wait(20'000) && docks.feed().figures();
    }
    [[nodiscard]] double breakdownMs(const QString& label) const {
        for (const QString& line : docks.breakdown().table().text())
            if (const QStringList cells = line.split(QLatin1Char('\t')); cells.first() == label)
                return cells[1].toDouble();
        return -1;
    }
};

} // namespace

class WindowPanelsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnQtWarnings(); }

    void withoutARunEachPanelSaysWhatToDo() {
        ViewState state;
        QMainWindow window;
        const QTemporaryDir folder;
        const Docks docks(window, state, folder.filePath(QStringLiteral("c.json")));
        QVERIFY(docks.breakdown().scopeText().contains(QStringLiteral("Open a run")));
        QVERIFY(docks.stalls().scopeText().contains(QStringLiteral("Open a run")));
        QVERIFY(docks.stallMap().patternText().contains(QStringLiteral("Open a run")));
        QVERIFY(docks.steps().scopeText().contains(QStringLiteral("Open a run")));
        QVERIFY(docks.comparison().message().contains(QStringLiteral("Open a run")));
    }

    void theBreakdownAddsUp() {
        Stage stage;
        double sum = 0;
        for (const TableRow& row : stage.docks.breakdown().table().table().rows())
            if (row.parent < 0 && row.swatch)
                sum += row.cells[1].number.value_or(0);
        const Breakdown& breakdown = stage.docks.feed().figures()->sum;
        QVERIFY(sum > 0);
        QVERIFY(std::abs(sum - breakdown.perStep(breakdown.totalNs)) < 1);
        double parts = 0;
        for (const BarPart& part : stage.docks.breakdown().bar().parts())
            parts += part.value;
        QVERIFY(std::abs(parts * 1e6 - sum) < 1);
    }

    void allReduceUnfoldsIntoWaitingAndMoving() {
        Stage stage;
        const double waiting = stage.breakdownMs(QStringLiteral("waiting"));
        const double moving = stage.breakdownMs(QStringLiteral("moving data"));
        QVERIFY(waiting >= 0 && moving > 0);
        QVERIFY(std::abs(waiting + moving - stage.breakdownMs(QStringLiteral("AllReduce"))) < 0.0021);
    }

    void wallTimeShowsIdleAndSaysSo() {
        Stage stage;
        stage.state.setAttribution(Attribution::Wall);
        QVERIFY(stage.breakdownMs(QStringLiteral("Idle")) > 0);
        QVERIFY(stage.docks.breakdown().scopeText().contains(QStringLiteral("wall time")));
        stage.state.setAttribution(Attribution::Sum);
        QVERIFY(stage.breakdownMs(QStringLiteral("Idle")) < 0);
        QVERIFY(stage.docks.breakdown().scopeText().contains(QStringLiteral("added up")));
    }

    void aChosenStepIsWhatAllPanelsShow() {
        Stage stage;
        stage.state.setStep(3);
        QVERIFY(stage.waitForFigures());
        QVERIFY(stage.docks.breakdown().scopeText().contains(QStringLiteral("step 3")));
        QCOMPARE(stage.docks.feed().figures()->stalls.collectives, std::size_t{12});
        QVERIFY(stage.docks.breakdown()
                    .findings()
                    .text()
                    .join(QLatin1Char(' '))
                    .contains(QStringLiteral("rank 1")));
        QVERIFY(stage.docks.steps().strip().current() == std::optional<std::size_t>(3));
    }

    void filtersOnRanksAct() {
        Stage stage;
        Filters filters;
        filters.ranks = {0, 2};
        stage.state.setFilters(filters);
        QVERIFY(stage.waitForFigures());
        QVERIFY(stage.docks.breakdown().scopeText().contains(QStringLiteral("2 ranks of 4")));
        QCOMPARE(stage.docks.stalls().ranks().table().rowCount(), 2);
        filters.ranks = {77};
        stage.state.setFilters(filters);
        QTRY_VERIFY(!stage.docks.feed().figures());
        QVERIFY(stage.docks.breakdown().scopeText().contains(QStringLiteral("leave out all ranks")));
    }

    void theTimeFilterReachesTheStepsChart() {
        Stage stage;
        const std::size_t steps = stage.state.shown()->steps.size();
        QVERIFY(!stage.docks.steps().scopeText().contains(QLatin1String("filters")));
        Filters filters;
        filters.range = stage.state.shown()->steps[1].range;
        stage.state.setFilters(filters);
        QVERIFY2(stage.docks.steps().scopeText().contains(
                     QStringLiteral("the filters leave out %1").arg(steps - 1)),
                 qPrintable(stage.docks.steps().scopeText()));
    }

    void aStallInTheTableShowsOnTheTimeline() {
        Stage stage;
        TablePanel& worst = stage.docks.stalls().worst();
        const QStringList cells = worst.text()[1].split(QLatin1Char('\t'));
        QCOMPARE(cells[0], QStringLiteral("3"));
        QCOMPARE(cells[1], QStringLiteral("2"));
        QCOMPARE(cells[2], QStringLiteral("rank 1"));
        QVERIFY2(cells.join(QLatin1Char('|')).contains(QStringLiteral("spin_kernel")),
                 qPrintable(cells.join(QLatin1Char('|'))));
        const TimeRange before = stage.state.visibleRange();
        worst.view().selectRow(0);
        QVERIFY(stage.state.currentStall().has_value());
        QVERIFY(stage.state.visibleRange().length() < before.length() / 2);
        QCOMPARE(stage.state.selection().rank, std::size_t{1});
    }

    void aCellOfTheStallMapGoesToItsWorstStall() {
        Stage stage;
        StallHeatmap& map = stage.docks.stallMap().heatmap();
        map.resize(600, 200);
        map.plot().setViewport(QRect(0, 0, 600, 200));
        map.plot().replot();
        const QPoint cell = map.middleOf(1, 3);
        QVERIFY(map.cellAt(cell) == std::pair(std::size_t{1}, std::size_t{3}));
        QTest::mouseClick(&map.plot(), Qt::LeftButton, {}, cell);
        QVERIFY(stage.state.currentStall().has_value());
        const RunAnalysis& analysis = *stage.state.shown()->analysis;
        QCOMPARE(analysis.collectives.matched[*stage.state.currentStall()].step, 3u);
        QCOMPARE(analysis.stalls.worst.front(), *stage.state.currentStall());
    }

    void theStripChoosesAStepAndLetsGoOfIt() {
        Stage stage;
        StepStrip& strip = stage.docks.steps().strip();
        strip.plot().setViewport(QRect(0, 0, 600, 200));
        strip.plot().replot();
        const QPoint step(static_cast<int>(strip.plot().xAxis->coordToPixel(4)), 80);
        QTest::mouseClick(&strip.plot(), Qt::LeftButton, {}, step);
        QVERIFY(stage.state.step() == std::optional<std::size_t>(4));
        QTest::mouseClick(&strip.plot(), Qt::LeftButton, {}, step);
        QVERIFY(!stage.state.step());
    }

    void kernelsAreFilteredByCategory() {
        Stage stage;
        TablePanel& table = stage.docks.kernels().table();
        const int all = table.table().rowCount();
        const auto attention = stage.docks.feed().figures()->set.find("attention");
        Filters filters;
        filters.categories = {*attention};
        stage.state.setFilters(filters);
        QVERIFY(stage.waitForFigures());
        QCOMPARE(table.table().rowCount(), 1);
        QVERIFY(all > 5);
        QVERIFY(table.text()[1].startsWith(QStringLiteral("flash_fwd_splitkv_kernel<bf16>")));
    }

    void hbmEfficiencyAsksForTheModelThenComputes() {
        Stage stage;
        HbmPanel& hbm = stage.docks.breakdown().hbm();
        QVERIFY(!hbm.result());
        QVERIFY(hbm.text().join(QLatin1Char(' ')).contains(QStringLiteral("Choose the model")));
        hbm.setModel(QStringLiteral("kimi-k2.5-int4"));
        if (!hbm.result()) // the hand-made trace names no GPU that is known
            QVERIFY(hbm.text().join(QLatin1Char(' ')).contains(QStringLiteral("GPU")));
    }

    void aRuleOfOnesOwnRecategorisesEverything() {
        Stage stage;
        const double before = stage.breakdownMs(QStringLiteral("Attention"));
        QVERIFY(before > 0);
        CategoryEditor& editor = stage.docks.rules();
        editor.setForm(QStringLiteral("flash_fwd"), QStringLiteral("moe_gemm"));
        editor.addRule();
        QVERIFY(stage.waitForFigures());
        QCOMPARE(stage.breakdownMs(QStringLiteral("Attention")), 0.0);
        QVERIFY(QFile::exists(stage.folder.filePath(QStringLiteral("own/categories.json"))));
        QCOMPARE(editor.own().rules.size(), std::size_t{1});
        editor.table().setCurrentKey(0);
        editor.setForm(QStringLiteral("flash_fwd"), QStringLiteral("norm"));
        editor.changeRule();
        QVERIFY(stage.waitForFigures());
        QCOMPARE(editor.own().rules.size(), std::size_t{1});
        QCOMPARE(editor.own().rules.front().category, std::string("norm"));
        QCOMPARE(stage.breakdownMs(QStringLiteral("Attention")), 0.0);
        editor.table().setCurrentKey(0);
        editor.removeRule();
        QVERIFY(stage.waitForFigures());
        QCOMPARE(stage.breakdownMs(QStringLiteral("Attention")), before);
    }

    void keptRulesActOnTheNextStart() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("categories.json"));
        {
            ViewState state;
            CategoryEditor editor(state, file);
            editor.setForm(QStringLiteral("mine"), QStringLiteral("norm"));
            editor.addRule();
        }
        ViewState state;
        const CategoryEditor editor(state, file);
        QVERIFY(state.rules());
        QCOMPARE(state.rules()->rules.front().id, std::string("own-1"));
        QVERIFY(state.rules()->rules.front().user);
    }

    void anExpressionThatIsNoneIsSaidAndChangesNothing() {
        Stage stage;
        CategoryEditor& editor = stage.docks.rules();
        editor.setForm(QStringLiteral("(("), QStringLiteral("norm"));
        editor.addRule();
        QVERIFY(editor.own().rules.empty());
        QVERIFY(!stage.state.rules());
        QVERIFY(!editor.message().isEmpty());
    }

    void noStallsSavesWhatIsWaited() {
        Stage stage;
        WhatIfPanel& panel = stage.docks.whatIf();
        QSignalSpy projected(&panel, &WhatIfPanel::projected);
        panel.replace().setChecked(false);
        panel.noStalls().setChecked(true);
        QVERIFY(projected.wait(20'000));
        QCOMPARE(panel.message(), QString());
        QVERIFY(!panel.lines().isEmpty());
        QVERIFY(panel.table().text().size() >= 5);
    }

    void withoutAChangeTheWhatIfAsksForOne() {
        Stage stage;
        WhatIfPanel& panel = stage.docks.whatIf();
        panel.replace().setChecked(false);
        QTRY_VERIFY(panel.message().contains(QStringLiteral("Choose what would change")));
        QVERIFY(panel.lines().isEmpty());
    }

    void anotherRunIsComparedByCategory() {
        Stage stage;
        const TemporaryFolder folder;
        RunBuilder other(2);
        for (int step = 0; step < 4; ++step)
            other.step(step)
                .compute("nvjet_gemm", 50us)
                .allReduce({{1, 20us}})
                .compute("flash_fwd_kernel<int>", 15us);
        QStringList paths;
        for (const std::string& path : other.writeTo(folder))
            paths << QString::fromStdString(path);
        ComparisonPanel& panel = stage.docks.comparison();
        QSignalSpy compared(&panel, &ComparisonPanel::compared);
        panel.compareWith(paths);
        QVERIFY(compared.wait(20'000));
        QVERIFY(panel.comparison());
        QCOMPARE(panel.comparison()->portraitA.ranks, std::size_t{4});
        QCOMPARE(panel.comparison()->portraitB.ranks, std::size_t{2});
        QVERIFY(panel.categories().text().size() >= 8);
        // What sets the runs apart is a line each.
        QVERIFY(panel.portraits().text().contains(QStringLiteral("ranks\t4\t2")));
        panel.close();
        QVERIFY(!panel.comparison());
        QVERIFY(panel.message().contains(QStringLiteral("Open a second run")));
    }

    void aRunThatCannotBeComparedIsSaid() {
        Stage stage;
        ComparisonPanel& panel = stage.docks.comparison();
        panel.compareWith({stage.folder.filePath(QStringLiteral("nowhere.json"))});
        QTRY_VERIFY_WITH_TIMEOUT(panel.message().contains(QStringLiteral("nowhere.json")), 20'000);
    }
};

LOCKSTEP_QTEST_MAIN(WindowPanelsTest)
#include "tst_windowpanels.moc"
