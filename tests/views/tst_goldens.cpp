// Where lanes and their spans lie, held as text; what is drawn of them, held as small pictures without text.
// LOCKSTEP_WRITE_GOLDENS=1 writes the pictures anew.
#include "model/layout/visiblespans.h"
#include "tests/support/qttest.h"
#include "tests/support/stalledrun.h"
#include "views/common/palette.h"
#include "views/timeline/timelinepainter.h"
#include "views/timeline/tracklist.h"

#include <QPainter>

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

/// The lanes of `shown` in `range`, 160 pixels wide, as the timeline paints them.
QImage lanesOf(const std::shared_ptr<const ShownRun>& shown, TimeRange range) {
    TrackList tracks;
    tracks.setMetrics(fixedMetrics());
    tracks.setShown(shown);
    TimelinePainter lanes;
    lanes.setShown(shown);
    const auto categories =
        shown->analysis ? showCategories(shown->analysis, CategoryRules::builtin().value()) : nullptr;
    lanes.setColouring(colour(*shown, categories.get(), {}));
    const Palette& palette = Palette::light();
    QImage image(160, tracks.height(), QImage::Format_RGB32);
    image.fill(palette.canvas);
    lanes.prepare(tracks, palette, range, image.width(), 0, static_cast<int>(tracks.rows().size()));
    QPainter painter(&image);
    lanes.paint(painter, palette, {0, 0});
    return image;
}

void comparePicture(const QImage& actual, const QString& name) {
    const QString path = QStringLiteral(LOCKSTEP_TEST_DATA) + QStringLiteral("/goldens/") + name;
    if (qEnvironmentVariableIsSet("LOCKSTEP_WRITE_GOLDENS"))
        QVERIFY(actual.save(path));
    const QImage golden = QImage(path).convertToFormat(QImage::Format_RGB32);
    QCOMPARE(actual.size(), golden.size());
    int differing = 0;
    for (int y = 0; y < actual.height(); ++y)
        for (int x = 0; x < actual.width(); ++x)
            differing += actual.pixel(x, y) == golden.pixel(x, y) ? 0 : 1;
    if (differing > 0)
        actual.save(QDir::temp().filePath(name));
    QVERIFY2(differing == 0, qPrintable(QStringLiteral("%1 pixels differ; the picture drawn is %2")
                                            .arg(differing)
                                            .arg(QDir::temp().filePath(name))));
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

    void pictureOfSharesFarOut() {
        // Copies grow from nothing to all of the time, ten events a pixel.
        HandmadeRank rank(0);
        rank.track(TrackKind::GpuStream, "7");
        for (int i = 0; i < 1'600; ++i)
            rank.event(i % 16 < i / 100 ? EventKind::Memcpy : EventKind::Kernel, "k", i * 1'000, 900);
        auto run = std::make_shared<Run>();
        run->ranks.push_back(rank.build());
        comparePicture(lanesOf(showRun(run), {0, 1'600'000}), QStringLiteral("shares.png"));
    }

    void pictureOfAStall() {
        const auto shown = stalledRun();
        const TimeRange step = shown->steps[2].range;
        // So far out that no bar has room for a name.
        comparePicture(lanesOf(shown, {step.begin - 700'000, step.end + 700'000}),
                       QStringLiteral("stall.png"));
    }
};

LOCKSTEP_QTEST_MAIN(GoldensTest)
#include "tst_goldens.moc"
