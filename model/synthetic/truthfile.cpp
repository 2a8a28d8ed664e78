#include "model/synthetic/truthfile.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>

namespace lockstep {

namespace {

using nlohmann::ordered_json;

/// Mean over steps and ranks of the durations of each group inside the markers.
ordered_json groupTable(const PlannedStep& plan, const SimulatedRun& run, std::size_t steps) {
    std::array<double, kSyntheticGroups> sums{};
    std::array<std::size_t, kSyntheticGroups> calls{};
    for (const std::vector<ExecutedOp>& ops : run.ops) {
        for (std::size_t i = 0; i < ops.size(); ++i) {
            const PlannedOp& planned = plan.ops[i % plan.ops.size()];
            if (planned.outside)
                continue;
            const auto group = static_cast<std::size_t>(plan.kernels[planned.kernel].group);
            sums[group] += ops[i].duration;
            ++calls[group];
        }
    }
    const auto divisor = static_cast<double>(steps * run.ops.size());
    double total = 0;
    for (const double sum : sums)
        total += sum;
    ordered_json rows = ordered_json::array();
    for (std::size_t g = 0; g < kSyntheticGroups; ++g)
        if (calls[g] > 0)
            rows.push_back({{"group", nameOf(static_cast<SyntheticGroup>(g))},
                            {"per_step_ms", sums[g] / divisor / 1e6},
                            {"percent", 100 * sums[g] / total},
                            {"calls_per_step", static_cast<double>(calls[g]) / divisor}});
    return {{"attribution", "sum"}, {"total_per_step_ms", total / divisor / 1e6}, {"rows", rows}};
}

/// Mean distance of first activities of neighbouring steps, in milliseconds; 0 with one step.
double periodMs(const PlannedStep& plan, const SimulatedRun& run, std::size_t steps) {
    if (steps < 2)
        return 0;
    const std::vector<ExecutedOp>& ops = run.ops.front();
    const TimeNs span = ops[(steps - 1) * plan.ops.size()].begin - ops.front().begin;
    return static_cast<double>(span) / static_cast<double>(steps - 1) / 1e6;
}

ordered_json clockTable(const SimulatedRun& run, std::span<const SyntheticClock> clocks) {
    const TimeNs mid = (run.ops.front().front().begin + run.ops.front().back().begin) / 2;
    ordered_json rows = ordered_json::array();
    for (std::size_t r = 0; r < clocks.size(); ++r)
        rows.push_back({{"rank", r},
                        {"offset_ns", clocks[0].read(mid) - clocks[r].read(mid)},
                        {"drift_ppm", clocks[0].driftPpm - clocks[r].driftPpm}});
    return {{"note", "add offset_ns to the rank's clock to get rank 0's, at the run's middle"},
            {"ranks", rows}};
}

ordered_json stallTable(const SimulatedRun& run) {
    ordered_json rows = ordered_json::array();
    for (const StallOutcome& stall : run.stalls)
        rows.push_back({{"step", stall.injected.step},
                        {"layer", stall.injected.layer},
                        {"rank", stall.injected.rank},
                        {"delay_ns", stall.injected.delayNs},
                        {"ordinal", stall.ordinal},
                        {"straggler", stall.straggler},
                        {"skew_ns", stall.skewNs},
                        {"caused_ns", stall.causedNs},
                        {"cause",
                         {{"kind", stall.injected.cause == SyntheticCause::Kernel ? "kernel" : "host"},
                          {"name", stall.name},
                          {"launch_call", stall.launchCall}}}});
    return rows;
}

} // namespace

std::string truthJson(const PlannedStep& plan, const SimulatedRun& run, const SimulationOptions& options,
                      std::span<const SyntheticClock> clocks) {
    const auto steps = static_cast<std::size_t>(options.steps);
    const ordered_json document{
        {"schema", "lockstep.synthetic/1"},
        {"note", "synthetic: computed by lockstep-cli synth, not measured on any machine"},
        {"preset", plan.preset},
        {"model", plan.model},
        {"engine", plan.engine},
        {"device", plan.device},
        {"seed", options.seed},
        {"ranks", options.ranks},
        {"steps", options.steps},
        {"layers", plan.layers},
        {"graph", options.graph},
        {"period_ms", periodMs(plan, run, steps)},
        {"collectives", run.collectives},
        {"collectives_per_step", run.collectives / static_cast<std::uint32_t>(options.steps)},
        {"clocks", clockTable(run, clocks)},
        {"waited_ns", run.waitedNs},
        {"caused_ns", run.causedNs},
        {"stalls", stallTable(run)},
        {"breakdown", groupTable(plan, run, steps)},
    };
    return document.dump(2) + "\n";
}

} // namespace lockstep
