#include "model/analysis/activityfilter.h"

#include "model/analysis/runanalysis.h"

namespace lockstep {

std::shared_ptr<const ActivityFilter> activityFilter(const RunAnalysis& analysis, const CategoryTable& table,
                                                     const std::set<std::int64_t>& streams,
                                                     const std::set<std::uint8_t>& categories) {
    if (streams.empty() && categories.empty())
        return nullptr;
    auto filter = std::make_shared<ActivityFilter>();
    for (std::size_t rank = 0; rank < analysis.steps.ranks.size(); ++rank) {
        const RankTrace& trace = analysis.run->ranks[rank];
        const std::vector<EventId>& events = analysis.steps.ranks[rank].events;
        std::vector<bool>& left = filter->left.emplace_back(events.size());
        for (std::size_t activity = 0; activity < events.size(); ++activity)
            left[activity] = (streams.empty() || streams.contains(trace.streamOf(events[activity]))) &&
                             (categories.empty() || categories.contains(table.category[rank][activity]));
    }
    return filter;
}

} // namespace lockstep
