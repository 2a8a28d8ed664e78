#pragma once

#include "views/timeline/timescale.h"
#include "views/timeline/tracklist.h"

#include <QFont>
#include <QRect>

class QPainter;

namespace lockstep {

struct Palette;

/// Draws what the chosen collective says across all ranks: a line at the last arrival, the wait beside each
/// rank's bar, and the name of the rank that came last.
class StallOverlay {
public:
    void setFont(const QFont& font);
    /// `lanes`: where the rows are drawn, scrolled by `scrolled` pixels.
    void paint(QPainter& painter, const Palette& palette, const ShownRun& shown, const TrackList& tracks,
               const TimeScale& scale, QRect lanes, int scrolled, std::uint32_t collective) const;

private:
    /// `hatch`: pixels of the wait, which ends at `right`.
    void paintWait(QPainter& painter, const Palette& palette, const QString& text, bool late, int right,
                   int hatch, QRect row) const;

    QFont m_font;
};

} // namespace lockstep
