#include "views/common/stepmarks.h"

#include <algorithm>
#include <map>

namespace lockstep {

std::vector<LayerMark> layersOf(const ShownRun& shown, std::size_t step) {
    std::vector<LayerMark> marks;
    if (!shown.analysis || step >= shown.steps.size())
        return marks;
    const StepTable& table = shown.analysis->steps;
    std::map<std::uint16_t, TimeNs> begins;
    for (std::size_t r = 0; r < shown.ranks.size() && r < table.ranks.size(); ++r) {
        const RankActivities& activities = table.ranks[r];
        const RankStep& part = table.steps[step].ranks[r];
        if (!part.present || activities.runs.empty())
            continue;
        for (std::size_t run = activities.runOf(part.firstActivity);
             run < activities.runs.size() && activities.runs[run].first < part.endActivity; ++run) {
            const ActivityRun& one = activities.runs[run];
            if (one.step != step || one.layer == RankActivities::kNoLayer)
                continue;
            const TimeNs begin = shown.ranks[r].clock.toRunTime(
                shown.ranks[r].trace->events.begin(activities.events[one.first]));
            const auto [at, isNew] = begins.try_emplace(one.layer, begin);
            if (!isNew)
                at->second = std::min(at->second, begin);
        }
    }
    for (const auto& [layer, begin] : begins) {
        if (!marks.empty())
            marks.back().range.end = std::max(begin, marks.back().range.begin);
        marks.push_back({layer, {begin, begin}});
    }
    if (!marks.empty())
        marks.back().range.end = std::max(shown.steps[step].range.end, marks.back().range.begin);
    return marks;
}

std::optional<std::size_t> medianStep(const ShownRun& shown) {
    const auto step =
        shown.analysis ? medianStep(*shown.analysis, shown.analysis->steps.typicalSteps()) : std::nullopt;
    return step && *step < shown.steps.size() ? std::optional<std::size_t>(*step) : std::nullopt;
}

std::optional<std::size_t> neighbourStep(const ShownRun& shown, std::optional<std::size_t> current,
                                         TimeRange visible, int direction) {
    const std::size_t count = shown.steps.size();
    if (count == 0)
        return std::nullopt;
    if (current) {
        if (direction < 0)
            return *current > 0 ? std::optional(*current - 1) : std::nullopt;
        return *current + 1 < count ? std::optional(*current + 1) : std::nullopt;
    }
    // The first step that begins in view, or the last one before it.
    const auto first = std::find_if(shown.steps.begin(), shown.steps.end(), [&](const StepMark& mark) {
        return mark.range.end > visible.begin;
    });
    const auto index = static_cast<std::size_t>(first - shown.steps.begin());
    return std::min(index, count - 1);
}

std::vector<TimeRange> rangesOfStep(const ShownRun& shown, std::size_t step) {
    std::vector<TimeRange> ranges(shown.ranks.size());
    if (!shown.analysis || step >= shown.analysis->steps.steps.size())
        return ranges;
    const std::vector<RankStep>& parts = shown.analysis->steps.steps[step].ranks;
    for (std::size_t rank = 0; rank < std::min(ranges.size(), parts.size()); ++rank)
        if (parts[rank].present)
            ranges[rank] = shown.ranks[rank].toRun(parts[rank].range);
    return ranges;
}

} // namespace lockstep
