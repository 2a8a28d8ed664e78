#include "views/timeline/tracklist.h"

#include "tests/support/qttest.h"

using namespace lockstep;

namespace {

/// One line a row: rank, kind or label, height.
QString drawn(const TrackList& tracks) {
    QStringList lines;
    for (const TrackRow& row : tracks.rows()) {
        QString what = row.kind == TrackRow::Kind::Summary ? QStringLiteral("summary")
                       : row.kind == TrackRow::Kind::Fold
                           ? (row.open ? QStringLiteral("v ") : QStringLiteral("> ")) + row.label
                       : row.label.isEmpty() ? QStringLiteral("…")
                                             : row.label;
        lines << QStringLiteral("%1 %2").arg(row.rank).arg(what);
    }
    return lines.join(QLatin1Char('|'));
}

TrackList listOf(int ranks) {
    TrackList tracks;
    tracks.setShown(test::shownRun(ranks, 20));
    return tracks;
}

} // namespace

class TrackListTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::failOnQtWarnings(); }

    void showsStreamsAndFoldsCpuThreads() {
        QCOMPARE(drawn(listOf(2)),
                 QStringLiteral(
                     "0 stream 7|0 stream 20|0 > 1 CPU thread|1 stream 7|1 stream 20|1 > 1 CPU thread"));
    }

    void unfoldsASectionOfOneRank() {
        TrackList tracks = listOf(2);
        tracks.setSectionOpen(1, TrackSection::CpuThreads, true);
        QCOMPARE(drawn(tracks), QStringLiteral("0 stream 7|0 stream 20|0 > 1 CPU thread|"
                                               "1 stream 7|1 stream 20|1 v 1 CPU thread|1 python|1 …"));
    }

    void foldsARankIntoOneRow() {
        TrackList tracks = listOf(2);
        const int whole = tracks.height();
        tracks.setRankFolded(0, true);
        QCOMPARE(drawn(tracks), QStringLiteral("0 summary|1 stream 7|1 stream 20|1 > 1 CPU thread"));
        QVERIFY(tracks.height() < whole);
        tracks.setAllRanksFolded(true);
        QCOMPARE(drawn(tracks), QStringLiteral("0 summary|1 summary"));
        tracks.setAllRanksFolded(false);
        QCOMPARE(tracks.height(), whole);
    }

    void aReferenceStepStandsBelowTheLanesOfEveryRank() {
        TrackList tracks = listOf(2);
        const int lane = tracks.rowOf(1, tracks.rows()[3].lane);
        tracks.setReference(ReferenceStep{{{0, 1'000}, {0, 1'000}}, 50, QStringLiteral("median step 4")});
        QCOMPARE(drawn(tracks),
                 QStringLiteral("0 stream 7|0 stream 20|0 median step 4|0 …|0 > 1 CPU thread|"
                                "1 stream 7|1 stream 20|1 median step 4|1 …|1 > 1 CPU thread"));
        // An event is still found where it is, not where the reference shows its lane once more.
        QCOMPARE(tracks.rowOf(1, tracks.rows()[5].lane), 5);
        tracks.setAllRanksFolded(true);
        QCOMPARE(drawn(tracks), QStringLiteral("0 summary|0 summary|1 summary|1 summary"));
        tracks.setAllRanksFolded(false);
        tracks.setReference(std::nullopt);
        QCOMPARE(tracks.rowOf(1, tracks.rows()[3].lane), lane);
    }

    void keepsFoldingByRankNumber() {
        TrackList tracks = listOf(2);
        tracks.setRankFolded(1, true);
        tracks.setShown(test::shownRun(3, 20));
        QVERIFY(tracks.groups()[1].folded);
        QVERIFY(!tracks.groups()[2].folded);
    }

    void groupsStandOneBelowTheOther() {
        const TrackList tracks = listOf(3);
        int y = 0;
        for (const RankGroup& group : tracks.groups()) {
            QCOMPARE(group.top, y);
            y += group.height;
            QVERIFY(group.height >= RowMetrics{}.header);
        }
        QCOMPARE(tracks.height(), y);
    }

    void findsRowsByPlaceAndByLane() {
        const TrackList tracks = listOf(2);
        const TrackRow& row = tracks.rows()[4];
        QCOMPARE(tracks.rowAt(row.top), 4);
        QCOMPARE(tracks.rowAt(row.top + row.height - 1), 4);
        QCOMPARE(tracks.rowAt(-1), -1);
        QCOMPARE(tracks.rowAt(tracks.height() + 5), -1);
        QCOMPARE(tracks.rowOf(1, row.lane), 4);
        QCOMPARE(tracks.rowOf(1, LaneId{2u}), -1); // a CPU lane, folded away
        QCOMPARE(tracks.groupAt(row.top), 1);
    }
};

LOCKSTEP_QTEST_MAIN(TrackListTest)
#include "tst_tracklist.moc"
