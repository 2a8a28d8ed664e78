#include "model/run/run.h"

namespace lockstep {

TimeRange Run::span() const {
    TimeRange all;
    for (const RankTrace& rank : ranks)
        all = hull(all, rank.span());
    return all;
}

std::size_t Run::eventCount() const {
    std::size_t count = 0;
    for (const RankTrace& rank : ranks)
        count += rank.events.size();
    return count;
}

} // namespace lockstep
