#include "views/common/shownrun.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lockstep {

namespace {

/// Whether an annotation of this name marks one execution of the model.
bool marksStep(std::string_view name) {
    static constexpr std::array<std::string_view, 6> kMarkers{"execute_context_", "execute_new_", "execute_",
                                                              "ProfilerStep",     "step[",        "decode["};
    return std::any_of(kMarkers.begin(), kMarkers.end(), [&](auto marker) {
        return name.starts_with(marker);
    });
}

/// Step annotations of the first rank that has any of `kind`.
std::vector<StepMark> annotatedSteps(const std::vector<ShownRank>& ranks, EventKind kind) {
    std::vector<StepMark> steps;
    for (const ShownRank& rank : ranks) {
        const EventStore& events = rank.trace->events;
        for (const Lane& lane : rank.trace->lanes)
            for (std::size_t i = lane.beginIndex(); i < lane.endIndex(); ++i) {
                const EventId id{i};
                if (events.kind(id) == kind && marksStep(rank.trace->name(id)))
                    steps.push_back({rank.toRun(events.range(id)), std::string(rank.trace->name(id)),
                                     StepKind::Unknown, false});
            }
        if (!steps.empty())
            break;
    }
    std::sort(steps.begin(), steps.end(), [](const StepMark& a, const StepMark& b) {
        return a.range.begin < b.range.begin;
    });
    return steps;
}

/// The events of rank `rank` (index) in matched collectives, by event.
std::shared_ptr<const std::vector<MatchedEvent>> matchedEvents(const CollectiveTable& collectives,
                                                               std::size_t rank) {
    auto events = std::make_shared<std::vector<MatchedEvent>>();
    if (rank >= collectives.calls.size())
        return events;
    for (std::size_t i = 0; i < collectives.matched.size(); ++i)
        if (const CollectiveCall* call = collectives.callOf(i, rank))
            events->push_back({call->event, static_cast<std::uint32_t>(i)});
    std::sort(events->begin(), events->end(), [](const MatchedEvent& a, const MatchedEvent& b) {
        return a.event < b.event;
    });
    return events;
}

} // namespace

std::optional<std::uint32_t> ShownRank::collectiveOf(EventId event) const {
    if (!matched)
        return std::nullopt;
    const auto at = std::lower_bound(matched->begin(), matched->end(), event,
                                     [](const MatchedEvent& one, EventId wanted) {
                                         return one.event < wanted;
                                     });
    return at != matched->end() && at->event == event ? std::optional(at->collective) : std::nullopt;
}

TimeRange ShownRank::toOwn(TimeRange runRange) const {
    return {clock.toOwnTime(runRange.begin), clock.toOwnTime(runRange.end)};
}

TimeRange ShownRank::toRun(TimeRange ownRange) const {
    return {clock.toRunTime(ownRange.begin), clock.toRunTime(ownRange.end)};
}

std::size_t ShownRun::indexOf(int rank) const {
    const auto at = std::find_if(ranks.begin(), ranks.end(), [&](const ShownRank& shown) {
        return shown.trace->rank == rank;
    });
    return static_cast<std::size_t>(at - ranks.begin());
}

ShownRank showRank(std::shared_ptr<const RankTrace> trace) {
    ShownRank shown;
    auto pyramids = std::make_shared<std::vector<LanePyramid>>();
    pyramids->reserve(trace->lanes.size());
    for (const Lane& lane : trace->lanes)
        pyramids->emplace_back(trace->events, lane);
    shown.pyramids = std::move(pyramids);
    shown.device = trace->deviceName();
    shown.span = trace->span();
    shown.trace = std::move(trace);
    return shown;
}

std::shared_ptr<const ShownRun> showRanks(std::vector<ShownRank> ranks) {
    auto shown = std::make_shared<ShownRun>();
    std::sort(ranks.begin(), ranks.end(), [](const ShownRank& a, const ShownRank& b) {
        return a.trace->rank < b.trace->rank;
    });
    for (const ShownRank& rank : ranks)
        shown->span = hull(shown->span, rank.span);
    shown->ranks = std::move(ranks);
    shown->steps = annotatedSteps(shown->ranks, EventKind::GpuAnnotation);
    if (shown->steps.empty())
        shown->steps = annotatedSteps(shown->ranks, EventKind::Annotation);
    return shown;
}

std::shared_ptr<const ShownRun> showRun(std::shared_ptr<const Run> run) {
    std::vector<ShownRank> ranks;
    ranks.reserve(run->ranks.size());
    for (const RankTrace& rank : run->ranks)
        ranks.push_back(showRank(std::shared_ptr<const RankTrace>(run, &rank)));
    auto shown = std::make_shared<ShownRun>(*showRanks(std::move(ranks)));
    shown->run = std::move(run);
    return shown;
}

std::shared_ptr<const ShownRun> withAnalysis(const ShownRun& shown,
                                             std::shared_ptr<const RunAnalysis> analysis) {
    auto with = std::make_shared<ShownRun>(shown);
    with->span = {};
    for (std::size_t r = 0; r < with->ranks.size(); ++r) {
        ShownRank& rank = with->ranks[r];
        const TimeRange own = rank.toOwn(rank.span);
        if (r < analysis->alignment.ranks.size())
            rank.clock = analysis->alignment.ranks[r];
        rank.span = rank.toRun(own);
        rank.matched = matchedEvents(analysis->collectives, r);
        with->span = hull(with->span, rank.span);
    }
    with->steps.clear();
    for (const Step& step : analysis->steps.steps) {
        StepMark mark{{}, step.name, step.kind, step.outlier || step.cut};
        for (std::size_t r = 0; r < step.ranks.size(); ++r)
            if (step.ranks[r].present)
                mark.range = hull(mark.range, with->ranks[r].toRun(step.ranks[r].range));
        with->steps.push_back(std::move(mark));
    }
    with->analysis = std::move(analysis);
    return with;
}

} // namespace lockstep
