// What the lanes look like, held as text: geometry, and pictures without letters as one letter a colour.
#include "model/layout/visiblespans.h"
#include "model/run/runloader.h"
#include "tests/support/qttest.h"
#include "tests/support/runbuilder.h"
#include "views/common/palette.h"
#include "views/timeline/timelinepainter.h"

#include <QPainter>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Two ranks, one step: rank 1 comes 60 µs late to the all-reduce.
std::shared_ptr<const ShownRun> stalledRun() {
    const TemporaryFolder folder;
    RunBuilder run(2);
    run.step(0, "execute_context_0(0)_generation_1(1)")
        .compute("flash_fwd_kernel", 40us)
        .allReduce({{1, 60us}}, 40us)
        .compute("marlin_gemm", 60us)
        .allReduce({{0, 1us}}, 20us);
    const auto shown = showRun(loadRun(run.writeTo(folder)).value());
    return withAnalysis(*shown, analyseRun(shown->run));
}

std::shared_ptr<const Colouring> coloured(const ShownRun& shown) {
    const auto categories = showCategories(shown.analysis, CategoryRules::builtin().value());
    return colour(shown, categories.get(), {});
}

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

/// A letter for a colour: '.' the canvas, '/' the hatching or the pale ground of waiting.
char letterOf(const QColor& colour, const LaneColours& lanes, const Palette& palette) {
    constexpr std::string_view kLetters = "R2AMGTDE/LKCNOHP#-";
    if (colour == palette.canvas)
        return '.';
    const auto waiting = static_cast<std::size_t>(ColourRole::Waiting);
    const QColor pale = QColor::fromRgb(lanes.fill[waiting]);
    const auto near = [](int a, int b) {
        return std::abs(a - b) <= 2;
    };
    if (near(colour.red(), pale.red()) && near(colour.green(), pale.green()) && near(colour.blue(), pale.blue()))
        return '/';
    for (std::size_t i = 0; i < kLetters.size(); ++i)
        if (colour == QColor::fromRgb(lanes.fill[i]))
            return kLetters[i];
    return '?';
}

/// The lanes of `shown` in `width` pixels, one letter a pixel, every second line left out.
QString picture(const std::shared_ptr<const ShownRun>& shown, int width, bool folded) {
    TrackList tracks;
    tracks.setShown(shown);
    tracks.setAllRanksFolded(folded);
    tracks.setMetrics(fixedMetrics());
    TimelinePainter painter;
    painter.setFont(QApplication::font());
    painter.setShown(shown);
    painter.setColouring(coloured(*shown));
    const Palette& palette = Palette::light();
    QImage image(width, tracks.height(), QImage::Format_RGB32);
    image.fill(palette.canvas);
    QPainter onImage(&image);
    painter.prepare(tracks, palette, shown->span, width, 0, static_cast<int>(tracks.rows().size()));
    painter.paint(onImage, palette, QPoint(0, 0));
    onImage.end();
    const LaneColours lanes = LaneColours::of(palette);
    QString text;
    for (int y = 0; y < image.height(); y += 2) {
        QString line;
        for (int x = 0; x < width; ++x)
            line += QLatin1Char(letterOf(image.pixelColor(x, y), lanes, palette));
        text += line + QLatin1Char('\n');
    }
    return text;
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

    void aStallFarOut() { compareText(picture(stalledRun(), 12, true), QStringLiteral("FAR")); }

    void aStallCloseIn() { compareText(picture(stalledRun(), 60, false), QStringLiteral("NEAR")); }
};

LOCKSTEP_QTEST_MAIN(GoldensTest)
#include "tst_goldens.moc"
