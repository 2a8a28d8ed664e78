#include "views/timeline/stallparts.h"

#include "views/common/format.h"

#include <algorithm>

namespace lockstep {

std::optional<StallParts> stallPartsOf(const ShownRun& shown, EventRef event) {
    if (!shown.analysis || !event.valid())
        return std::nullopt;
    const ShownRank& rank = shown.ranks[event.rank];
    const std::optional<std::uint32_t> collective = rank.collectiveOf(event.event);
    if (!collective)
        return std::nullopt;
    const RankWait& wait = shown.analysis->stalls.waitOf(*collective, event.rank);
    const TimeRange range = rank.toRun(rank.trace->events.range(event.event));
    // The clocks' rounding may put an arrival a nanosecond outside its own event.
    StallParts parts{range.begin, std::clamp(wait.arrivalNs, range.begin, range.end), 0, range.end};
    parts.released = std::clamp(parts.arrival + wait.waitNs, parts.arrival, range.end);
    return parts;
}

bool waitsMostly(const ShownRun& shown, EventRef event) {
    if (!shown.analysis)
        return false;
    const ShownRank& rank = shown.ranks[event.rank];
    const std::optional<std::uint32_t> collective = rank.collectiveOf(event.event);
    return collective && 2 * shown.analysis->stalls.waitOf(*collective, event.rank).waitNs >
                             rank.trace->events.duration(event.event);
}

TimeNs lastArrivalOf(const ShownRun& shown, std::uint32_t collective) {
    const Stall& stall = shown.analysis->stalls.stalls[collective];
    return shown.analysis->stalls.waitOf(collective, stall.straggler).arrivalNs;
}

std::string_view abbreviationOf(CollectiveKind kind) {
    switch (kind) {
    case CollectiveKind::AllReduce:
        return "AR";
    case CollectiveKind::AllGather:
        return "AG";
    case CollectiveKind::ReduceScatter:
        return "RS";
    case CollectiveKind::AllToAll:
        return "A2A";
    case CollectiveKind::Broadcast:
        return "BC";
    case CollectiveKind::Reduce:
        return "R";
    case CollectiveKind::SendReceive:
        return "S/R";
    case CollectiveKind::Barrier:
        return "B";
    case CollectiveKind::Other:
        break;
    }
    return "C";
}

QStringList stallLines(const ShownRun& shown, EventRef event) {
    QStringList lines;
    const std::optional<std::uint32_t> collective =
        shown.analysis ? shown.ranks[event.rank].collectiveOf(event.event) : std::nullopt;
    if (!collective)
        return lines;
    const StallTable& stalls = shown.analysis->stalls;
    const Stall& stall = stalls.stalls[*collective];
    const RankWait& wait = stalls.waitOf(*collective, event.rank);
    const int last = shown.ranks[stall.straggler].trace->rank;
    lines << QStringLiteral("waits %1, moves data %2")
                 .arg(durationText(wait.waitNs), durationText(wait.transferNs));
    lines << QStringLiteral("rank %1 arrives last, +%2 after the first")
                 .arg(last)
                 .arg(durationText(stall.skewNs));
    if (stall.headTransient)
        lines << QStringLiteral("head transient: the profilers started at different moments");
    if (stall.clockDisagrees)
        lines << QStringLiteral("uncertain: durations and clocks disagree on the wait");
    return lines;
}

} // namespace lockstep
