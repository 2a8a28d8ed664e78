#pragma once

#include "model/layout/visiblespans.h"
#include "views/common/colourrole.h"
#include "views/common/viewstate.h"
#include "views/timeline/bartext.h"
#include "views/timeline/tracklist.h"

#include <QFont>
#include <QRect>
#include <functional>
#include <vector>

class QPainter;

namespace lockstep {

struct Palette;

/// The colour role of an event of a rank (index into ShownRun::ranks).
using RoleOf = std::function<ColourRole(std::size_t rank, EventId event)>;

/// Draws the lanes of a timeline: prepare() works out the spans of the rows in view, paint() fills rectangles
/// and writes names. Knows no widget, so that the same lanes go to the screen, to an image and to SVG.
class TimelinePainter {
public:
    void setShown(std::shared_ptr<const ShownRun> shown);
    void setRoles(RoleOf roles);
    void setFont(const QFont& font);

    /// Works out what rows [firstRow, lastRow) of `tracks` show of `range` in `width` pixels; rows that were
    /// prepared for the same stay as they are.
    void prepare(const TrackList& tracks, TimeRange range, int width, int firstRow, int lastRow);
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
        std::vector<LaneSpans> lanes;
    };
    void prepareRow(const TrackRow& row, PreparedRow& prepared);
    void paintLane(QPainter& painter, const Palette& palette, const PreparedRow& row, const LaneSpans& lane,
                   QPoint origin) const;

    void paintName(QPainter& painter, const QColor& ground, const RankTrace& trace, EventId event, QRect bar,
                   double baseline) const;
    /// Draws a matched collective in its parts, waiting and moving data; false where the event is none.
    bool paintCollective(QPainter& painter, const Palette& palette, EventRef event, ColourRole role,
                         QRect bar, double baseline, int left) const;

    std::shared_ptr<const ShownRun> m_shown;
    RoleOf m_roleOf;
    BarText m_text;
    TimeRange m_range;
    int m_width = 0;
    unsigned m_version = 0;
    int m_firstRow = 0;
    int m_lastRow = 0;
    std::vector<PreparedRow> m_rows;
};

/// The lanes that a folded rank shows in its one row: all of its GPU streams'.
[[nodiscard]] std::vector<LaneId> summaryLanes(const RankTrace& trace);

} // namespace lockstep
