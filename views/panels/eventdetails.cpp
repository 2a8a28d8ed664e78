#include "views/panels/eventdetails.h"

#include "views/common/format.h"

#include <algorithm>

namespace lockstep {

namespace {

QString tripleText(const std::array<std::uint32_t, 3>& triple) {
    return QStringLiteral("%1 × %2 × %3").arg(triple[0]).arg(triple[1]).arg(triple[2]);
}

void add(DetailGroup& group, const QString& name, const QString& value) {
    if (!value.isEmpty())
        group.rows.push_back({name, value});
}

void addNumber(DetailGroup& group, const QString& name, std::int64_t value) {
    if (value >= 0)
        group.rows.push_back({name, QString::number(value)});
}

DetailGroup timesOf(const ShownRun& shown, EventRef event) {
    const ShownRank& rank = shown.ranks[event.rank];
    const RankTrace& trace = *rank.trace;
    DetailGroup group{QStringLiteral("Event"), {}};
    const TimeRange range = rank.toRun(trace.events.range(event.event));
    add(group, QStringLiteral("duration"), durationText(trace.events.duration(event.event)));
    add(group, QStringLiteral("begin"), momentText(range.begin - shown.span.begin));
    add(group, QStringLiteral("end"), momentText(range.end - shown.span.begin));
    add(group, QStringLiteral("kind"), traceText(nameOf(trace.events.kind(event.event))));
    add(group, QStringLiteral("rank"), QString::number(trace.rank));
    const Track& track = trace.trackOf(event.event);
    add(group, QStringLiteral("track"), traceText(track.label()));
    add(group, QStringLiteral("process"), traceText(track.processName));
    add(group, QStringLiteral("category in the file"),
        traceText(trace.strings->view(trace.events.category(event.event))));
    return group;
}

DetailGroup gpuOf(const RankTrace& trace, EventId event) {
    DetailGroup group{QStringLiteral("GPU"), {}};
    const GpuArguments* gpu = trace.arguments.gpuOf(event);
    if (!gpu)
        return group;
    addNumber(group, QStringLiteral("stream"), gpu->stream);
    addNumber(group, QStringLiteral("device"), gpu->device);
    if (gpu->shape < trace.arguments.shapes.size()) {
        const LaunchShape& shape = trace.arguments.shapes[gpu->shape];
        add(group, QStringLiteral("grid"), tripleText(shape.grid));
        add(group, QStringLiteral("block"), tripleText(shape.block));
        addNumber(group, QStringLiteral("registers per thread"), shape.registersPerThread);
        add(group, QStringLiteral("shared memory"), bytesText(shape.sharedMemoryBytes));
    }
    if (gpu->graphNodeId != 0)
        addNumber(group, QStringLiteral("graph node"), static_cast<std::int64_t>(gpu->graphNodeId));
    if (gpu->bytes >= 0)
        add(group, QStringLiteral("bytes"), countText(static_cast<std::uint64_t>(gpu->bytes)));
    return group;
}

DetailGroup collectiveOf(const RankTrace& trace, EventId event) {
    DetailGroup group{QStringLiteral("Collective"), {}};
    const CollectiveArguments* collective = trace.arguments.collectiveOf(event);
    if (!collective)
        return group;
    const auto text = [&](StringId id) {
        return traceText(trace.strings->view(id));
    };
    add(group, QStringLiteral("name"), text(collective->collective));
    add(group, QStringLiteral("data type"), text(collective->dtype));
    addNumber(group, QStringLiteral("elements in"), collective->inElements);
    addNumber(group, QStringLiteral("elements out"), collective->outElements);
    addNumber(group, QStringLiteral("sequence"), collective->sequence);
    add(group, QStringLiteral("process group"), text(collective->processGroup));
    add(group, QStringLiteral("group description"), text(collective->processGroupDescription));
    add(group, QStringLiteral("group ranks"), text(collective->processGroupRanks));
    addNumber(group, QStringLiteral("group size"), collective->groupSize);
    return group;
}

DetailGroup originOf(const RankTrace& trace, EventId event) {
    DetailGroup group{QStringLiteral("Launched by"), {}};
    if (!isGpuActivity(trace.events.kind(event)) && !isLaunchCall(trace.events.kind(event)))
        return group;
    if (isGpuActivity(trace.events.kind(event))) {
        const EventId launch = trace.launches.launchOf(trace.events, event);
        if (launch.valid()) {
            add(group, QStringLiteral("call"), traceText(trace.name(launch)));
            add(group, QStringLiteral("from call to start"),
                durationText(trace.events.begin(event) - trace.events.begin(launch)));
        }
    }
    const EventId op = trace.launches.cpuOpOf(trace.events, event);
    if (op.valid()) {
        add(group, QStringLiteral("CPU op"), traceText(trace.name(op)));
        if (const CpuOpArguments* arguments = trace.arguments.cpuOpOf(op)) {
            add(group, QStringLiteral("input shapes"), traceText(trace.strings->view(arguments->inputDims)));
            add(group, QStringLiteral("call stack"), traceText(trace.strings->view(arguments->callSite)));
        }
    }
    return group;
}

DetailGroup categoryOf(const ShownRun& shown, const ShownCategories* categories, EventRef event) {
    DetailGroup group{QStringLiteral("Category"), {}};
    if (!categories || !shown.analysis || categories->analysis != shown.analysis)
        return group;
    const RankActivities& activities = shown.analysis->steps.ranks[event.rank];
    const EventStore& events = shown.ranks[event.rank].trace->events;
    // Activities are in order of begin, then id.
    const auto at = std::lower_bound(activities.events.begin(), activities.events.end(), event.event,
                                     [&](EventId a, EventId b) {
                                         return std::pair(events.begin(a), a) < std::pair(events.begin(b), b);
                                     });
    if (at == activities.events.end() || *at != event.event)
        return group;
    const auto index = static_cast<std::uint32_t>(at - activities.events.begin());
    const CategoryVerdict verdict =
        verdictOf(*shown.run, shown.analysis->steps, categories->rules, event.rank, index);
    const CategorySet& set = categories->rules.set;
    add(group, QStringLiteral("category"), traceText(set.categories[verdict.category].label));
    add(group, QStringLiteral("rule"),
        verdict.ruleId.empty() ? QStringLiteral("none matches") : traceText(verdict.ruleId));
    add(group, QStringLiteral("because"), traceText(verdict.reason));
    const std::uint32_t step = activities.stepOf(index);
    if (step != RankActivities::kNone) {
        add(group, QStringLiteral("step"), QString::number(step));
        const std::uint16_t layer = activities.layerOf(index);
        if (layer != RankActivities::kNoLayer)
            add(group, QStringLiteral("layer"), QString::number(layer));
    } else {
        add(group, QStringLiteral("step"), QStringLiteral("outside all steps"));
    }
    return group;
}

DetailGroup stallOf(const ShownRun& shown, EventRef event) {
    DetailGroup group{QStringLiteral("On every rank"), {}};
    const std::optional<std::uint32_t> collective =
        shown.analysis ? shown.ranks[event.rank].collectiveOf(event.event) : std::nullopt;
    if (!collective)
        return group;
    const RunAnalysis& analysis = *shown.analysis;
    const Stall& stall = analysis.stalls.stalls[*collective];
    for (std::size_t r = 0; r < shown.ranks.size(); ++r) {
        const RankWait& wait = analysis.stalls.waitOf(*collective, r);
        if (!wait.member())
            continue;
        QString text = QStringLiteral("arrives +%1, waits %2, moves data %3")
                           .arg(durationText(wait.arrivalNs - stall.beginNs), durationText(wait.waitNs),
                                durationText(wait.transferNs));
        if (r == stall.straggler)
            text += QStringLiteral(" (last)");
        add(group, QStringLiteral("rank %1").arg(shown.ranks[r].trace->rank), text);
    }
    const StallCause cause = causeOf(*shown.run, analysis.steps, analysis.collectives, analysis.alignment,
                                     analysis.stalls, *collective);
    add(group, QStringLiteral("why rank %1 was late").arg(shown.ranks[stall.straggler].trace->rank),
        traceText(cause.evidence.empty() ? nameOf(cause.kind) : cause.evidence));
    return group;
}

} // namespace

std::vector<DetailGroup> detailsOf(const ShownRun& shown, const ShownCategories* categories, EventRef event) {
    const RankTrace& trace = *shown.ranks[event.rank].trace;
    std::vector<DetailGroup> groups;
    for (DetailGroup& group : std::vector<DetailGroup>{
             timesOf(shown, event), categoryOf(shown, categories, event), stallOf(shown, event),
             collectiveOf(trace, event.event), gpuOf(trace, event.event), originOf(trace, event.event)})
        if (!group.rows.empty())
            groups.push_back(std::move(group));
    return groups;
}

} // namespace lockstep
