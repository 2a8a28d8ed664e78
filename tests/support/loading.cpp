#include "tests/support/loading.h"

#include "tests/support/temporaryfolder.h"

#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lockstep::test {

namespace {

/// Collects text; ids of strings are shown as the strings, since their numbers may differ between loads.
class Description {
public:
    explicit Description(const RankTrace& rank)
        : m_rank(rank) {}

    template <class... Arguments>
    void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(m_text), format, std::forward<Arguments>(arguments)...);
        m_text += '\n';
    }
    [[nodiscard]] std::string_view text(StringId id) const {
        return id.valid() ? m_rank.strings->view(id) : "-";
    }
    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    const RankTrace& m_rank;
    std::string m_text;
};

void describeHeader(const RankTrace& rank, Description& out) {
    const TraceHeader& header = rank.header;
    out.line("rank {} from {}", rank.rank, static_cast<int>(rank.rankSource));
    out.line("base {} unit {} trace {}", header.baseTimeNs.value_or(-1), header.displayTimeUnit,
             header.traceName);
    for (const DeviceProperties& device : header.devices)
        out.line("device {} {} {}", device.id, device.name, device.memoryBytes);
    if (header.distributed)
        out.line("distributed {} {} {} groups {}", header.distributed->backend,
                 header.distributed->rank.value_or(-1), header.distributed->worldSize.value_or(-1),
                 header.distributed->processGroups.size());
    for (const auto& [key, value] : header.other)
        out.line("{}: {}", key, value);
}

void describeReport(const ImportReport& report, Description& out) {
    out.line("events {} skipped {} repaired {} truncated {}", report.events, report.skipped, report.repaired,
             report.truncated);
    for (const auto& [phase, count] : report.byPhase)
        out.line("phase {} {}", phase, count);
    for (const auto& [category, count] : report.byCategory)
        out.line("category {} {}", category, count);
    for (const ImportWarning& warning : report.warnings)
        out.line("warning {} {} at {}", warning.code, warning.count, warning.offset.value_or(0));
}

void describeEvents(const RankTrace& rank, Description& out) {
    for (const Track& track : rank.tracks)
        out.line("track {} pid {} tid {} {} {} lanes {}+{}", static_cast<int>(track.kind), track.pid,
                 track.tid, track.processName, track.threadName, track.firstLane.value, track.laneCount);
    for (const Lane& lane : rank.lanes)
        out.line("lane of {} depth {} {}+{}", lane.track.value, lane.depth, lane.first.value, lane.count);
    for (std::size_t i = 0; i < rank.events.size(); ++i) {
        const Event event = rank.events.event(EventId{i});
        out.line("{} {} {} [{}] lane {} kind {} correlation {} external {} at {}", event.begin,
                 event.duration, out.text(event.name), out.text(event.category), event.lane.value,
                 static_cast<int>(event.kind), event.correlation, event.externalId, event.byteOffset);
    }
}

void describeArguments(const RankTrace& rank, Description& out) {
    for (const GpuArguments& gpu : rank.arguments.gpu)
        out.line("gpu {} device {} context {} stream {} node {} bytes {}", gpu.event.value, gpu.device,
                 gpu.context, gpu.stream, gpu.graphNodeId, gpu.bytes);
    for (const CpuOpArguments& op : rank.arguments.cpuOps)
        out.line("op {} {} {}", op.event.value, out.text(op.inputDims), out.text(op.callSite));
    for (const CollectiveArguments& collective : rank.arguments.collectives)
        out.line("collective {} {} {} {} {} {}", collective.event.value, out.text(collective.collective),
                 out.text(collective.dtype), collective.inElements, collective.sequence,
                 out.text(collective.processGroup));
    for (const Flow& flow : rank.flows)
        out.line("flow {} {} {}", out.text(flow.category), flow.from.value, flow.to.value);
    for (const CounterSample& sample : rank.counters)
        out.line("counter {} {} {} {}", out.text(sample.name), out.text(sample.series), sample.at,
                 sample.value);
}

} // namespace

Result<std::shared_ptr<const Run>> loadBytes(std::string_view bytes, std::size_t windowBytes,
                                             std::string_view name) {
    const TemporaryFolder folder;
    LoadOptions options;
    options.threads = 1;
    options.windowBytes = windowBytes;
    return loadRun({folder.write(name, bytes)}, options);
}

RankTrace loadRank(std::string_view bytes, std::size_t windowBytes) {
    const auto run = loadBytes(bytes, windowBytes);
    if (!run) {
        ADD_FAILURE() << run.error().toLine();
        RankTrace none;
        none.strings = std::make_shared<StringPool>();
        return none;
    }
    EXPECT_EQ((*run)->ranks.size(), 1u);
    return (*run)->ranks.at(0);
}

std::string describe(const RankTrace& rank) {
    Description out(rank);
    describeHeader(rank, out);
    describeReport(rank.report, out);
    describeEvents(rank, out);
    describeArguments(rank, out);
    return out.take();
}

EventId findEvent(const RankTrace& rank, std::string_view name) {
    for (std::size_t i = 0; i < rank.events.size(); ++i)
        if (rank.name(EventId{i}) == name)
            return EventId{i};
    return {};
}

std::uint64_t warningCount(const RankTrace& rank, std::string_view code) {
    for (const ImportWarning& warning : rank.report.warnings)
        if (warning.code == code)
            return warning.count;
    return 0;
}

} // namespace lockstep::test
