// Where lanes and their spans lie, held as text.
#include "model/layout/visiblespans.h"
#include "tests/support/qttest.h"
#include "views/timeline/tracklist.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

RowMetrics fixedMetrics() {
    RowMetrics metrics;
    metrics.lane = 6;
    metrics.summary = 6;
    metrics.padding = 1;
    metrics.summaryPadding = 1;
    metrics.gap = 0;
    metrics.header = 0;
    metrics.fold = 2;
    return metrics;
}

void compareText(const QString& actual, const QString& golden) {
    if (actual != golden)
        std::fprintf(stderr, "%s", qPrintable(actual));
    QCOMPARE(actual, golden);
}

} // namespace

class GoldensTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnQtWarnings(); }

    void spansOfALane() {
        HandmadeRank rank(0);
        rank.track(TrackKind::GpuStream, "7");
        for (int i = 0; i < 200; ++i)
            rank.kernel("short", i * 100, i == 77 ? 95 : 50);
        rank.kernel("long", 20'000, 10'000).kernel("last", 31'000, 1'000);
        const RankTrace trace = rank.build();
        const LanePyramid pyramid(trace.events, trace.lanes[0]);
        std::vector<Span> spans;
        visibleSpans(trace.events, trace.lanes[0], pyramid, {0, 32'000}, 16, spans);
        QString text;
        for (const Span& span : spans)
            text += QStringLiteral("%1-%2 event %3, %4 from %5\n")
                        .arg(span.left)
                        .arg(span.right)
                        .arg(span.event.value)
                        .arg(span.count)
                        .arg(span.first);
        compareText(text, QStringLiteral("0-1 event 0, 20 from 0\n"
                                         "1-2 event 20, 20 from 20\n"
                                         "2-3 event 40, 20 from 40\n"
                                         "3-4 event 77, 20 from 60\n"
                                         "4-5 event 80, 20 from 80\n"
                                         "5-6 event 100, 20 from 100\n"
                                         "6-7 event 120, 20 from 120\n"
                                         "7-8 event 140, 20 from 140\n"
                                         "8-9 event 160, 20 from 160\n"
                                         "9-10 event 180, 20 from 180\n"
                                         "10-15 event 200, 1 from 200\n"
                                         "15-16 event 201, 1 from 201\n"));
    }

    void rowsOfARun() {
        TrackList tracks;
        tracks.setMetrics(fixedMetrics());
        tracks.setShown(shownRun(2));
        tracks.setSectionOpen(1, TrackSection::CpuThreads, true);
        tracks.setRankFolded(0, true);
        QString text;
        for (const TrackRow& row : tracks.rows())
            text += QStringLiteral("rank %1 %2 %3+%4 %5\n")
                        .arg(row.rank)
                        .arg(row.kind == TrackRow::Kind::Summary ? QStringLiteral("summary")
                             : row.kind == TrackRow::Kind::Fold  ? QStringLiteral("fold")
                                                                 : QStringLiteral("lane"))
                        .arg(row.top)
                        .arg(row.height)
                        .arg(row.label)
                        .trimmed() +
                    QLatin1Char('\n');
        compareText(text, QStringLiteral("rank 0 summary 1+6\n"
                                         "rank 1 lane 9+6 stream 7\n"
                                         "rank 1 lane 15+6 stream 20\n"
                                         "rank 1 fold 21+2 1 CPU thread\n"
                                         "rank 1 lane 23+14 python\n"
                                         "rank 1 lane 37+14\n"));
    }
};

LOCKSTEP_QTEST_MAIN(GoldensTest)
#include "tst_goldens.moc"
