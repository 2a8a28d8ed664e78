#include "model/run/steps.h"

#include "model/run/layers.h"
#include "model/run/roughclock.h"
#include "model/run/run.h"
#include "model/run/stepjoin.h"
#include "model/run/stepmarkers.h"
#include "model/run/stepquality.h"
#include "model/run/stepsources.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace lockstep {

namespace {

constexpr std::uint32_t kNone = RankActivities::kNone;

/// All that is known of a rank before its steps are joined with those of others.
struct RankWork {
    std::vector<EventId> activities;
    std::vector<EventId> launches;
    LocalSteps steps;
};

RankView viewOf(const RankTrace& rank, const RankWork& work, const KernelNames& names) {
    return {rank, work.activities, work.launches, names};
}

std::size_t kernelsOf(const RankTrace& rank, const RankWork& work) {
    return static_cast<std::size_t>(
        std::count_if(work.activities.begin(), work.activities.end(), [&](EventId id) {
            return rank.events.kind(id) == EventKind::Kernel;
        }));
}

LocalSteps stepsBy(StepSource source, const RankView& view, const StepMarkers& markers, StringId boundary) {
    switch (source) {
    case StepSource::CpuAnnotation:
        return stepsByCpuAnnotation(view, markers);
    case StepSource::GpuAnnotation:
        return stepsByGpuAnnotation(view, markers);
    case StepSource::GraphLaunch:
        return stepsByGraphLaunch(view);
    default:
        return stepsByPeriod(view, boundary);
    }
}

/// Whether a source's steps hold enough of a rank to be its steps: a fifth, since much may lie between them.
bool holdsEnough(const LocalSteps& steps, std::size_t kernels) {
    return !steps.steps.empty() && steps.claimedKernels * 5 >= kernels;
}

/// The first source that applies to most ranks; a rank where it does not takes the first that does.
StepSource chooseSources(const Run& run, std::vector<RankWork>& work, const KernelNames& names,
                         std::vector<std::string>& notes) {
    const StepMarkers markers = StepMarkers::builtin();
    constexpr std::array kSources{StepSource::CpuAnnotation, StepSource::GpuAnnotation,
                                  StepSource::GraphLaunch, StepSource::Period};
    StepSource chosen = StepSource::None;
    std::vector<char> done(work.size(), 0);
    std::size_t busy = 0;
    for (const RankWork& rank : work)
        busy += rank.activities.empty() ? 0 : 1;
    for (const StepSource source : kSources) {
        StringId boundary;
        std::size_t found = 0;
        std::vector<LocalSteps> candidates(work.size());
        for (std::size_t rank = 0; rank < work.size(); ++rank) {
            if (done[rank] != 0 || work[rank].activities.empty())
                continue;
            const RankView view = viewOf(run.ranks[rank], work[rank], names);
            LocalSteps steps = stepsBy(source, view, markers, boundary);
            if (!holdsEnough(steps, kernelsOf(run.ranks[rank], work[rank])))
                continue;
            boundary = boundary.valid() ? boundary : steps.boundary;
            candidates[rank] = std::move(steps);
            ++found;
        }
        // Before the run's source is known, one that only few ranks have does not count.
        if (found == 0 || (chosen == StepSource::None && found * 2 < busy))
            continue;
        for (std::size_t rank = 0; rank < work.size(); ++rank) {
            if (candidates[rank].steps.empty())
                continue;
            if (chosen != StepSource::None)
                notes.push_back(fmt::format("Rank {} has no steps by {}: its steps are found by {}.",
                                            run.ranks[rank].rank, nameOf(chosen), nameOf(source)));
            work[rank].steps = std::move(candidates[rank]);
            done[rank] = 1;
        }
        if (chosen == StepSource::None)
            chosen = source;
    }
    for (RankWork& rank : work)
        if (rank.steps.stepOf.empty())
            rank.steps.stepOf.assign(rank.activities.size(), kNone);
    return chosen;
}

/// Length of a union of ranges that come in order of begin.
struct GrowingUnion {
    TimeNs length = 0;
    TimeNs end = 0;
    bool any = false;

    void add(TimeNs begin, TimeNs until) {
        const TimeNs from = any ? std::max(begin, end) : begin;
        length += std::max<TimeNs>(0, until - from);
        end = any ? std::max(end, until) : until;
        any = true;
    }
};

/// Durations of one rank's part of one step, gathered in time order.
struct StepSums {
    GrowingUnion busy;    ///< all activities
    GrowingUnion kernels; ///< kernels
    GrowingUnion compute; ///< kernels that do not communicate
    TimeNs kernelSum = 0;
};

void measureRank(const RankView& view, std::size_t rank, const std::vector<std::uint32_t>& stepOf,
                 StepTable& table) {
    std::vector<StepSums> sums(table.steps.size());
    for (std::size_t i = 0; i < stepOf.size(); ++i) {
        if (stepOf[i] == kNone) {
            table.ranks[rank].outsideNs += view.end(i) - view.begin(i);
            continue;
        }
        StepSums& sum = sums[stepOf[i]];
        sum.busy.add(view.begin(i), view.end(i));
        if (!view.kernel(i))
            continue;
        sum.kernelSum += view.end(i) - view.begin(i);
        sum.kernels.add(view.begin(i), view.end(i));
        if (!view.names.communication(view.name(i)))
            sum.compute.add(view.begin(i), view.end(i));
    }
    RankStep* before = nullptr;
    for (std::size_t step = 0; step < table.steps.size(); ++step) {
        RankStep& part = table.steps[step].ranks[rank];
        if (!part.present)
            continue;
        part.busyNs = sums[step].busy.length;
        part.kernelSumNs = sums[step].kernelSum;
        // A collective runs and no compute kernel does: what the kernels cover beyond the compute kernels.
        part.exposedCommunicationNs = sums[step].kernels.length - sums[step].compute.length;
        if (before != nullptr)
            before->periodNs = part.range.begin - before->range.begin;
        before = &part;
    }
}

/// Numbers the layers of each step of a rank and writes step and layer down as runs.
void layRuns(const RankView& view, std::size_t rank, const std::vector<std::uint32_t>& stepOf,
             StepTable& table) {
    std::vector<std::vector<std::uint32_t>> members(table.steps.size());
    for (std::size_t i = 0; i < stepOf.size(); ++i)
        if (stepOf[i] != kNone)
            members[stepOf[i]].push_back(static_cast<std::uint32_t>(i));
    std::vector<std::uint16_t> layerOf(stepOf.size(), RankActivities::kNoLayer);
    for (std::size_t step = 0; step < members.size(); ++step) {
        const std::vector<std::uint16_t> layers = findLayers(view, members[step]);
        std::uint32_t count = 0;
        for (std::size_t k = 0; k < layers.size(); ++k) {
            layerOf[members[step][k]] = layers[k];
            if (layers[k] != RankActivities::kNoLayer)
                count = std::max(count, layers[k] + 1u);
        }
        table.steps[step].ranks[rank].layers = count;
        members[step] = {};
    }
    std::vector<ActivityRun>& runs = table.ranks[rank].runs;
    for (std::size_t i = 0; i < stepOf.size(); ++i)
        if (runs.empty() || runs.back().step != stepOf[i] || runs.back().layer != layerOf[i])
            runs.push_back({static_cast<std::uint32_t>(i), stepOf[i], layerOf[i]});
    runs.shrink_to_fit();
}

Step joinedStep(const std::vector<std::int32_t>& row, const std::vector<RankWork>& work) {
    Step step;
    step.ranks.resize(row.size());
    for (std::size_t rank = 0; rank < row.size(); ++rank) {
        if (row[rank] < 0)
            continue;
        const LocalStep& local = work[rank].steps.steps[static_cast<std::size_t>(row[rank])];
        if (step.name.empty()) {
            step.name = local.name;
            step.kind = local.kind;
            step.contextTokens = local.contextTokens;
            step.generationTokens = local.generationTokens;
            step.parts = local.parts;
        }
        RankStep& part = step.ranks[rank];
        part.present = true;
        part.range = local.range;
        part.kernels = local.kernels;
        part.firstActivity = local.firstActivity;
        part.endActivity = local.endActivity;
    }
    return step;
}

} // namespace

std::string_view nameOf(StepSource source) {
    constexpr std::array<std::string_view, 5> kNames{"cpu_annotation", "gpu_annotation", "graph_launch",
                                                     "period", "none"};
    return kNames[static_cast<std::size_t>(source)];
}

std::string_view nameOf(StepKind kind) {
    constexpr std::array<std::string_view, 5> kNames{"unknown", "prefill", "decode", "mixed", "idle"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::size_t RankActivities::runOf(std::size_t index) const {
    const auto at =
        std::upper_bound(runs.begin(), runs.end(), index, [](std::size_t wanted, const ActivityRun& run) {
            return wanted < run.first;
        });
    return static_cast<std::size_t>(at - runs.begin()) - 1;
}

std::size_t RankActivities::memoryBytes() const {
    return events.capacity() * sizeof(EventId) + runs.capacity() * sizeof(ActivityRun);
}

std::size_t StepTable::memoryBytes() const {
    std::size_t bytes = steps.capacity() * sizeof(Step);
    for (const Step& step : steps)
        bytes += step.ranks.capacity() * sizeof(RankStep) + step.parts.capacity() * sizeof(StepPart);
    for (const RankActivities& rank : ranks)
        bytes += rank.memoryBytes();
    return bytes;
}

std::vector<std::uint32_t> StepTable::typicalSteps() const {
    const bool kinds = std::any_of(steps.begin(), steps.end(), [](const Step& step) {
        return step.kind == StepKind::Decode;
    });
    std::vector<std::uint32_t> typical;
    std::vector<std::uint32_t> decoding;
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
        if (kinds && steps[i].kind != StepKind::Decode)
            continue;
        decoding.push_back(i);
        if (!steps[i].outlier && !steps[i].cut)
            typical.push_back(i);
    }
    return typical.empty() ? decoding : typical;
}

StepTable findSteps(const Run& run) {
    StepTable table;
    const KernelNames names(run);
    std::vector<RankWork> work(run.ranks.size());
    for (std::size_t rank = 0; rank < work.size(); ++rank) {
        work[rank].activities = run.ranks[rank].gpuActivities();
        work[rank].activities.shrink_to_fit();
        work[rank].launches = launchesOf(run.ranks[rank], work[rank].activities);
    }
    table.source = chooseSources(run, work, names, table.notes);
    std::vector<std::span<const EventId>> activities;
    std::vector<std::span<const LocalStep>> locals;
    for (const RankWork& rank : work) {
        activities.emplace_back(rank.activities);
        locals.emplace_back(rank.steps.steps);
    }
    table.clocks = roughClocks(run, findCalls(run, names, activities), table.notes);
    const JoinedSteps joined = joinSteps(run, locals, table.clocks);
    table.notes.insert(table.notes.end(), joined.notes.begin(), joined.notes.end());
    table.steps.reserve(joined.rows.size());
    for (const std::vector<std::int32_t>& row : joined.rows)
        table.steps.push_back(joinedStep(row, work));
    table.ranks.resize(work.size());
    for (std::size_t rank = 0; rank < work.size(); ++rank) {
        std::vector<std::uint32_t> globalOf(work[rank].steps.steps.size(), kNone);
        for (std::size_t row = 0; row < joined.rows.size(); ++row)
            if (joined.rows[row][rank] >= 0)
                globalOf[static_cast<std::size_t>(joined.rows[row][rank])] = static_cast<std::uint32_t>(row);
        std::vector<std::uint32_t>& stepOf = work[rank].steps.stepOf;
        for (std::uint32_t& step : stepOf)
            step = step == kNone ? kNone : globalOf[step];
        const RankView view = viewOf(run.ranks[rank], work[rank], names);
        measureRank(view, rank, stepOf, table);
        layRuns(view, rank, stepOf, table);
        table.ranks[rank].events = std::move(work[rank].activities);
        work[rank] = {};
    }
    judgeSteps(run, table);
    return table;
}

} // namespace lockstep
