#pragma once

#include "model/layout/visiblespans.h"
#include "views/common/viewstate.h"
#include "views/timeline/bartext.h"
#include "views/timeline/lanecolours.h"
#include "views/timeline/tracklist.h"

#include <QFont>
#include <QImage>
#include <QRect>
#include <QThreadPool>
#include <vector>

class QPainter;

namespace lockstep {

class ColumnStrip;
struct Palette;

/// Draws the lanes of a timeline: prepare() works out the spans of the rows in view, paint() fills rectangles
/// and writes names. Where events are narrower than a few pixels, columns show the share of each colour.
/// Knows no widget, so that the same lanes go to the screen, to an image and to SVG.
class TimelinePainter {
public:
    void setShown(std::shared_ptr<const ShownRun> shown);
    /// Null: kernels have one colour, and collectives theirs.
    void setColouring(std::shared_ptr<const Colouring> colouring);
    /// Hits are marked; null: none are.
    void setSearch(std::shared_ptr<const SearchResult> search);
    void setFont(const QFont& font);

    /// Works out what rows [firstRow, lastRow) of `tracks` show of `range` in `width` pixels; rows that were
    /// prepared for the same stay as they are.
    void prepare(const TrackList& tracks, const Palette& palette, TimeRange range, int width, int firstRow,
                 int lastRow);
    /// Fills the bars of the prepared rows, the first lane's pixel at `origin`.
    void paint(QPainter& painter, const Palette& palette, QPoint origin) const;
    /// The event drawn at pixel `x` of row `row`, or the nearest within `slop`; invalid where there is none.
    [[nodiscard]] EventRef eventAt(int row, int x, int slop) const;
    /// Where the event is drawn, relative to the origin; empty where it is not in view.
    [[nodiscard]] QRect rectOf(const TrackList& tracks, EventRef event) const;

private:
    struct LaneSpans {
        LaneId lane;
        std::vector<Span> spans;
    };
    struct PreparedRow {
        bool ready = false;
        std::size_t rank = 0;
        int top = 0;
        int height = 0;
        bool reference = false;
        TimeNs shift = 0; ///< from a time in view to that of the events
        std::vector<LaneSpans> lanes;
        QImage columns;                        ///< what is too narrow for bars of its own
        std::vector<std::pair<int, int>> hits; ///< pixels of found events
    };
    void prepareRows(const TrackList& tracks, const std::vector<std::size_t>& rows);
    void prepareRow(const TrackList& tracks, const TrackRow& row, PreparedRow& prepared,
                    ColumnStrip& strip) const;
    /// Leaves of a reference row what belongs to its step.
    void cutToStep(const ReferenceStep& step, std::size_t rank, std::vector<Span>& spans) const;
    void addColumns(std::size_t rank, const LaneSpans& lane, ColumnStrip& strip) const;
    void findHits(PreparedRow& prepared) const;
    void forgetRows();
    /// Where times of a row's events stand in the picture.
    struct PixelTimes {
        TimeNs begin = 0; ///< of the picture's first pixel
        double nsPerPixel = 1;
        int left = 0; ///< the picture's first pixel
    };
    /// The class of an event's colour.
    [[nodiscard]] EventClass classOf(std::size_t rank, EventId event) const;
    void paintLane(QPainter& painter, const Palette& palette, const PreparedRow& row, const LaneSpans& lane,
                   QPoint origin) const;

    void paintName(QPainter& painter, const QColor& ground, const RankTrace& trace, EventId event, QRect bar,
                   double baseline) const;
    /// Draws a matched collective in its parts, waiting and moving data; false where the event is none.
    bool paintCollective(QPainter& painter, const Palette& palette, EventRef event, ColourRole role,
                         QRect bar, double baseline, const PixelTimes& times) const;

    std::shared_ptr<const ShownRun> m_shown;
    std::shared_ptr<const Colouring> m_colouring;
    std::shared_ptr<const SearchResult> m_search;
    LaneColours m_colours;
    BarText m_text;
    TimeRange m_range;
    int m_width = 0;
    unsigned m_version = 0;
    int m_firstRow = 0;
    int m_lastRow = 0;
    std::vector<PreparedRow> m_rows;
    QThreadPool m_threads; ///< rows of many ranks are prepared side by side
};

/// The lanes that a folded rank shows in its one row: all of its GPU streams'.
[[nodiscard]] std::vector<LaneId> summaryLanes(const RankTrace& trace);

} // namespace lockstep
