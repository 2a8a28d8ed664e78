#pragma once

#include "model/layout/lanepyramid.h"

#include <vector>

namespace lockstep {

/// What one stretch of a lane's pixels shows: one event, or a column of events each narrower than a pixel.
struct Span {
    int left = 0;            ///< first pixel column
    int right = 0;           ///< past the last
    EventId event;           ///< the longest of those it stands for
    std::uint32_t first = 0; ///< index of the first of them
    std::uint32_t count = 1; ///< how many, from `first` on
};

/// The spans that show `range` (on the lane's own clock) in `width` pixels, from left to right, none
/// overlapping; `into` is emptied first. Costs O(width · log events), whatever lies in view.
void visibleSpans(const EventStore& events, const Lane& lane, const LanePyramid& pyramid, TimeRange range,
                  int width, std::vector<Span>& into);

/// The span at pixel `x`, else the nearest one within `slop` pixels; null where there is none.
[[nodiscard]] const Span* spanAt(const std::vector<Span>& spans, int x, int slop = 0);

} // namespace lockstep
