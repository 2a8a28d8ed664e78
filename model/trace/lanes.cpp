#include "model/trace/lanes.h"

namespace lockstep {

std::vector<std::uint32_t> assignDepths(std::span<const TimeRange> sorted) {
    std::vector<std::uint32_t> depths;
    depths.reserve(sorted.size());
    std::vector<TimeNs> rowEnds; // end of the last event of each row
    for (const TimeRange range : sorted) {
        std::size_t below = 0; // the first row below the innermost event that holds this one
        for (std::size_t row = rowEnds.size(); row > 0; --row) {
            if (rowEnds[row - 1] > range.begin && rowEnds[row - 1] >= range.end) {
                below = row;
                break;
            }
        }
        std::size_t row = below;
        while (row < rowEnds.size() && rowEnds[row] > range.begin)
            ++row;
        if (row >= kMaxLaneDepth)
            row = kMaxLaneDepth - 1;
        if (row == rowEnds.size())
            rowEnds.push_back(range.end);
        else
            rowEnds[row] = std::max(rowEnds[row], range.end);
        depths.push_back(static_cast<std::uint32_t>(row));
    }
    return depths;
}

} // namespace lockstep
