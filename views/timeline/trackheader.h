#pragma once

#include "views/timeline/tracklist.h"

#include <QFont>
#include <QRect>
#include <QString>
#include <vector>

class QPainter;

namespace lockstep {

struct Palette;

/// A line of a rank's header below its name.
struct HeaderLine {
    QString text;
    bool late = false; ///< names the rank that the others waited for most
};

/// What stands below the name of rank `rank` (index): device, clock offset, waited and caused where they are
/// known.
[[nodiscard]] std::vector<HeaderLine> headerLines(const ShownRun& shown, std::size_t rank);

/// Draws the column left of the lanes: each rank's name and lines, its lanes' labels, and the triangles that
/// fold.
class TrackHeader {
public:
    void setFont(const QFont& font);
    void paint(QPainter& painter, const Palette& palette, const ShownRun& shown, const TrackList& tracks,
               QRect area, int scrolled) const;
    /// A width that holds a rank's lines and lane labels side by side.
    [[nodiscard]] int width() const { return m_nameWidth + m_labelWidth; }
    [[nodiscard]] RowMetrics rowMetrics(std::size_t lines) const;

private:
    void paintGroup(QPainter& painter, const Palette& palette, const ShownRun& shown, const RankGroup& group,
                    QRect area) const;
    void paintRow(QPainter& painter, const Palette& palette, const TrackRow& row, QRect area) const;

    QFont m_title;
    QFont m_small;
    int m_lineHeight = 14;
    int m_titleHeight = 16;
    int m_nameWidth = 120;
    int m_labelWidth = 90;
};

} // namespace lockstep
