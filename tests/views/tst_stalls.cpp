#include "tests/support/qttest.h"
#include "tests/support/runbuilder.h"
#include "views/common/palette.h"
#include "views/panels/runpanel.h"
#include "views/timeline/hovertext.h"
#include "views/timeline/stallparts.h"
#include "views/timeline/timelinepanel.h"
#include "views/timeline/timelineview.h"
#include "views/timeline/trackheader.h"

#include "model/run/runloader.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Two ranks, four steps; in step 2 rank 1 comes 200 µs late.
std::shared_ptr<const ShownRun> stalledRun() {
    const TemporaryFolder folder;
    RunBuilder run(2);
    for (int step = 0; step < 4; ++step)
        run.step(step, "execute_context_0(0)_generation_1(1)")
            .compute("gemm", 20us)
            .allReduce({{1, step == 2 ? 200us : 1us}}, 10us)
            .compute("gemm", 20us)
            .allReduce({{0, 1us}}, 10us);
    const auto loaded = loadRun(run.writeTo(folder));
    const auto shown = showRun(loaded.value());
    return withAnalysis(*shown, analyseRun(shown->run));
}

/// Rank `rank`'s event in the worst stall.
EventRef inWorst(const ShownRun& shown, std::size_t rank) {
    const std::uint32_t worst = shown.analysis->stalls.worst.front();
    return {rank, shown.analysis->collectives.callOf(worst, rank)->event};
}

} // namespace

class StallsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnQtWarnings(); }

    void partsOfACollectiveFollowOneAnother() {
        const auto shown = stalledRun();
        const StallParts waiting = stallPartsOf(*shown, inWorst(*shown, 0)).value();
        QVERIFY(waiting.begin <= waiting.arrival && waiting.arrival < waiting.released &&
                waiting.released < waiting.end);
        QVERIFY(std::abs(waiting.released - waiting.arrival - 200'000) < 1'000);
        const StallParts last = stallPartsOf(*shown, inWorst(*shown, 1)).value();
        QCOMPARE(last.arrival, last.released);
        QVERIFY(std::abs(waiting.released - last.arrival) < 1'000);
    }

    void computeKernelsHaveNoParts() {
        const auto shown = stalledRun();
        for (const EventId id : shown->ranks[0].trace->gpuActivities())
            if (shown->ranks[0].trace->name(id) == "gemm")
                QVERIFY(!stallPartsOf(*shown, {0, id}));
    }

    void hoveringSaysWhoCameLastAndWhatWasWaited() {
        const auto shown = stalledRun();
        const QString text = hoverText(*shown, inWorst(*shown, 0)).lines.join(QLatin1Char('\n'));
        QVERIFY2(text.contains(QStringLiteral("waits 200.0 µs")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("rank 1 arrives last, +200.0 µs")), qPrintable(text));
    }

    void headersNameTheCulprit() {
        const auto shown = stalledRun();
        bool late = false;
        for (const HeaderLine& line : headerLines(*shown, 1))
            late = late || (line.late && line.text.startsWith(QStringLiteral("caused")));
        QVERIFY(late);
        for (const HeaderLine& line : headerLines(*shown, 0))
            QVERIFY(!line.late);
    }

    void waitingIsHatchedAndTransferSolid() {
        const auto shown = stalledRun();
        ViewState state;
        TimelinePanel panel(state);
        panel.resize(1200, 400);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        state.setShown(shown);
        const EventRef event = inWorst(*shown, 0);
        const StallParts parts = stallPartsOf(*shown, event).value();
        state.setVisibleRange({parts.begin - 20'000, parts.end + 20'000});
        panel.grab();
        const QRect bar = panel.view().rectOf(event);
        const QImage image = panel.view().viewport()->grab().toImage();
        const QColor solid = Palette::light().of(ColourRole::AllReduce);
        const auto share = [&](QRect area) {
            int same = 0;
            for (int y = area.top(); y <= area.bottom(); ++y)
                for (int x = area.left(); x <= area.right(); ++x)
                    same += image.pixelColor(x, y) == solid ? 1 : 0;
            return static_cast<double>(same) / (area.width() * area.height());
        };
        const double hatched =
            share(QRect(bar.left() + bar.width() / 2, bar.top() + 1, 60, bar.height() - 2));
        QVERIFY2(hatched > 0.03 && hatched < 0.5, qPrintable(QString::number(hatched)));
        const int released =
            panel.view().headerWidth() + static_cast<int>(panel.view().scale().toPixel(parts.released));
        QCOMPARE(share(QRect(released + 2, bar.top(), 4, 3)), 1.0);
    }

    void stepsAreThoseOfTheAnalysis() {
        const auto shown = stalledRun();
        QCOMPARE(shown->steps.size(), std::size_t{4});
        QCOMPARE(shown->steps.front().kind, StepKind::Decode);
    }

    void analysisOfTheSameRunKeepsTheSelection() {
        const auto analysed = stalledRun();
        ViewState state;
        const auto plain = showRun(analysed->run);
        state.setShown(plain);
        state.setSelection({0, EventId{2u}});
        state.setShown(withAnalysis(*plain, analysed->analysis), true);
        QVERIFY((state.selection() == EventRef{0, EventId{2u}}));
    }

    void theRunPanelTellsHowTheClocksWereAligned() {
        const auto shown = stalledRun();
        ViewState state;
        RunPanel panel(state);
        state.setShown(shown);
        QVERIFY(!panel.text().filter(QStringLiteral("aligned on 8 collectives")).isEmpty());
        QVERIFY(panel.text().contains(QStringLiteral("rank 0\treference")) ||
                panel.text().contains(QStringLiteral("rank 1\treference")));
    }
};

LOCKSTEP_QTEST_MAIN(StallsTest)
#include "tst_stalls.moc"
