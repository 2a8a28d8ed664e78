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

/// What stands below the name of rank `rank` (index): device, clock offset, and where they are known what it
/// waited and caused, by `stalls` (by rank; empty: over the whole capture).
[[nodiscard]] std::vector<HeaderLine> headerLines(const ShownRun& shown, std::size_t rank,
                                                  const std::vector<RankStalls>& stalls = {});

/// Draws the column left of the lanes: each rank's name and lines, its lanes' labels, and the triangles that
/// fold.
class TrackHeader {
public:
    void setFont(const QFont& font);
    /// What ranks waited and caused in what is chosen; empty: over the whole capture.
    void setStalls(std::vector<RankStalls> stalls) { m_stalls = std::move(stalls); }
    void paint(QPainter& painter, const Palette& palette, const ShownRun& shown, const TrackList& tracks,
               QRect area, int scrolled) const;
    /// A width that holds a rank's lines and lane labels side by side.
    [[nodiscard]] int width() const { return m_nameWidth + m_labelWidth; }
    [[nodiscard]] RowMetrics rowMetrics(std::size_t lines) const;

private:
    void paintGroup(QPainter& painter, const Palette& palette, const ShownRun& shown, const RankGroup& group,
                    QRect area) const;
    void paintRow(QPainter& painter, const Palette& palette, const TrackRow& row, QRect area) const;

    std::vector<RankStalls> m_stalls;
    QFont m_title;
    QFont m_small;
    int m_lineHeight = 14;
    int m_titleHeight = 16;
    int m_nameWidth = 120;
    int m_labelWidth = 90;
};

} // namespace lockstep
