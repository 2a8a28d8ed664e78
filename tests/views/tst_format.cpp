#include "views/common/format.h"

#include "tests/support/qttest.h"
#include "views/common/palette.h"

using namespace lockstep;

class FormatTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::failOnQtWarnings(); }

    void durationsHaveFourDigitsAndAUnitByTheirSize() {
        QCOMPARE(durationText(0), QStringLiteral("0.000 µs"));
        QCOMPARE(durationText(320), QStringLiteral("0.320 µs"));
        QCOMPARE(durationText(4'864), QStringLiteral("4.864 µs"));
        QCOMPARE(durationText(163'400), QStringLiteral("163.4 µs"));
        QCOMPARE(durationText(12'104'000), QStringLiteral("12.10 ms"));
        QCOMPARE(durationText(929'700'000), QStringLiteral("929.7 ms"));
        QCOMPARE(durationText(3'000'000'000), QStringLiteral("3.000 s"));
        QCOMPARE(durationText(-163'400), QStringLiteral("-163.4 µs"));
    }

    void durationsNeverRoundUpIntoAThousand() {
        QCOMPARE(durationText(999'999), QStringLiteral("1.000 ms"));
        QCOMPARE(durationText(999'999'999), QStringLiteral("1.000 s"));
        QCOMPARE(durationText(9'999), QStringLiteral("9.999 µs"));
        QCOMPARE(durationText(99'996), QStringLiteral("100.0 µs"));
    }

    void momentsAreExact() {
        QCOMPARE(momentText(1), QStringLiteral("0.001 µs"));
        QCOMPARE(momentText(4'250'163), QStringLiteral("4.250163 ms"));
        QCOMPARE(momentText(12'000'000'001), QStringLiteral("12.000000001 s"));
        QCOMPARE(momentText(-1'500), QStringLiteral("−1.500 µs"));
    }

    void countsAndSizesAreReadable() {
        QCOMPARE(countText(1'234'567), QStringLiteral("1,234,567"));
        QCOMPARE(countedText(1, "file", "files"), QStringLiteral("1 file"));
        QCOMPARE(countedText(2'000, "file", "files"), QStringLiteral("2,000 files"));
        QCOMPARE(bytesText(999), QStringLiteral("999 B"));
        QCOMPARE(bytesText(7'385'923), QStringLiteral("7.4 MB"));
        QCOMPARE(bytesText(102e6), QStringLiteral("102 MB"));
    }

    void shortNames_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("shortened");
        const auto row = [](const char* name, const char* shortened) {
            QTest::newRow(shortened) << QString::fromUtf8(name) << QString::fromUtf8(shortened);
        };
        row("void marlin_moe_wna16::Marlin<1125899906909960l, 256>(int4 const*)", "Marlin");
        row("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
            "ncclDevKernel_AllReduce_Sum_bf16_RING_LL");
        row("void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, 1>(float*)",
            "CatArrayBatchedCopy");
        row("Memcpy DtoH (Device -> Pinned)", "Memcpy DtoH (Device -> Pinned)");
        row("aten::_local_scalar_dense", "_local_scalar_dense");
        row("nvjet_sm90_tst_64x8_64x16_4x1_v_bz_splitK_TNT", "nvjet_sm90_tst_64x8_64x16_4x1_v_bz_splitK_TNT");
        row("", "");
        row("<lambda>", "<lambda>");
    }
    void shortNames() {
        QFETCH(QString, name);
        QFETCH(QString, shortened);
        const std::string text = name.toStdString();
        QCOMPARE(traceText(shortName(text)), shortened);
    }

    void textIsBlackOrWhiteByContrast() {
        QCOMPARE(Palette::textOn(QColor(0x0072B2)), QColor(Qt::white));
        QCOMPARE(Palette::textOn(QColor(0xF0E442)), QColor(Qt::black));
        QCOMPARE(Palette::textOn(QColor(0x56B4E9)), QColor(Qt::black));
    }

    void theLookFollowsTheWindowsColour() {
        QPalette widget;
        widget.setColor(QPalette::Window, Qt::white);
        QCOMPARE(&Palette::of(widget), &Palette::light());
        widget.setColor(QPalette::Window, QColor(30, 30, 30));
        QCOMPARE(&Palette::of(widget), &Palette::dark());
    }
};

LOCKSTEP_QTEST_MAIN(FormatTest)
#include "tst_format.moc"
