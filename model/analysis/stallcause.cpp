#include "model/analysis/stalls.h"

#include "model/run/clockalign.h"
#include "model/run/collectives.h"
#include "model/run/run.h"
#include "model/run/steps.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

namespace lockstep {

namespace {

/// Time that the GPU stood idle before one activity.
struct Gap {
    TimeNs length = 0;
    TimeNs begin = 0;
    EventId after; ///< the activity that ended it
};

/// What a rank did between the collective before and this one.
struct Segment {
    TimeNs idle = 0;
    Gap largest;
    std::unordered_map<std::uint32_t, TimeNs> kernels;  ///< durations by name
    std::unordered_map<std::uint32_t, TimeNs> copies;   ///< the same of copies and memsets
    std::unordered_map<std::uint32_t, EventId> longest; ///< by name
};

Segment segmentOf(const RankTrace& rank, const RankActivities& activities, std::size_t from, std::size_t to,
                  TimeNs begin) {
    Segment segment;
    TimeNs covered = begin;
    for (std::size_t i = from; i <= to; ++i) {
        const EventId event = activities.events[i];
        const TimeNs gap = rank.events.begin(event) - covered;
        if (gap > 0) {
            segment.idle += gap;
            if (gap > segment.largest.length)
                segment.largest = {gap, covered, event};
        }
        covered = std::max(covered, rank.events.end(event));
        if (i == to)
            break;
        const std::uint32_t name = rank.events.name(event).value;
        const TimeNs duration = rank.events.duration(event);
        (rank.events.kind(event) == EventKind::Kernel ? segment.kernels : segment.copies)[name] += duration;
        EventId& longest = segment.longest[name];
        if (!longest.valid() || rank.events.duration(longest) < duration)
            longest = event;
    }
    return segment;
}

TimeNs medianTime(std::vector<TimeNs> values) {
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle] + values[middle - 1]) / 2;
}

/// The name that took longer here than on the median of the others, and all that names took longer.
struct Excess {
    std::uint32_t name = StringId::kInvalid;
    TimeNs ofName = 0;
    TimeNs usual = 0; ///< the others' median of that name
    TimeNs total = 0;
};

using Durations = std::unordered_map<std::uint32_t, TimeNs>;

Excess excessOf(const Durations& own, const std::vector<const Durations*>& others) {
    Excess excess;
    for (const auto& [name, duration] : own) {
        std::vector<TimeNs> elsewhere;
        for (const Durations* other : others) {
            const auto at = other->find(name);
            elsewhere.push_back(at == other->end() ? 0 : at->second);
        }
        const TimeNs usual = medianTime(std::move(elsewhere));
        const TimeNs more = duration - usual;
        excess.total += more;
        if (more > excess.ofName || (more == excess.ofName && more > 0 && name < excess.name)) {
            excess.name = name;
            excess.ofName = more;
            excess.usual = usual;
        }
    }
    // What only others ran, this rank was spared.
    Durations spared;
    for (const Durations* other : others)
        for (const auto& [name, duration] : *other)
            if (own.find(name) == own.end())
                spared[name] += duration;
    for (const auto& [name, duration] : spared)
        excess.total -= duration / static_cast<TimeNs>(others.size());
    return excess;
}

/// The straggler's segment beside those of all other members.
struct Comparison {
    Segment own;
    std::vector<Segment> others;
};

/// The matched collective before `index` that all its members took part in too.
std::optional<std::size_t> collectiveBefore(const Run& run, const CollectiveTable& collectives,
                                            std::size_t index) {
    constexpr std::size_t kLook = 256;
    for (std::size_t back = index; back-- > 0 && index - back <= kLook;) {
        bool all = true;
        for (std::size_t rank = 0; rank < run.ranks.size() && all; ++rank) {
            const CollectiveCall* now = collectives.callOf(index, rank);
            const CollectiveCall* then = collectives.callOf(back, rank);
            all = now == nullptr || (then != nullptr && then->activity < now->activity);
        }
        if (all)
            return back;
    }
    return std::nullopt;
}

Comparison compare(const Run& run, const StepTable& steps, const CollectiveTable& collectives,
                   std::size_t before, std::size_t index, std::size_t straggler) {
    Comparison comparison;
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
        const CollectiveCall* now = collectives.callOf(index, rank);
        const CollectiveCall* then = collectives.callOf(before, rank);
        if (now == nullptr || then == nullptr)
            continue;
        Segment segment = segmentOf(run.ranks[rank], steps.ranks[rank], then->activity + 1u, now->activity,
                                    run.ranks[rank].events.end(then->event));
        if (rank == straggler)
            comparison.own = std::move(segment);
        else
            comparison.others.push_back(std::move(segment));
    }
    return comparison;
}

double microseconds(TimeNs time) {
    return static_cast<double>(time) / 1e3;
}

StallCause busyCause(const RankTrace& rank, CauseKind kind, const Excess& excess, const Segment& own) {
    StallCause cause;
    cause.kind = kind;
    cause.name = std::string(rank.strings->view(StringId{excess.name}));
    cause.excessNs = excess.ofName;
    if (const auto at = own.longest.find(excess.name); at != own.longest.end())
        cause.event = at->second;
    cause.evidence = excess.usual == 0
                         ? fmt::format("It ran for {:.1f} µs here, and on most other ranks not at all.",
                                       microseconds(excess.ofName))
                         : fmt::format("It took {:.1f} µs longer here than on other ranks ({:.1f} µs).",
                                       microseconds(excess.ofName), microseconds(excess.usual));
    return cause;
}

/// The GPU stood idle: host, if the launch that ended the longest gap was made or finished only in it.
std::optional<StallCause> hostCause(const RankTrace& rank, const Segment& own, TimeNs idleExcess) {
    if (!own.largest.after.valid())
        return std::nullopt;
    const EventId launch = rank.launches.launchOf(rank.events, own.largest.after);
    StallCause cause;
    cause.kind = CauseKind::Host;
    cause.excessNs = idleExcess;
    cause.event = launch.valid() ? launch : own.largest.after;
    if (!launch.valid()) {
        // No launch was captured on any rank: idle time alone does not tell whose fault it is.
        return std::nullopt;
    }
    // CPU and GPU clocks of one trace agree to a few microseconds.
    constexpr TimeNs kTolerance = 10'000;
    if (rank.events.end(launch) + kTolerance < own.largest.begin)
        return std::nullopt;
    cause.name = std::string(rank.name(launch));
    const EventId op = rank.launches.cpuOpOf(rank.events, launch);
    cause.evidence =
        fmt::format("The GPU stood idle {:.1f} µs longer than on other ranks, {:.1f} µs of it before `{}`, "
                    "which {} launched{}.",
                    microseconds(idleExcess), microseconds(own.largest.length), rank.name(own.largest.after),
                    cause.name, op.valid() ? fmt::format(" in {}", rank.name(op)) : std::string());
    return cause;
}

StallCause unknown(std::string why) {
    StallCause cause;
    cause.evidence = std::move(why);
    return cause;
}

} // namespace

StallCause causeOf(const Run& run, const StepTable& steps, const CollectiveTable& collectives,
                   const ClockAlignment& /*alignment*/, const StallTable& stalls, std::uint32_t index) {
    const Stall& stall = stalls.stalls[index];
    if (stall.headTransient)
        return unknown("The captures began at different moments.");
    const auto before = collectiveBefore(run, collectives, index);
    if (!before)
        return unknown("No collective before this one shows where the lateness began.");
    const std::size_t straggler = stall.straggler;
    const RankTrace& rank = run.ranks[straggler];
    const Comparison comparison = compare(run, steps, collectives, *before, index, straggler);
    if (comparison.others.empty())
        return unknown("No other rank to compare with.");
    std::vector<const Durations*> kernels;
    std::vector<const Durations*> copies;
    std::vector<TimeNs> idles;
    for (const Segment& other : comparison.others) {
        kernels.push_back(&other.kernels);
        copies.push_back(&other.copies);
        idles.push_back(other.idle);
    }
    const Excess kernel = excessOf(comparison.own.kernels, kernels);
    const Excess copy = excessOf(comparison.own.copies, copies);
    const TimeNs idle = comparison.own.idle - medianTime(std::move(idles));
    // Never guess: what is named must explain half of the skew, and more than any other does.
    const auto explains = [&](TimeNs excess) {
        return excess > 0 && excess * 2 >= stall.skewNs;
    };
    if (explains(idle) && idle >= kernel.ofName && idle >= copy.ofName) {
        if (auto host = hostCause(rank, comparison.own, idle)) {
            if (kernel.ofName * 10 >= stall.skewNs)
                host->evidence +=
                    fmt::format(" Beside it, `{}` ran {:.1f} µs longer here.",
                                rank.strings->view(StringId{kernel.name}), microseconds(kernel.ofName));
            return *host;
        }
    }
    if (explains(kernel.ofName) && kernel.ofName >= copy.ofName)
        return busyCause(rank, CauseKind::Kernel, kernel, comparison.own);
    if (explains(copy.ofName))
        return busyCause(rank, CauseKind::Copy, copy, comparison.own);
    if (explains(kernel.total) && kernel.total > idle) {
        StallCause cause = busyCause(rank, CauseKind::Kernel, kernel, comparison.own);
        cause.excessNs = kernel.total;
        cause.evidence =
            fmt::format("Its kernels together took {:.1f} µs longer here than on other ranks; {:.1f} µs of "
                        "it is this one.",
                        microseconds(kernel.total), microseconds(kernel.ofName));
        return cause;
    }
    if (explains(idle))
        return unknown(
            fmt::format("The GPU stood idle {:.1f} µs longer than on other ranks, but no late launch was "
                        "captured.",
                        microseconds(idle)));
    return unknown("Nothing since the collective before explains half of the skew.");
}

} // namespace lockstep
