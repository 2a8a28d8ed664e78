#include "views/common/colouring.h"

#include <algorithm>

namespace lockstep {

namespace {

constexpr auto kWaitingClass = static_cast<std::uint8_t>(ColourRole::Waiting);

std::uint8_t classOf(ColourRole role) {
    return static_cast<std::uint8_t>(role);
}

ColourRole roleOfCollective(const RunAnalysis& analysis, std::uint32_t collective) {
    switch (analysis.collectives.groups[analysis.collectives.matched[collective].group].kind) {
    case CollectiveKind::AllReduce:
        return ColourRole::AllReduce;
    case CollectiveKind::AllToAll:
        return ColourRole::AllToAll;
    default:
        return ColourRole::EverythingElse;
    }
}

/// By activity: its category's role, or muted where the filters leave its category out.
void colourByCategory(const StepTable& steps, std::size_t rank, const ShownCategories& categories,
                      const Filters& filters, std::vector<EventClass>& classes) {
    std::array<std::uint8_t, 256> classOfCategory{};
    for (std::size_t c = 0; c < classOfCategory.size(); ++c) {
        const auto category = static_cast<std::uint8_t>(c);
        classOfCategory[c] = filters.passesCategory(category)
                                 ? classOf(roleOfCategory(categories.rules.set, category))
                                 : Colouring::kMutedClass;
    }
    const std::vector<EventId>& events = steps.ranks[rank].events;
    const std::vector<std::uint8_t>& table = categories.table.category[rank];
    for (std::size_t i = 0; i < table.size(); ++i)
        classes[events[i].index()].own = classOfCategory[table[i]];
}

/// The waiting part of each matched collective.
void markWaits(const ShownRank& rank, const StallTable& stalls, std::size_t index,
               std::vector<EventClass>& classes) {
    if (!rank.matched)
        return;
    for (const MatchedEvent& matched : *rank.matched) {
        const TimeNs duration = rank.trace->events.duration(matched.event);
        const TimeNs wait = stalls.waitOf(matched.collective, index).waitNs;
        if (duration > 0)
            classes[matched.event.index()].waiting =
                static_cast<std::uint8_t>(std::clamp<TimeNs>(wait * 255 / duration, 0, 255));
    }
}

/// What the filters on rank, stream, time and kind of step leave out.
void mute(const ShownRun& shown, std::size_t index, const Filters& filters,
          std::vector<EventClass>& classes) {
    const ShownRank& rank = shown.ranks[index];
    const auto muteEvent = [&](EventId event) {
        classes[event.index()] = {Colouring::kMutedClass, 0};
    };
    const auto muteWhere = [&](auto&& leftOut) {
        for (const Lane& lane : rank.trace->lanes) {
            if (rank.trace->tracks[lane.track.index()].kind != TrackKind::GpuStream)
                continue;
            for (std::size_t i = lane.beginIndex(); i < lane.endIndex(); ++i)
                if (leftOut(EventId{i}))
                    muteEvent(EventId{i});
        }
    };
    const EventStore& events = rank.trace->events;
    if (!filters.passesRank(rank.trace->rank)) {
        muteWhere([](EventId) {
            return true;
        });
        return;
    }
    if (!filters.streams.empty())
        muteWhere([&](EventId event) {
            return !filters.passesStream(rank.trace->streamOf(event));
        });
    if (filters.range) {
        const TimeRange own = rank.toOwn(*filters.range);
        muteWhere([&](EventId event) {
            return !events.range(event).overlaps(own);
        });
    }
    if (filters.decodeOnly && shown.analysis) {
        const StepTable& steps = shown.analysis->steps;
        const RankActivities& activities = steps.ranks[index];
        for (std::size_t run = 0; run < activities.runs.size(); ++run) {
            const std::uint32_t step = activities.runs[run].step;
            if (step < steps.steps.size() && steps.steps[step].kind == StepKind::Decode)
                continue;
            for (std::size_t i = activities.runs[run].first; i < activities.endOfRun(run); ++i)
                muteEvent(activities.events[i]);
        }
    }
}

std::shared_ptr<const RankColours> colourRank(const ShownRun& shown, std::size_t index,
                                              const ShownCategories* categories, const Filters& filters) {
    const ShownRank& rank = shown.ranks[index];
    auto colours = std::make_shared<RankColours>();
    const std::size_t count = rank.trace->events.size();
    colours->classes.resize(count);
    for (std::size_t i = 0; i < count; ++i)
        colours->classes[i].own = classOf(roleOfKind(rank.trace->events.kind(EventId{i})));
    if (shown.analysis) {
        if (categories && categories->analysis == shown.analysis) {
            colourByCategory(shown.analysis->steps, index, *categories, filters, colours->classes);
        } else if (rank.matched) {
            for (const MatchedEvent& matched : *rank.matched)
                colours->classes[matched.event.index()].own =
                    classOf(roleOfCollective(*shown.analysis, matched.collective));
        }
        markWaits(rank, shown.analysis->stalls, index, colours->classes);
    }
    for (EventClass& which : colours->classes)
        if (which.own == Colouring::kMutedClass)
            which.waiting = 0;
    mute(shown, index, filters, colours->classes);
    colours->mixes.resize(rank.trace->lanes.size());
    for (std::size_t i = 0; i < rank.trace->lanes.size(); ++i) {
        const Lane& lane = rank.trace->lanes[i];
        if (rank.trace->tracks[lane.track.index()].kind == TrackKind::GpuStream)
            colours->mixes[i] = LaneMix(rank.trace->events, lane, colours->classes, kWaitingClass);
    }
    return colours;
}

} // namespace

ColourRole roleOfKind(EventKind kind) {
    switch (kind) {
    case EventKind::Kernel:
        return ColourRole::Kernel;
    case EventKind::Memcpy:
    case EventKind::Memset:
        return ColourRole::Copy;
    case EventKind::GpuAnnotation:
    case EventKind::Annotation:
        return ColourRole::Annotation;
    case EventKind::CpuOp:
        return ColourRole::CpuOp;
    case EventKind::Runtime:
    case EventKind::Driver:
        return ColourRole::Launch;
    case EventKind::PythonFunction:
        return ColourRole::Python;
    default:
        break;
    }
    return ColourRole::Other;
}

ColourRole roleOfClass(std::uint8_t eventClass) {
    return eventClass < Colouring::kMutedClass ? static_cast<ColourRole>(eventClass)
                                               : ColourRole::EverythingElse;
}

ColourRole roleOf(const ShownRun& shown, std::size_t rank, EventId event) {
    const ShownRank& own = shown.ranks[rank];
    if (shown.analysis)
        if (const std::optional<std::uint32_t> collective = own.collectiveOf(event))
            return roleOfCollective(*shown.analysis, *collective);
    return roleOfKind(own.trace->events.kind(event));
}

std::shared_ptr<const Colouring> colour(const ShownRun& shown, const ShownCategories* categories,
                                        const Filters& filters) {
    auto colouring = std::make_shared<Colouring>();
    for (std::size_t rank = 0; rank < shown.ranks.size(); ++rank)
        colouring->ranks.push_back(colourRank(shown, rank, categories, filters));
    return colouring;
}

} // namespace lockstep
