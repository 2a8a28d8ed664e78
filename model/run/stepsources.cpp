#include "model/run/stepsources.h"

#include "model/run/markercycle.h"
#include "model/run/run.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>

namespace lockstep {

namespace {

constexpr std::uint32_t kNone = RankActivities::kNone;

/// One annotation that wraps a step or a part of one.
struct MarkedRange {
    TimeRange range;
    StringId name;
    std::uint32_t externalId = 0;
};

/// Markers by name, each name matched once.
class MarkerTable {
public:
    MarkerTable(const RankTrace& rank, const StepMarkers& markers)
        : m_rank(rank)
        , m_markers(markers) {}

    const StepMarker* of(StringId name) {
        const auto at = m_known.find(name.value);
        if (at != m_known.end())
            return at->second ? &*at->second : nullptr;
        const auto added = m_known.emplace(name.value, m_markers.match(m_rank.strings->view(name)));
        return added.first->second ? &*added.first->second : nullptr;
    }

private:
    const RankTrace& m_rank;
    const StepMarkers& m_markers;
    std::unordered_map<std::uint32_t, std::optional<StepMarker>> m_known;
};

/// Annotations of one kind that match, by family.
std::vector<std::vector<MarkedRange>> markedRanges(const RankTrace& rank, EventKind kind,
                                                   std::size_t families, MarkerTable& table) {
    std::vector<std::vector<MarkedRange>> found(families);
    for (std::size_t i = 0; i < rank.events.size(); ++i) {
        const EventId id{i};
        if (rank.events.kind(id) != kind)
            continue;
        if (const StepMarker* marker = table.of(rank.events.name(id)))
            found[marker->family].push_back(
                {rank.events.range(id), rank.events.name(id), rank.events.externalId(id)});
    }
    for (auto& ranges : found)
        std::sort(ranges.begin(), ranges.end(), [](const MarkedRange& a, const MarkedRange& b) {
            return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.range.end > b.range.end;
        });
    return found;
}

/// Only the outermost of nested ranges; of ranges that overlap in part the later one begins where the former
/// ends.
std::vector<MarkedRange> outermost(const std::vector<MarkedRange>& ranges) {
    std::vector<MarkedRange> outer;
    for (MarkedRange range : ranges) {
        if (!outer.empty() && range.range.end <= outer.back().range.end)
            continue;
        if (!outer.empty())
            range.range.begin = std::max(range.range.begin, outer.back().range.end);
        outer.push_back(range);
    }
    return outer;
}

/// GPU annotations of one step stand on every stream that it used: one range for all of them.
std::vector<MarkedRange> joinedOverStreams(const std::vector<MarkedRange>& ranges) {
    // The profiler writes them a nanosecond early and two longer, so that neighbours seem to overlap.
    constexpr TimeNs kTouch = 16;
    std::vector<MarkedRange> joined;
    for (const MarkedRange& range : ranges) {
        MarkedRange* last = joined.empty() ? nullptr : &joined.back();
        const bool sameCall =
            last && last->name == range.name &&
            (last->externalId != 0 || range.externalId != 0 ? last->externalId == range.externalId
                                                            : range.range.begin + kTouch < last->range.end);
        if (sameCall)
            last->range.end = std::max(last->range.end, range.range.end);
        else
            joined.push_back(range);
    }
    return outermost(joined);
}

/// Index of the range that holds `t`, or kNone.
std::uint32_t rangeAt(const std::vector<MarkedRange>& ranges, TimeNs t) {
    const auto at =
        std::upper_bound(ranges.begin(), ranges.end(), t, [](TimeNs wanted, const MarkedRange& r) {
            return wanted < r.range.begin;
        });
    if (at == ranges.begin())
        return kNone;
    const auto index = static_cast<std::uint32_t>(at - ranges.begin() - 1);
    return ranges[index].range.contains(t) ? index : kNone;
}

/// Draft, verify and extend make one step: a new one begins where the order of roles goes back.
std::vector<std::uint32_t> stepOfMarkers(const std::vector<MarkedRange>& ranges,
                                         const std::vector<char>& used, MarkerTable& table) {
    std::vector<std::uint32_t> stepOf(ranges.size(), kNone);
    std::uint32_t step = kNone;
    std::uint32_t lastOrder = 0;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (used[i] == 0)
            continue;
        const std::uint32_t order = table.of(ranges[i].name)->order;
        if (step == kNone || order <= lastOrder)
            ++step; // kNone wraps to 0
        lastOrder = order;
        stepOf[i] = step;
    }
    return stepOf;
}

void describe(LocalStep& step, const StepMarker& marker, std::string_view name, std::uint32_t kernels) {
    // A step is named after its main part; drafts only lead up to it.
    const bool main = step.name.empty() || (marker.role != "draft" && marker.role != "draft_extend");
    if (main) {
        step.name = std::string(name);
        step.kind = marker.kind;
        step.contextTokens = marker.contextTokens;
        step.generationTokens = marker.generationTokens;
    }
    step.parts.push_back({marker.role.empty() ? std::string("main") : marker.role, kernels});
}

/// An activity whose launch was not captured belongs where its neighbours do.
void fillGaps(const RankView& view, std::vector<std::uint32_t>& markerOf) {
    std::uint32_t before = kNone;
    std::size_t i = 0;
    while (i < markerOf.size()) {
        if (markerOf[i] != kNone || view.launches[i].valid()) {
            before = markerOf[i];
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < markerOf.size() && markerOf[end] == kNone && !view.launches[end].valid())
            ++end;
        if (end < markerOf.size() && markerOf[end] == before)
            std::fill(markerOf.begin() + static_cast<std::ptrdiff_t>(i),
                      markerOf.begin() + static_cast<std::ptrdiff_t>(end), before);
        i = end;
    }
}

/// Puts the pieces of one step together, where markers come round in a cycle of different kernels.
void joinPieces(const RankView& view, const std::vector<MarkedRange>& ranges,
                const std::vector<std::uint32_t>& markerOf, MarkerTable& table,
                std::vector<std::uint32_t>& stepOf) {
    std::vector<std::size_t> pieces;
    std::vector<std::uint64_t> signatureOf(ranges.size(), 0);
    for (std::size_t i = 0; i < markerOf.size(); ++i)
        if (markerOf[i] != kNone && view.kernel(i))
            // A sum: kernels of two streams do not always begin in the same order.
            signatureOf[markerOf[i]] += (view.name(i).value + 1ull) * 0x9E37'79B9'7F4A'7C15;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (stepOf[i] == kNone)
            continue;
        if (!table.of(ranges[i].name)->pieces)
            return;
        pieces.push_back(i);
    }
    std::vector<std::uint64_t> signatures;
    std::vector<TimeNs> gaps;
    for (const std::size_t piece : pieces) {
        signatures.push_back(signatureOf[piece]);
        gaps.push_back(piece > 0 ? ranges[piece].range.begin - ranges[piece - 1].range.end : 0);
    }
    const MarkerCycle cycle = findMarkerCycle(signatures, gaps);
    // Pieces before the first whole cycle are the end of a step that the capture cut.
    const std::size_t lead = cycle.first == 0 ? 0 : 1;
    for (std::size_t k = 0; k < pieces.size() && cycle.length > 1; ++k)
        stepOf[pieces[k]] =
            static_cast<std::uint32_t>(k < cycle.first ? 0 : lead + (k - cycle.first) / cycle.length);
}

/// Steps from ranges and, for each activity, the range that it belongs to.
LocalSteps stepsFrom(const RankView& view, StepSource source, const std::vector<MarkedRange>& ranges,
                     const std::vector<std::uint32_t>& markerOf, MarkerTable& table) {
    std::vector<char> used(ranges.size(), 0);
    std::vector<std::uint32_t> kernels(ranges.size(), 0);
    for (std::size_t i = 0; i < markerOf.size(); ++i) {
        if (markerOf[i] == kNone)
            continue;
        used[markerOf[i]] = 1;
        kernels[markerOf[i]] += view.kernel(i) ? 1 : 0;
    }
    std::vector<std::uint32_t> stepOf = stepOfMarkers(ranges, used, table);
    joinPieces(view, ranges, markerOf, table, stepOf);
    LocalSteps found;
    found.source = source;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (stepOf[i] == kNone)
            continue;
        if (stepOf[i] == found.steps.size())
            found.steps.emplace_back();
        describe(found.steps.back(), *table.of(ranges[i].name), view.rank.strings->view(ranges[i].name),
                 kernels[i]);
    }
    found.stepOf.reserve(markerOf.size());
    for (const std::uint32_t marker : markerOf)
        found.stepOf.push_back(marker == kNone ? kNone : stepOf[marker]);
    finishSteps(view, found);
    return found;
}

template <class Prepare, class TimeOf>
LocalSteps byAnnotation(const RankView& view, const StepMarkers& markers, StepSource source, EventKind kind,
                        Prepare&& prepare, TimeOf&& timeOf) {
    MarkerTable table(view.rank, markers);
    LocalSteps best;
    best.stepOf.assign(view.activities.size(), kNone);
    const auto families = markedRanges(view.rank, kind, markers.families(), table);
    std::size_t kernels = 0;
    for (std::size_t i = 0; i < view.activities.size(); ++i)
        kernels += view.kernel(i) ? 1 : 0;
    for (const std::vector<MarkedRange>& all : families) {
        if (all.empty())
            continue;
        const std::vector<MarkedRange> ranges = prepare(all);
        std::vector<std::uint32_t> markerOf(view.activities.size(), kNone);
        for (std::size_t i = 0; i < markerOf.size(); ++i)
            if (const auto t = timeOf(i))
                markerOf[i] = rangeAt(ranges, *t);
        if (kind == EventKind::Annotation)
            fillGaps(view, markerOf);
        LocalSteps found = stepsFrom(view, source, ranges, markerOf, table);
        if (found.claimedKernels > best.claimedKernels)
            best = std::move(found);
        // A family that holds a fifth of the kernels is the engine's own, even if much work lies outside.
        if (best.claimedKernels * 5 >= kernels && best.claimedKernels > 0)
            break;
    }
    return best;
}

} // namespace

bool RankView::kernel(std::size_t index) const {
    return rank.events.kind(activities[index]) == EventKind::Kernel;
}
TimeNs RankView::begin(std::size_t index) const {
    return rank.events.begin(activities[index]);
}
TimeNs RankView::end(std::size_t index) const {
    return rank.events.end(activities[index]);
}
StringId RankView::name(std::size_t index) const {
    return rank.events.name(activities[index]);
}

std::vector<EventId> launchesOf(const RankTrace& rank, std::span<const EventId> activities) {
    std::vector<EventId> launches;
    launches.reserve(activities.size());
    // All kernels of one graph replay share its launch: look it up once.
    std::uint32_t lastCorrelation = 0;
    EventId last;
    for (const EventId activity : activities) {
        const std::uint32_t correlation = rank.events.correlation(activity);
        if (correlation == 0) {
            launches.emplace_back();
            continue;
        }
        if (correlation != lastCorrelation)
            last = rank.launches.launchOf(rank.events, activity);
        lastCorrelation = correlation;
        launches.push_back(last);
    }
    return launches;
}

LocalSteps stepsByCpuAnnotation(const RankView& view, const StepMarkers& markers) {
    return byAnnotation(view, markers, StepSource::CpuAnnotation, EventKind::Annotation, outermost,
                        [&](std::size_t i) -> std::optional<TimeNs> {
                            if (!view.launches[i].valid())
                                return std::nullopt;
                            return view.rank.events.begin(view.launches[i]);
                        });
}

LocalSteps stepsByGpuAnnotation(const RankView& view, const StepMarkers& markers) {
    return byAnnotation(view, markers, StepSource::GpuAnnotation, EventKind::GpuAnnotation, joinedOverStreams,
                        [&](std::size_t i) -> std::optional<TimeNs> {
                            return view.begin(i);
                        });
}

void finishSteps(const RankView& view, LocalSteps& found) {
    constexpr TimeNs kLimit = std::numeric_limits<TimeNs>::max();
    for (LocalStep& step : found.steps)
        step.range = {kLimit, std::numeric_limits<TimeNs>::min()};
    found.claimedKernels = 0;
    for (std::size_t i = 0; i < found.stepOf.size(); ++i) {
        if (found.stepOf[i] == kNone)
            continue;
        LocalStep& step = found.steps[found.stepOf[i]];
        if (step.range.begin == kLimit)
            step.firstActivity = static_cast<std::uint32_t>(i);
        step.endActivity = static_cast<std::uint32_t>(i + 1);
        step.range.begin = std::min(step.range.begin, view.begin(i));
        step.range.end = std::max(step.range.end, view.end(i));
        const bool kernel = view.kernel(i);
        step.kernels += kernel ? 1 : 0;
        found.claimedKernels += kernel ? 1 : 0;
    }
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < found.steps.size(); ++i)
        if (found.steps[i].range.begin != kLimit)
            order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return found.steps[a].range.begin < found.steps[b].range.begin;
    });
    std::vector<std::uint32_t> place(found.steps.size(), kNone);
    std::vector<LocalStep> steps;
    steps.reserve(order.size());
    for (const std::uint32_t i : order) {
        place[i] = static_cast<std::uint32_t>(steps.size());
        steps.push_back(std::move(found.steps[i]));
    }
    found.steps = std::move(steps);
    for (std::uint32_t& step : found.stepOf)
        step = step == kNone ? kNone : place[step];
}

} // namespace lockstep
