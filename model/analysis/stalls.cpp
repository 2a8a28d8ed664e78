#include "model/analysis/stalls.h"

#include "model/run/clockalign.h"
#include "model/run/collectives.h"
#include "model/run/robust.h"
#include "model/run/run.h"
#include "model/run/steps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

namespace lockstep {

namespace {

/// A head transient is this many times its group's median on at least half of its members.
constexpr TimeNs kHeadTransientTimes = 10;

/// For each collective call of a rank, the end of the kernel before it on its stream (0: none).
std::vector<TimeNs> endsBefore(const RankTrace& rank, const RankActivities& activities,
                               const std::vector<CollectiveCall>& calls) {
    std::vector<TimeNs> ends(calls.size(), 0);
    // Streams are tracks; a track's overlapping kernels stand in several lanes.
    std::vector<TimeNs> endOfTrack(rank.tracks.size(), 0);
    std::size_t call = 0;
    for (std::size_t i = 0; i < activities.events.size() && call < calls.size(); ++i) {
        const EventId event = activities.events[i];
        TimeNs& end = endOfTrack[rank.lanes[rank.events.lane(event).index()].track.index()];
        if (calls[call].activity == i)
            ends[call++] = end;
        end = std::max(end, rank.events.end(event));
    }
    return ends;
}

/// Arrivals, waits and transfers of one collective.
Stall stallOf(const Run& run, const CollectiveTable& collectives, const ClockAlignment& alignment,
              const std::vector<std::vector<TimeNs>>& before, std::size_t index, RankWait* waits) {
    Stall stall;
    TimeNs first = std::numeric_limits<TimeNs>::max();
    TimeNs last = std::numeric_limits<TimeNs>::min();
    TimeNs shortest = std::numeric_limits<TimeNs>::max();
    const std::size_t width = run.ranks.size();
    for (std::size_t rank = 0; rank < width; ++rank) {
        const std::int32_t call = collectives.members[index * width + rank];
        if (call < 0)
            continue;
        const EventStore& events = run.ranks[rank].events;
        const EventId event = collectives.calls[rank][static_cast<std::size_t>(call)].event;
        const RankClock& clock = alignment.ranks[rank];
        // With programmatic dependent launch it starts while its predecessor still runs.
        const TimeNs own = std::min(
            std::max(events.begin(event), before[rank][static_cast<std::size_t>(call)]), events.end(event));
        waits[rank].arrivalNs = clock.toRunTime(own);
        waits[rank].transferNs =
            std::max<TimeNs>(0, clock.toRunTime(events.end(event)) - waits[rank].arrivalNs);
        shortest = std::min(shortest, waits[rank].transferNs);
        first = std::min(first, waits[rank].arrivalNs);
        if (waits[rank].arrivalNs > last) {
            last = waits[rank].arrivalNs;
            stall.straggler = static_cast<std::uint32_t>(rank);
        }
    }
    stall.beginNs = first;
    stall.skewNs = last - first;
    const double slack = 2 * alignment.residualP99Ns + 1;
    for (std::size_t rank = 0; rank < width; ++rank) {
        if (!waits[rank].member())
            continue;
        const TimeNs whole = waits[rank].transferNs;
        waits[rank].waitNs = std::clamp<TimeNs>(last - waits[rank].arrivalNs, 0, whole);
        waits[rank].transferNs = whole - waits[rank].waitNs;
        // The clock-free figure: how much longer it ran here than where it ran shortest.
        if (std::abs(static_cast<double>(whole - shortest - waits[rank].waitNs)) > slack)
            stall.clockDisagrees = true;
    }
    return stall;
}

/// Durations of all calls of a group, all ranks.
std::vector<std::vector<double>> durationsByGroup(const Run& run, const CollectiveTable& collectives,
                                                  const StallTable& table) {
    std::vector<std::vector<double>> durations(collectives.groups.size());
    for (std::size_t i = 0; i < collectives.matched.size(); ++i)
        for (std::size_t rank = 0; rank < run.ranks.size(); ++rank)
            if (const RankWait& wait = table.waitOf(i, rank); wait.member())
                durations[collectives.matched[i].group].push_back(
                    static_cast<double>(wait.waitNs + wait.transferNs));
    return durations;
}

/// Whether the straggler's capture began only after others were waiting already.
bool captureBeganLate(const Run& run, const StepTable& steps, const ClockAlignment& alignment,
                      const StallTable& table, std::size_t index) {
    const Stall& stall = table.stalls[index];
    const auto firstOf = [&](std::size_t rank) {
        return alignment.ranks[rank].toRunTime(
            run.ranks[rank].events.begin(steps.ranks[rank].events.front()));
    };
    TimeNs earliest = std::numeric_limits<TimeNs>::max();
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank)
        if (table.waitOf(index, rank).member())
            earliest = std::min(earliest, firstOf(rank));
    return (firstOf(stall.straggler) - earliest) * 2 >= stall.skewNs;
}

/// The first collective of each group may only show that the profilers started at different moments.
void findHeadTransients(const Run& run, const StepTable& steps, const CollectiveTable& collectives,
                        const ClockAlignment& alignment, StallTable& table) {
    std::vector<TimeNs> medians;
    for (std::vector<double>& durations : durationsByGroup(run, collectives, table))
        medians.push_back(static_cast<TimeNs>(medianOf(durations)));
    std::vector<char> seen(run.ranks.size(), 0);
    for (std::size_t i = 0; i < collectives.matched.size(); ++i) {
        std::size_t members = 0;
        std::size_t far = 0;
        bool head = false;
        const TimeNs median = std::max<TimeNs>(medians[collectives.matched[i].group], 1);
        for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
            const RankWait& wait = table.waitOf(i, rank);
            if (!wait.member())
                continue;
            head = head || seen[rank] == 0;
            seen[rank] = 1;
            ++members;
            far += wait.waitNs + wait.transferNs > kHeadTransientTimes * median ? 1 : 0;
        }
        if (head && far * 2 >= members && captureBeganLate(run, steps, alignment, table, i)) {
            table.stalls[i].headTransient = true;
            table.notes.push_back(fmt::format("Collective {} is a head transient: the capture of rank {} "
                                              "began {:.2f} ms later, and the others waited.",
                                              collectives.matched[i].ordinal,
                                              run.ranks[table.stalls[i].straggler].rank,
                                              static_cast<double>(table.stalls[i].skewNs) / 1e6));
        }
        if (std::find(seen.begin(), seen.end(), 0) == seen.end())
            break;
    }
}

GroupClass classOf(const std::vector<double>& skews, double wait, double transfer, double residual) {
    std::vector<double> sorted = skews;
    if (sorted.empty() || medianOf(sorted) <= residual || wait + transfer <= 0)
        return GroupClass::Inconclusive;
    const double share = wait / (wait + transfer);
    if (share > 2.0 / 3)
        return GroupClass::ArrivalSkew;
    return share < 1.0 / 3 ? GroupClass::Transfer : GroupClass::Mixed;
}

void sumGroups(const Run& run, const CollectiveTable& collectives, const ClockAlignment& alignment,
               const StallOptions& options, StallTable& table) {
    const std::size_t width = run.ranks.size();
    std::vector<std::vector<double>> durations(collectives.groups.size());
    std::vector<std::vector<double>> skews(collectives.groups.size());
    std::vector<double> waits(collectives.groups.size(), 0);
    std::vector<double> transfers(collectives.groups.size(), 0);
    table.groups.resize(collectives.groups.size());
    for (GroupStalls& group : table.groups) {
        group.waitNs.assign(width, 0);
        group.transferNs.assign(width, 0);
    }
    for (std::size_t i = 0; i < collectives.matched.size(); ++i) {
        if (!options.counts(collectives.matched[i].step))
            continue;
        const std::size_t at = collectives.matched[i].group;
        const bool counts = options.includeHeadTransients || !table.stalls[i].headTransient;
        GroupStalls& group = table.groups[at];
        ++group.count;
        if (counts)
            skews[at].push_back(static_cast<double>(table.stalls[i].skewNs));
        for (std::size_t rank = 0; rank < width; ++rank) {
            const RankWait& wait = table.waitOf(i, rank);
            if (!wait.member())
                continue;
            group.waitNs[rank] += wait.waitNs;
            group.transferNs[rank] += wait.transferNs;
            if (!counts)
                continue;
            durations[at].push_back(static_cast<double>(wait.waitNs + wait.transferNs));
            waits[at] += static_cast<double>(wait.waitNs);
            transfers[at] += static_cast<double>(wait.transferNs);
        }
    }
    for (std::size_t at = 0; at < table.groups.size(); ++at) {
        table.groups[at].p50Ns = static_cast<TimeNs>(quantileOf(durations[at], 0.5));
        table.groups[at].p99Ns = static_cast<TimeNs>(quantileOf(durations[at], 0.99));
        table.groups[at].classification =
            classOf(skews[at], waits[at], transfers[at], alignment.residualP99Ns);
    }
}

void sumRanks(const CollectiveTable& collectives, const StallOptions& options, StallTable& table) {
    for (std::size_t i = 0; i < table.stalls.size(); ++i) {
        if (!options.counts(collectives.matched[i].step))
            continue;
        table.worst.push_back(static_cast<std::uint32_t>(i));
        TimeNs others = 0;
        const Stall& stall = table.stalls[i];
        for (std::size_t rank = 0; rank < table.ranks.size(); ++rank) {
            const RankWait& wait = table.waitOf(i, rank);
            if (!wait.member())
                continue;
            table.ranks[rank].waitedNs += wait.waitNs;
            if (stall.headTransient && !options.includeHeadTransients)
                table.ranks[rank].headTransientNs += wait.waitNs;
            others += rank == stall.straggler ? 0 : wait.waitNs;
        }
        table.ranks[stall.straggler].causedNs += others;
        ++table.ranks[stall.straggler].lastArrivals;
    }
}

} // namespace

std::string_view nameOf(CauseKind kind) {
    constexpr std::array<std::string_view, 4> kNames{"unknown", "kernel", "host", "copy"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string_view nameOf(GroupClass kind) {
    constexpr std::array<std::string_view, 4> kNames{"inconclusive", "arrival_skew", "transfer", "mixed"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::size_t StallTable::memoryBytes() const {
    std::size_t bytes = stalls.capacity() * sizeof(Stall) + waits.capacity() * sizeof(RankWait) +
                        worst.capacity() * sizeof(std::uint32_t) + ranks.capacity() * sizeof(RankStalls);
    for (const GroupStalls& group : groups)
        bytes +=
            sizeof(GroupStalls) + (group.waitNs.capacity() + group.transferNs.capacity()) * sizeof(TimeNs);
    return bytes;
}

StallTable attributeStalls(const Run& run, const StepTable& steps, const CollectiveTable& collectives,
                           const ClockAlignment& alignment, const StallOptions& options) {
    StallTable table;
    const std::size_t width = run.ranks.size();
    table.ranks.resize(width);
    table.waits.resize(collectives.matched.size() * width);
    table.stalls.reserve(collectives.matched.size());
    std::vector<std::vector<TimeNs>> before;
    before.reserve(width);
    for (std::size_t rank = 0; rank < width; ++rank)
        before.push_back(endsBefore(run.ranks[rank], steps.ranks[rank], collectives.calls[rank]));
    std::size_t disagreements = 0;
    for (std::size_t i = 0; i < collectives.matched.size(); ++i) {
        table.stalls.push_back(
            stallOf(run, collectives, alignment, before, i, table.waits.data() + i * width));
        disagreements += table.stalls.back().clockDisagrees ? 1 : 0;
    }
    findHeadTransients(run, steps, collectives, alignment, table);
    sumGroups(run, collectives, alignment, options, table);
    sumRanks(collectives, options, table);
    std::stable_sort(table.worst.begin(), table.worst.end(), [&](std::uint32_t a, std::uint32_t b) {
        return table.stalls[a].skewNs > table.stalls[b].skewNs;
    });
    if (disagreements > 0)
        table.notes.push_back(
            fmt::format("In {} of {} collectives a wait differs from the clock-free figure (own minus "
                        "shortest duration) by more than twice the residual.",
                        disagreements, table.stalls.size()));
    return table;
}

} // namespace lockstep
