#include "views/tables/tablepanel.h"

#include "tests/support/qttest.h"

#include <QClipboard>
#include <QHeaderView>
#include <QSignalSpy>
#include <QTableView>

using namespace lockstep;

namespace {

std::vector<TableRow> kernels() {
    std::vector<TableRow> rows(3);
    rows[0].key = 10;
    rows[0].cells = {QStringLiteral("gemm<bf16, 128>"), {QStringLiteral("9.5"), 9.5}};
    rows[1].key = 11;
    rows[1].cells = {QStringLiteral("<b>norm</b>"), {QStringLiteral("120.0"), 120}};
    rows[2].key = 12;
    rows[2].cells = {QStringLiteral("attention"), {QStringLiteral("30.0"), 30}};
    return rows;
}

struct Stage {
    TablePanel panel{QStringLiteral("Kernels"), TablePanel::Use::Searching};
    Stage() {
        panel.setColumns({{QStringLiteral("kernel"), false, {}}, {QStringLiteral("µs"), true, {}}});
        panel.setRows(kernels());
        panel.resize(400, 300);
        panel.show();
    }
    [[nodiscard]] QString shown() const { return panel.text().join(QLatin1Char('|')); }
};

} // namespace

class TablePanelTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::failOnQtWarnings(); }

    void keepsTheOrderItWasGiven() {
        const Stage stage;
        QCOMPARE(stage.shown(),
                 QStringLiteral("kernel\tµs|gemm<bf16, 128>\t9.5|<b>norm</b>\t120.0|attention\t30.0"));
    }

    void sortsNumbersAsNumbers() {
        Stage stage;
        stage.panel.view().sortByColumn(1, Qt::DescendingOrder);
        QCOMPARE(stage.shown(),
                 QStringLiteral("kernel\tµs|<b>norm</b>\t120.0|attention\t30.0|gemm<bf16, 128>\t9.5"));
    }

    void filtersByRegularExpression() {
        Stage stage;
        stage.panel.setFilter(QStringLiteral("^(gemm|ATT)"));
        QCOMPARE(stage.shown(), QStringLiteral("kernel\tµs|gemm<bf16, 128>\t9.5|attention\t30.0"));
    }

    void anInvalidExpressionLeavesTheRows() {
        Stage stage;
        stage.panel.setFilter(QStringLiteral("(gemm"));
        QCOMPARE(stage.panel.text().size(), 4);
    }

    void copiesTheChosenRowWithItsHeadings() {
        Stage stage;
        stage.panel.setCurrentKey(12);
        stage.panel.copy();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("kernel\tµs\nattention\t30.0"));
    }

    void namesArePlainTextEverywhere() {
        const Stage stage;
        const QModelIndex cell = stage.panel.table().index(1, 0);
        QCOMPARE(cell.data().toString(), QStringLiteral("<b>norm</b>"));
        QCOMPARE(cell.data(Qt::ToolTipRole).toString(), QStringLiteral("&lt;b&gt;norm&lt;/b&gt;"));
    }

    void numbersStandToTheRight() {
        const Stage stage;
        QVERIFY(stage.panel.table().index(0, 1).data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
        QVERIFY(!(stage.panel.table().index(0, 0).data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight));
    }

    void saysWhichRowWasChosenByHandOnly() {
        Stage stage;
        QSignalSpy chosen(&stage.panel, &TablePanel::rowChosen);
        stage.panel.setCurrentKey(11);
        stage.panel.setRows(kernels());
        QCOMPARE(chosen.count(), 0);
        QCOMPARE(stage.panel.currentKey(), std::int64_t{11});
        const QModelIndex index = stage.panel.view().model()->index(2, 0);
        QTest::mouseClick(stage.panel.view().viewport(), Qt::LeftButton, {},
                          stage.panel.view().visualRect(index).center());
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.first().first().toLongLong(), 12);
    }

    void rowsFoldIntoTheirParent() {
        std::vector<TableRow> rows = kernels();
        rows[1].parent = 10;
        rows[2].parent = 10;
        Stage stage;
        stage.panel.setRows(rows);
        stage.panel.setFolded(10, true);
        QCOMPARE(stage.shown(), QStringLiteral("kernel\tµs|gemm<bf16, 128>\t9.5"));
        QVERIFY(stage.panel.table().index(0, 0).data().toString().startsWith(QStringLiteral("▸")));
        stage.panel.setFolded(10, false);
        QCOMPARE(stage.panel.text().size(), 4);
    }

    void withoutRowsASentenceSaysWhy() {
        Stage stage;
        stage.panel.setEmptyText(QStringLiteral("Nothing here."));
        stage.panel.setRows({});
        QVERIFY(!stage.panel.view().isVisible());
        stage.panel.setRows(kernels());
        QVERIFY(stage.panel.view().isVisible());
    }
};

LOCKSTEP_QTEST_MAIN(TablePanelTest)
#include "tst_tablepanel.moc"
