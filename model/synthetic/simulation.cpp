#include "model/synthetic/simulation.h"

#include "model/synthetic/noise.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep {

namespace {

constexpr TimeNs kLaunchToBegin = 4200;  ///< an idle GPU begins a kernel so long after its launch call began
constexpr TimeNs kGraphOpNs = 30;        ///< host time a kernel of a graph adds to its launch
constexpr double kKernelSpread = 0.015;  ///< of a kernel's duration, uniform
constexpr double kKernelSpreadNs = 1500; ///< and at most this
constexpr double kLatenessNs = 1200;     ///< mean lateness of a rank at a collective
constexpr double kCollectiveSpread = 0.02;
constexpr TimeNs kLeaveSpread = 200;      ///< ranks leave a collective within ± this
constexpr double kStartSpreadNs = 1500;   ///< mean lateness of a rank's host at a step's begin
constexpr TimeNs kMarkerToOps = 9000;     ///< host work between the marker and the first op
constexpr double kOrdinaryWaitNs = 15000; ///< waits beyond this are injected, not part of the calibration

/// Coordinates of the noise: what a number is drawn for.
enum Draw : std::uint64_t { DrawKernel = 1, DrawLateness, DrawCollective, DrawLeave, DrawStart };

/// State of one rank while it runs.
struct RankState {
    TimeNs host = 0;
    std::array<TimeNs, kSyntheticStreams> streamEnd{};
    std::vector<TimeNs> begin; ///< of the step's ops so far
    std::vector<TimeNs> end;
};

class Simulation {
public:
    Simulation(const PlannedStep& plan, const SimulationOptions& options, TimeNs hostGap, bool noisy)
        : m_plan(plan)
        , m_options(options)
        , m_hostGap(hostGap)
        , m_noisy(noisy)
        , m_noise(options.seed)
        , m_ranks(static_cast<std::size_t>(options.ranks))
        , m_arrivals(m_ranks.size()) {
        m_run.ops.resize(m_ranks.size());
        m_run.steps.resize(m_ranks.size());
        m_run.waitedNs.resize(m_ranks.size());
        m_run.causedNs.resize(m_ranks.size());
        for (std::size_t r = 0; r < m_ranks.size(); ++r) {
            m_ranks[r].begin.resize(plan.ops.size());
            m_ranks[r].end.resize(plan.ops.size());
            m_run.ops[r].reserve(plan.ops.size() * static_cast<std::size_t>(options.steps));
            m_run.steps[r].reserve(static_cast<std::size_t>(options.steps));
        }
        layCollectiveTargets();
    }

    SimulatedRun run() {
        for (m_step = 0; m_step < static_cast<std::size_t>(m_options.steps); ++m_step)
            runStep();
        return std::move(m_run);
    }

private:
    [[nodiscard]] std::uint64_t key(std::size_t op) const { return m_step * m_plan.ops.size() + op; }

    /// Mean durations of the layers' collectives vary by ±2 % around the planned ones without changing their
    /// sum: what an odd layer's gets, the same one of the next layer gives.
    void layCollectiveTargets() {
        m_targets.resize(m_plan.ops.size());
        std::vector<double> given;
        std::size_t taken = 0;
        std::size_t lastInLayer = m_plan.ops.size();
        for (std::size_t i = 0; i < m_plan.ops.size(); ++i) {
            const PlannedOp& op = m_plan.ops[i];
            m_targets[i] = op.durationNs;
            if (!op.collective || op.layer == PlannedOp::kNoLayer || !m_noisy)
                continue;
            if (op.layer % 2 == 1) {
                given.push_back(op.durationNs * kCollectiveSpread * m_noise.symmetric(DrawCollective, i));
                m_targets[i] += given.back();
            } else if (taken < given.size()) {
                m_targets[i] -= given[taken++];
            }
            lastInLayer = i;
        }
        for (; taken < given.size(); ++taken)
            m_targets[lastInLayer] -= given[taken];
    }

    void runStep() {
        TimeNs scheduled = 0;
        for (std::size_t r = 0; r < m_ranks.size(); ++r)
            scheduled = std::max(scheduled, m_ranks[r].host);
        scheduled += m_hostGap;
        for (std::size_t r = 0; r < m_ranks.size(); ++r) {
            ExecutedStep step;
            const double late = m_noisy ? kStartSpreadNs * m_noise.exponential(DrawStart, m_step, r) : 0;
            step.markerBegin = scheduled + std::llround(late);
            m_ranks[r].host = step.markerBegin + kMarkerToOps;
            m_run.steps[r].push_back(step);
        }
        for (std::size_t i = 0; i < m_plan.ops.size(); ++i) {
            if (m_plan.ops[i].outside && !m_plan.ops[i - 1].outside)
                closeMarkers();
            for (std::size_t r = 0; r < m_ranks.size(); ++r)
                begin(i, r);
            if (m_plan.ops[i].collective)
                leave(i);
        }
        for (std::size_t r = 0; r < m_ranks.size(); ++r) {
            ExecutedStep& step = m_run.steps[r].back();
            step.syncBegin = m_ranks[r].host + 1500;
            step.syncEnd = std::max(step.syncBegin + 2000, m_ranks[r].end.back() + 6000);
            m_ranks[r].host = step.syncEnd;
        }
    }

    void closeMarkers() {
        for (std::size_t r = 0; r < m_ranks.size(); ++r) {
            m_ranks[r].host += 2000;
            m_run.steps[r].back().markerEnd = m_ranks[r].host;
            m_ranks[r].host += 3000;
        }
    }

    [[nodiscard]] const InjectedStall* stallOf(const PlannedOp& op, std::size_t rank) const {
        if (!op.stallPoint)
            return nullptr;
        for (const InjectedStall& stall : m_options.stalls)
            if (stall.step == static_cast<int>(m_step) && stall.layer == op.layer &&
                stall.rank == static_cast<int>(rank))
                return &stall;
        return nullptr;
    }

    /// Launches op `i` on rank `r` and finds when it begins; its end too, unless it is a collective.
    void begin(std::size_t i, std::size_t r) {
        const PlannedOp& op = m_plan.ops[i];
        const SyntheticKernel& kernel = m_plan.kernels[op.kernel];
        RankState& rank = m_ranks[r];
        const bool inGraph = m_options.graph && !op.outside;
        const TimeNs hostNs = inGraph ? kGraphOpNs : kernel.hostNs;
        ExecutedOp executed;
        const TimeNs hostBegin = rank.host;
        executed.launch = hostBegin + hostNs * 45 / 100;
        executed.launchNs = static_cast<std::int32_t>(hostNs * 40 / 100);

        TimeNs ready = rank.streamEnd[static_cast<std::size_t>(op.stream)];
        if (op.afterEnd >= 0)
            ready = std::max(ready, rank.end[static_cast<std::size_t>(op.afterEnd)]);
        if (op.afterBegin >= 0)
            ready = std::max(ready, rank.begin[static_cast<std::size_t>(op.afterBegin)]);
        ready += op.latencyNs;
        TimeNs begin = std::max(ready, executed.launch + kLaunchToBegin);
        if (op.collective && m_noisy)
            begin += std::llround(kLatenessNs * m_noise.exponential(DrawLateness, key(i), r));

        double duration = op.durationNs;
        if (m_noisy)
            duration += std::min(kKernelSpread * duration, kKernelSpreadNs) *
                        m_noise.symmetric(DrawKernel, key(i), r);
        if (const InjectedStall* stall = stallOf(op, r)) {
            if (stall->cause == SyntheticCause::Kernel || inGraph) {
                duration += static_cast<double>(stall->delayNs);
            } else {
                begin += stall->delayNs;
                executed.launch = begin - kLaunchToBegin;
            }
        }
        executed.hostLead = static_cast<std::int32_t>(executed.launch - hostBegin);
        executed.hostTail = static_cast<std::int32_t>(hostNs * 53 / 100);
        rank.host = executed.launch + hostNs * 55 / 100;

        executed.begin = begin;
        rank.begin[i] = begin;
        if (!op.collective) {
            executed.duration = static_cast<std::int32_t>(std::llround(duration));
            rank.end[i] = begin + executed.duration;
            rank.streamEnd[static_cast<std::size_t>(op.stream)] = rank.end[i];
        }
        m_run.ops[r].push_back(executed);
    }

    /// Lets all ranks leave collective `i`: when the last has arrived and the data have moved.
    void leave(std::size_t i) {
        const PlannedOp& op = m_plan.ops[i];
        std::size_t straggler = 0;
        TimeNs first = m_ranks[0].begin[i];
        for (std::size_t r = 0; r < m_ranks.size(); ++r) {
            m_arrivals[r] = m_ranks[r].begin[i];
            first = std::min(first, m_arrivals[r]);
            if (m_arrivals[r] > m_arrivals[straggler])
                straggler = r;
        }
        const TimeNs last = m_arrivals[straggler];
        double ordinaryWait = 0;
        TimeNs allWaits = 0;
        for (std::size_t r = 0; r < m_ranks.size(); ++r) {
            const TimeNs wait = last - m_arrivals[r];
            allWaits += wait;
            ordinaryWait += std::min(static_cast<double>(wait), kOrdinaryWaitNs);
            m_run.waitedNs[r] += wait;
        }
        m_run.causedNs[straggler] += allWaits;
        ordinaryWait /= static_cast<double>(m_ranks.size());
        if (static_cast<double>(last - first) > kOrdinaryWaitNs)
            ordinaryWait = m_noisy ? 2 * kLatenessNs : 0; // what lateness alone costs on average
        const double transfer = std::max(m_targets[i] - ordinaryWait, m_targets[i] / 4);
        for (std::size_t r = 0; r < m_ranks.size(); ++r) {
            TimeNs end = last + std::llround(transfer);
            if (m_noisy)
                end +=
                    std::llround(static_cast<double>(kLeaveSpread) * m_noise.symmetric(DrawLeave, key(i), r));
            m_run.ops[r].back().duration = static_cast<std::int32_t>(end - m_arrivals[r]);
            m_ranks[r].end[i] = end;
            m_ranks[r].streamEnd[static_cast<std::size_t>(op.stream)] = end;
        }
        recordStalls(i, straggler, last - first, allWaits);
        ++m_run.collectives;
    }

    /// Notes the injected stalls that lie between the collective before and this one.
    void recordStalls(std::size_t collective, std::size_t straggler, TimeNs skew, TimeNs caused) {
        for (std::size_t i = collective; i-- > 0 && !m_plan.ops[i].collective;) {
            const PlannedOp& op = m_plan.ops[i];
            for (std::size_t r = 0; op.stallPoint && r < m_ranks.size(); ++r) {
                const InjectedStall* stall = stallOf(op, r);
                if (stall == nullptr)
                    continue;
                const SyntheticKernel& kernel = m_plan.kernels[op.kernel];
                const bool kernelCause = stall->cause == SyntheticCause::Kernel || m_options.graph;
                StallOutcome outcome{*stall,
                                     m_run.collectives,
                                     static_cast<int>(straggler),
                                     skew,
                                     caused,
                                     kernelCause ? kernel.name : kernel.host.front().name,
                                     kernel.launch.name};
                outcome.injected.cause = kernelCause ? SyntheticCause::Kernel : SyntheticCause::Host;
                m_run.stalls.push_back(std::move(outcome));
            }
        }
    }

    const PlannedStep& m_plan;
    const SimulationOptions& m_options;
    TimeNs m_hostGap;
    bool m_noisy;
    Noise m_noise;
    std::vector<RankState> m_ranks;
    std::vector<TimeNs> m_arrivals;
    std::vector<double> m_targets; ///< like PlannedStep::ops
    std::size_t m_step = 0;
    SimulatedRun m_run;
};

} // namespace

TimeNs hostGapOf(const PlannedStep& plan, bool graph) {
    SimulationOptions quiet;
    quiet.ranks = 1;
    quiet.steps = 3;
    quiet.graph = graph;
    const SimulatedRun run = Simulation(plan, quiet, 0, false).run();
    const TimeNs period = run.ops[0][2 * plan.ops.size()].begin - run.ops[0][plan.ops.size()].begin;
    // Ranks that arrive late, and a start that is late on the slowest rank, lengthen a real step.
    std::size_t collectives = 0;
    for (const PlannedOp& op : plan.ops)
        collectives += op.collective ? 1 : 0;
    const double lateness = static_cast<double>(collectives) * kLatenessNs + 4 * kStartSpreadNs;
    return plan.periodNs - period - std::llround(lateness);
}

SimulatedRun simulate(const PlannedStep& plan, const SimulationOptions& options) {
    const TimeNs gap = std::max<TimeNs>(hostGapOf(plan, options.graph), 2000);
    return Simulation(plan, options, gap, true).run();
}

} // namespace lockstep
