#include "views/timeline/timescale.h"

#include "tests/support/qttest.h"
#include "views/timeline/ticks.h"

using namespace lockstep;

namespace {
QString labels(TimeRange range, TimeNs origin, double distance) {
    QStringList texts;
    for (const Tick& tick : ticksOf(range, origin, distance))
        texts << tick.label;
    return texts.join(QLatin1Char('|'));
}
} // namespace

class TimeScaleTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::failOnQtWarnings(); }

    void mapsTimeToPixelsAndBack() {
        const TimeScale scale{{1'000, 3'000}, 200};
        QCOMPARE(scale.toPixel(1'000), 0.0);
        QCOMPARE(scale.toPixel(2'000), 100.0);
        QCOMPARE(scale.toTime(50), TimeNs{1'500});
    }

    void keepsNanosecondsFarFromTheEpoch() {
        const TimeNs base = 1'790'857'026'000'000'000;
        const TimeScale scale{{base, base + 1'000}, 1'000};
        QCOMPARE(scale.toPixel(base + 123), 123.0);
        QCOMPARE(scale.toTime(123), base + 123);
    }

    void zoomsAroundThePointer() {
        const TimeScale scale{{0, 1'000'000}, 1'000};
        const TimeRange half = scale.zoomed(0.5, 300);
        QCOMPARE(half.length(), TimeNs{500'000});
        QCOMPARE((TimeScale{half, 1'000}.toTime(300)), TimeNs{300'000});
    }

    void pansByPixels() {
        const TimeScale scale{{0, 1'000'000}, 1'000};
        QVERIFY((scale.panned(-100) == TimeRange{-100'000, 900'000}));
    }

    void revealsByTheLeastMove() {
        const TimeRange visible{1'000, 2'000};
        QVERIFY(revealed(visible, {1'200, 1'300}) == visible);
        QVERIFY((revealed(visible, {500, 600}) == TimeRange{450, 1'450}));
        QVERIFY((revealed(visible, {2'500, 2'600}) == TimeRange{1'650, 2'650}));
    }

    void revealsTheBeginOfWhatDoesNotFit() {
        QVERIFY((revealed({1'000, 2'000}, {5'000, 9'000}) == TimeRange{4'950, 5'950}));
        QVERIFY((revealed({1'000, 2'000}, {1'500, 9'000}) == TimeRange{1'000, 2'000}));
    }

    void ticksStandAtRoundTimes() {
        QCOMPARE(tickDistance(1), TimeNs{1});
        QCOMPARE(tickDistance(3), TimeNs{5});
        QCOMPARE(tickDistance(5.1), TimeNs{10});
        QCOMPARE(tickDistance(1'999'999), TimeNs{2'000'000});
    }

    void labelsAreInTheUnitThatReadsBest() {
        QCOMPARE(labels({0, 4'000}, 0, 1'000), QStringLiteral("0 µs|1 µs|2 µs|3 µs"));
        QCOMPARE(labels({0, 200'000}, 0, 50'000), QStringLiteral("0.00 ms|0.05 ms|0.10 ms|0.15 ms"));
        QCOMPARE(labels({0, 30'000'000}, 0, 10'000'000), QStringLiteral("0 ms|10 ms|20 ms"));
        QCOMPARE(labels({0, 2'000'000'000}, 0, 1'000'000'000), QStringLiteral("0 s|1 s"));
        QCOMPARE(labels({1'500'000, 1'500'300}, 0, 100), QStringLiteral("1.5000 ms|1.5001 ms|1.5002 ms"));
    }

    void labelsCountFromTheOrigin() {
        const TimeNs origin = 1'790'857'026'123'456'789;
        QCOMPARE(labels({origin - 1'000, origin + 2'000}, origin, 1'000), QStringLiteral("-1 µs|0 µs|1 µs"));
    }
};

LOCKSTEP_QTEST_MAIN(TimeScaleTest)
#include "tst_timescale.moc"
