#include "model/analysis/stallsummary.h"
#include "tests/support/qttest.h"
#include "tests/support/stalledrun.h"
#include "views/common/palette.h"
#include "views/common/stepmarks.h"
#include "views/panels/runpanel.h"
#include "views/timeline/hovertext.h"
#include "views/timeline/navigation.h"
#include "views/timeline/stallparts.h"
#include "views/timeline/timelinepanel.h"
#include "views/timeline/timelineview.h"
#include "views/timeline/trackheader.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

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

    void theMedianStepStandsBesideTheStepDrilledInto() {
        ViewState state;
        TimelinePanel panel(state);
        state.setShown(stalledRun());
        panel.resize(1000, 500);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const std::size_t median = medianStep(*state.shown()).value();
        const std::size_t other = median == 2 ? 1 : 2;
        state.setMedianBeside(true);
        state.showStep(median);
        QVERIFY(!panel.view().tracks().reference());
        state.showStep(other);
        panel.grab();
        const std::vector<TrackRow>& rows = panel.view().tracks().rows();
        const auto reference = std::find_if(rows.begin(), rows.end(), [](const TrackRow& row) {
            return row.reference;
        });
        QVERIFY(reference != rows.end());
        QVERIFY(reference->label.contains(QString::number(median)));
        // The median step's first kernel lies under the one of the step shown.
        const TimeRange step = state.shown()->steps[other].range;
        const RankTrace& trace = *state.shown()->ranks[0].trace;
        const auto at = [&](TimeNs time, const TrackRow& row) {
            const int x = panel.view().headerWidth() +
                          static_cast<int>(std::lround(panel.view().scale().toPixel(time)));
            return panel.view().eventAt({x, row.top + row.height / 2});
        };
        const EventRef own = at(step.begin + 10'000, rows.front());
        const EventRef shown = at(step.begin + 10'000, *reference);
        QVERIFY(own.valid() && shown.valid());
        QVERIFY(own != shown);
        const TimeNs apart = state.shown()->steps[median].range.begin - step.begin;
        QCOMPARE(trace.events.begin(shown.event) - trace.events.begin(own.event), apart);
        // Nothing of the steps around it.
        const EventRef before = at(step.begin - 3'000, *reference);
        QVERIFY(!before.valid());
    }

    void theHeadersSpeakOfTheChosenSteps() {
        const auto shown = stalledRun();
        BreakdownSelection first;
        first.steps = {1}; // in which rank 0 comes late
        const std::vector<RankStalls> stalls = summariseStalls(*shown->analysis, first).ranks;
        const auto late = [&](std::size_t rank, const std::vector<RankStalls>& of) {
            const std::vector<HeaderLine> lines = headerLines(*shown, rank, of);
            return std::any_of(lines.begin(), lines.end(), [](const HeaderLine& line) {
                return line.late;
            });
        };
        QVERIFY(late(1, {}) && !late(0, {})); // over the whole capture
        QVERIFY(late(0, stalls) && !late(1, stalls));
    }

    void stallsFollowOneAnotherWithinTheFilters() {
        const auto shown = stalledRun();
        const std::uint32_t worst = neighbourStall(*shown, {}, nullptr, std::nullopt, 1).value();
        const std::uint32_t second = neighbourStall(*shown, {}, nullptr, worst, 1).value();
        QCOMPARE(shown->analysis->stalls.stalls[worst].straggler, 1u);
        QCOMPARE(shown->analysis->stalls.stalls[second].straggler, 0u);
        Filters ranks;
        ranks.ranks = {0};
        QCOMPARE(neighbourStall(*shown, ranks, nullptr, std::nullopt, 1).value(), second);
        Filters time;
        time.range = shown->steps[1].range;
        QCOMPARE(neighbourStall(*shown, time, nullptr, std::nullopt, 1).value(), second);
        time.range = TimeRange{0, 1};
        QVERIFY(!neighbourStall(*shown, time, nullptr, std::nullopt, 1));
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
