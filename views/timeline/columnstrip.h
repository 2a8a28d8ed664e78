#pragma once

#include "model/layout/lanemix.h"
#include "views/timeline/lanecolours.h"

#include <QImage>
#include <vector>

namespace lockstep {

/// Gathers the times of what lies in each pixel column of one row, and draws every column as bands whose
/// heights are the classes' shares of its time, idle left empty: so many short kernels are seen as what they
/// are, and a lane that mostly idles as one.
class ColumnStrip {
public:
    /// Starts a row of `width` columns, each of which has room for `perColumn` nanoseconds.
    void begin(int width, double perColumn);
    /// Adds times to columns [left, right).
    void add(int left, int right, const LaneMix::Times& times);
    /// The columns that have any time as a picture of `height` pixels, transparent elsewhere; null where none
    /// has.
    [[nodiscard]] QImage picture(int height, const LaneColours& colours) const;

private:
    double m_perColumn = 1;
    int m_first = 0; ///< columns with times lie in [m_first, m_last)
    int m_last = 0;
    std::vector<LaneMix::Times> m_times;
    std::vector<bool> m_used;
};

} // namespace lockstep
