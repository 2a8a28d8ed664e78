#include "model/synthetic/kinetowriter.h"

#include "model/synthetic/kinetotext.h"
#include "model/synthetic/tracefile.h"

#include <cmath>

namespace lockstep {

TimeNs SyntheticClock::read(TimeNs sinceStart) const {
    return kSyntheticStartNs + sinceStart + offsetNs +
           std::llround(driftPpm * 1e-6 * static_cast<double>(sinceStart));
}

namespace {

constexpr std::size_t kFlushBytes = 256 * 1024;
constexpr TimeNs kCaptureLead = 400'000; ///< from the profiler's start to the first step, and after the last

/// Streams one rank's events; ids count as Kineto's do: External ids over CPU events, correlations over
/// calls.
class KinetoWriter {
public:
    KinetoWriter(const PlannedStep& plan, const SimulatedRun& run, const RankTraceText& text, TraceFile& file)
        : m_plan(plan)
        , m_ops(run.ops[static_cast<std::size_t>(text.rank)])
        , m_steps(run.steps[static_cast<std::size_t>(text.rank)])
        , m_text(text)
        , m_file(file)
        , m_fragments(plan, text) {}

    void write() {
        append(m_fragments.header());
        writeHostEvents();
        writeActivities();
        writeGpuAnnotations();
        append(m_fragments.names(time(0)));
        const TimeNs end = m_steps.back().syncEnd + kCaptureLead;
        append(m_fragments.closing(time(-kCaptureLead / 4), time(end)));
        flush();
    }

private:
    [[nodiscard]] TimeNs time(TimeNs t) const { return m_text.clock.read(t + kCaptureLead); }
    void append(std::string_view text) { m_buffer.append(text.data(), text.data() + text.size()); }
    void flush() {
        m_file.write({m_buffer.data(), m_buffer.size()});
        m_buffer.clear();
    }
    void flushIfFull() {
        if (m_buffer.size() >= kFlushBytes)
            flush();
    }
    void appendSpan(TimeNs begin, TimeNs end) { appendTimes(m_buffer, time(begin), time(end) - time(begin)); }
    [[nodiscard]] bool inGraph(const PlannedOp& op) const { return m_text.graph && !op.outside; }

    /// Calls `visit(step, op index in plan, executed)` for every op in program order.
    template <class Visit>
    void forEachOp(Visit&& visit) {
        std::size_t next = 0;
        for (std::size_t step = 0; step < m_steps.size(); ++step)
            for (std::size_t i = 0; i < m_plan.ops.size(); ++i)
                visit(step, i, m_ops[next++]);
    }

    void hostEvent(const HostFragment& fragment, TimeNs begin, TimeNs end) {
        append(fragment.head);
        appendSpan(begin, end);
        append(",\n    \"args\": {\n      \"External id\": ");
        appendInteger(m_buffer, m_externalId + 1);
        append(fragment.arguments);
        appendInteger(m_buffer, m_externalId);
        append("\n    }\n  },\n");
        ++m_externalId;
        flushIfFull();
    }

    void writeHostEvents() {
        m_externalId = 0;
        forEachOp([this](std::size_t step, std::size_t i, const ExecutedOp& op) {
            const PlannedOp& planned = m_plan.ops[i];
            if (i == 0)
                hostEvent(m_fragments.marker(), m_steps[step].markerBegin, m_steps[step].markerEnd);
            if (inGraph(planned))
                return;
            const TimeNs begin = op.launch - op.hostLead;
            const auto length = static_cast<double>(op.hostLead) + op.hostTail;
            for (const HostFragment& fragment : m_fragments.host(planned.kernel)) {
                // What begins before the launch keeps its lead; a late launch lies inside the innermost op.
                const auto lead = static_cast<TimeNs>(
                    fragment.begin * static_cast<double>(m_plan.kernels[planned.kernel].hostNs));
                TimeNs end = begin + static_cast<TimeNs>(fragment.end * length);
                if (fragment.end < 0.4)
                    end = begin +
                          static_cast<TimeNs>(fragment.end *
                                              static_cast<double>(m_plan.kernels[planned.kernel].hostNs));
                else
                    end = std::max(end, op.launch + op.launchNs + 200);
                hostEvent(fragment, begin + lead, end);
            }
        });
    }

    void writeActivities() {
        append(m_fragments.overhead(time(-kCaptureLead / 8)));
        m_correlation = 16;
        m_externalId = 0;
        std::uint64_t graphCorrelation = 0;
        forEachOp([&](std::size_t step, std::size_t i, const ExecutedOp& op) {
            const PlannedOp& planned = m_plan.ops[i];
            if (i == 0) {
                ++m_externalId; // the marker
                if (m_text.graph) {
                    graphCorrelation = nextCorrelation();
                    graphLaunch(op, m_steps[step].markerEnd, graphCorrelation);
                }
            }
            if (inGraph(planned)) {
                activity(planned, op, graphCorrelation, 0);
            } else {
                const KernelFragment& fragment = m_fragments.kernel(planned.kernel);
                const std::uint64_t owner = m_externalId + fragment.launchOwner;
                m_externalId += fragment.hostEvents;
                if (m_plan.kernels[planned.kernel].elements > 0)
                    streamOrderCalls(op, owner);
                const std::uint64_t correlation = nextCorrelation();
                activity(planned, op, correlation, owner);
                launch(planned, op, correlation, owner);
            }
            if (i + 1 == m_plan.ops.size())
                synchronise(m_steps[step]);
            flushIfFull();
        });
    }

    std::uint64_t nextCorrelation() { return m_correlation += 1 + (m_correlation % 3); }

    void activity(const PlannedOp& planned, const ExecutedOp& op, std::uint64_t correlation,
                  std::uint64_t owner) {
        const KernelFragment& fragment = m_fragments.kernel(planned.kernel);
        const StreamFragment& stream = m_fragments.stream(planned.stream);
        append(fragment.head);
        append(stream.track);
        append("\n    \"ts\": ");
        appendSpan(op.begin, op.begin + op.duration);
        append(",\n    \"args\": {\n      ");
        if (owner > 0) {
            append("\"External id\": ");
            appendInteger(m_buffer, owner);
            append(",      ");
        }
        append(fragment.beforeStream);
        append(stream.argument);
        append("\"correlation\": ");
        appendInteger(m_buffer, correlation);
        append(owner > 0 ? fragment.afterCorrelation : fragment.afterCorrelationInGraph);
        append("\n    }\n  },\n");
        flowEnd(correlation, stream.track, time(op.begin));
    }

    void flowEnd(std::uint64_t correlation, std::string_view track, TimeNs at) {
        append("  {\n    \"ph\": \"f\", \"id\": ");
        appendInteger(m_buffer, correlation);
        append(track);
        append(" \"ts\": ");
        appendTime(m_buffer, at);
        append(",\n    \"cat\": \"ac2g\", \"name\": \"ac2g\", \"bp\": \"e\"\n  },\n");
    }

    void flowBegin(std::uint64_t correlation, TimeNs at) {
        append("  {\n    \"ph\": \"s\", \"id\": ");
        appendInteger(m_buffer, correlation);
        append(m_fragments.hostTrack());
        append(" \"ts\": ");
        appendTime(m_buffer, at);
        append(",\n    \"cat\": \"ac2g\", \"name\": \"ac2g\"\n  },\n");
    }

    void call(const LaunchCall& name, TimeNs begin, TimeNs end, std::uint64_t correlation,
              std::uint64_t owner) {
        append("  {\n    \"ph\": \"X\", \"cat\": \"");
        append(name.category);
        append("\", \"name\": \"");
        append(name.name);
        append("\"");
        append(m_fragments.hostTrack());
        append("\n    \"ts\": ");
        appendSpan(begin, end);
        append(",\n    \"args\": {\n      ");
        if (owner > 0) {
            append("\"External id\": ");
            appendInteger(m_buffer, owner);
            append(",      ");
        }
        append("\"cbid\": ");
        appendInteger(m_buffer, static_cast<std::uint64_t>(name.cbid));
        append(", \"correlation\": ");
        appendInteger(m_buffer, correlation);
        append("\n    }\n  },\n");
    }

    void launch(const PlannedOp& planned, const ExecutedOp& op, std::uint64_t correlation,
                std::uint64_t owner) {
        call(m_plan.kernels[planned.kernel].launch, op.launch, op.launch + op.launchNs, correlation, owner);
        flowBegin(correlation, time(op.launch));
    }

    void graphLaunch(const ExecutedOp& first, TimeNs markerEnd, std::uint64_t correlation) {
        call({"cuda_runtime", "cudaGraphLaunch", 311}, first.launch,
             std::max(first.launch + 1000, markerEnd - 3000), correlation, 0);
        flowBegin(correlation, time(first.launch));
    }

    /// NCCL's stream waits for the compute stream before the launch.
    void streamOrderCalls(const ExecutedOp& op, std::uint64_t owner) {
        std::uint64_t correlation = nextCorrelation();
        const TimeNs record = op.launch - 1800;
        call({"cuda_runtime", "cudaEventRecord", 135}, record, record + 700, correlation, owner);
        flowEnd(correlation, m_fragments.hostTrack(), time(record));
        correlation = nextCorrelation();
        const TimeNs wait = op.launch - 900;
        call({"cuda_runtime", "cudaStreamWaitEvent", 147}, wait, wait + 500, correlation, owner);
        flowBegin(correlation, time(wait));
    }

    void synchronise(const ExecutedStep& step) {
        const std::uint64_t correlation = nextCorrelation();
        call({"cuda_runtime", "cudaStreamSynchronize", 131}, step.syncBegin, step.syncEnd, correlation, 0);
        flowBegin(correlation, time(step.syncBegin));
    }

    void gpuAnnotation(std::string_view name, SyntheticStream stream, TimeNs begin, TimeNs end,
                       std::uint64_t id) {
        append("  {\n    \"ph\": \"X\", \"cat\": \"gpu_user_annotation\", \"name\": \"");
        append(name);
        append("\"");
        append(m_fragments.stream(stream).track);
        append("\n    \"ts\": ");
        // Kineto widens these so that they hold their kernels.
        appendTimes(m_buffer, time(begin) - 1, time(end) - time(begin) + 2);
        append(",\n    \"args\": {\n      \"External id\": ");
        appendInteger(m_buffer, id);
        append("\n    }\n  },\n");
        flushIfFull();
    }

    /// One annotation a step and stream, and one around each NCCL kernel.
    void writeGpuAnnotations() {
        m_externalId = 0;
        std::uint64_t markerId = 0;
        std::array<TimeNs, kSyntheticStreams> begins{};
        std::array<TimeNs, kSyntheticStreams> ends{};
        forEachOp([&](std::size_t, std::size_t i, const ExecutedOp& op) {
            const PlannedOp& planned = m_plan.ops[i];
            if (i == 0) {
                markerId = ++m_externalId;
                begins.fill(-1);
            }
            if (!inGraph(planned)) {
                const KernelFragment& fragment = m_fragments.kernel(planned.kernel);
                m_externalId += fragment.hostEvents;
                if (m_plan.kernels[planned.kernel].elements > 0)
                    gpuAnnotation("nccl:all_reduce", planned.stream, op.begin, op.begin + op.duration,
                                  m_externalId);
            }
            const auto stream = static_cast<std::size_t>(planned.stream);
            if (!planned.outside) {
                begins[stream] = begins[stream] < 0 ? op.begin : std::min(begins[stream], op.begin);
                ends[stream] = op.begin + op.duration;
            }
            if (i + 1 < m_plan.ops.size())
                return;
            for (std::size_t s = 0; s < kSyntheticStreams; ++s)
                if (begins[s] >= 0)
                    gpuAnnotation(m_plan.marker, static_cast<SyntheticStream>(s), begins[s], ends[s],
                                  markerId);
        });
    }

    const PlannedStep& m_plan;
    const std::vector<ExecutedOp>& m_ops;
    const std::vector<ExecutedStep>& m_steps;
    const RankTraceText& m_text;
    TraceFile& m_file;
    KinetoText m_fragments;
    fmt::memory_buffer m_buffer;
    std::uint64_t m_externalId = 0;
    std::uint64_t m_correlation = 0;
};

} // namespace

Result<std::uint64_t> writeKinetoTrace(const PlannedStep& plan, const SimulatedRun& run,
                                       const RankTraceText& text) {
    Result<TraceFile> file = TraceFile::create(text.path, text.gzip ? Compression::Gzip : Compression::None);
    if (!file)
        return make_unexpected(file.error());
    KinetoWriter(plan, run, text, *file).write();
    const std::uint64_t bytes = file->textBytes();
    if (Result<void> finished = file->finish(); !finished)
        return make_unexpected(finished.error());
    return bytes;
}

} // namespace lockstep
