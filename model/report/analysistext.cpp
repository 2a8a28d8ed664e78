#include "model/report/analysisjson.h"
#include "model/run/robust.h"

#include <algorithm>

#include <fmt/format.h>

namespace lockstep {

namespace {

double milliseconds(TimeNs time) {
    return static_cast<double>(time) / 1e6;
}
double microseconds(TimeNs time) {
    return static_cast<double>(time) / 1e3;
}

/// Kernel names may be kilobytes of template arguments.
std::string shortened(std::string_view name) {
    constexpr std::size_t kLongest = 64;
    return name.size() <= kLongest ? std::string(name) : std::string(name.substr(0, kLongest - 1)) + "…";
}

bool holds(const AnalysisSelection& selection, std::size_t rank) {
    return !selection.rank || *selection.rank == rank;
}

std::string runLines(const RunAnalysis& analysis, const AnalysisSelection& selection) {
    const Run& run = *analysis.run;
    std::string text = fmt::format("{}: {} rank{} of {}\n", run.name, run.ranks.size(),
                                   run.ranks.size() == 1 ? "" : "s", run.worldSize);
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank)
        if (holds(selection, rank))
            text += fmt::format(
                "  rank {:<3} {:>9} events, {:>8} GPU activities, {:.3f} ms{}{}\n", run.ranks[rank].rank,
                run.ranks[rank].report.events, analysis.steps.ranks[rank].events.size(),
                milliseconds(run.ranks[rank].span().length()),
                run.ranks[rank].deviceName().empty() ? "" : ", " + run.ranks[rank].deviceName(),
                run.ranks[rank].report.truncated ? ", cut off" : "");
    return text;
}

std::string alignmentLines(const RunAnalysis& analysis) {
    const ClockAlignment& alignment = analysis.alignment;
    if (alignment.method == AlignmentMethod::None)
        return "clocks: one rank, nothing to align\n";
    std::string text =
        fmt::format("clocks: by {}{}", nameOf(alignment.method), alignment.uncertain ? " (uncertain)" : "");
    if (alignment.method == AlignmentMethod::Collectives)
        text += fmt::format(
            ", {} collectives, residual {:.0f} ns (p50), {:.0f} ns (p99), {} causality violations",
            alignment.matchedCollectives, alignment.residualP50Ns, alignment.residualP99Ns,
            alignment.causalityViolations);
    text += '\n';
    for (std::size_t rank = 0; rank < alignment.ranks.size(); ++rank)
        if (rank != alignment.reference)
            text += fmt::format("  rank {:<3} {:+.0f} ns, {:+.2f} ppm\n", analysis.run->ranks[rank].rank,
                                alignment.ranks[rank].offsetNs, alignment.ranks[rank].driftPpm);
    return text;
}

std::string stepLines(const RunAnalysis& analysis, const AnalysisSelection& selection) {
    const StepTable& table = analysis.steps;
    std::vector<std::uint32_t> typical = table.typicalSteps();
    std::erase_if(typical, [&](std::uint32_t step) {
        return !selection.holdsStep(step);
    });
    std::string text = fmt::format("steps: {} by {}, {} typical\n", table.steps.size(), nameOf(table.source),
                                   typical.size());
    for (std::size_t rank = 0; rank < analysis.run->ranks.size(); ++rank) {
        std::vector<double> walls;
        std::vector<double> periods;
        std::vector<double> busy;
        std::vector<double> exposed;
        std::uint32_t layers = 0;
        for (const std::uint32_t step : typical) {
            const RankStep& part = table.steps[step].ranks[rank];
            if (!part.present)
                continue;
            walls.push_back(milliseconds(part.wallNs()));
            busy.push_back(milliseconds(part.busyNs));
            exposed.push_back(milliseconds(part.exposedCommunicationNs));
            if (part.periodNs)
                periods.push_back(milliseconds(*part.periodNs));
            layers = std::max(layers, part.layers);
        }
        if (!walls.empty() && holds(selection, rank))
            text += fmt::format(
                "  rank {:<3} median wall {:.3f} ms, period {:.3f} ms, busy {:.3f} ms, exposed communication "
                "{:.3f} ms, {} layers\n",
                analysis.run->ranks[rank].rank, medianOf(walls), medianOf(periods), medianOf(busy),
                medianOf(exposed), layers);
    }
    std::size_t shown = 0;
    for (std::size_t step = 0; step < table.steps.size(); ++step) {
        if (table.steps[step].remark.empty() || !selection.holdsStep(step))
            continue;
        if (++shown > 5) {
            text += "  … and more steps with remarks\n";
            break;
        }
        text += fmt::format("  step {}: {}\n", step, table.steps[step].remark);
    }
    return text;
}

std::string collectiveLines(const RunAnalysis& analysis, const AnalysisSelection& selection) {
    const CollectiveTable& table = analysis.collectives;
    std::size_t unmatched = 0;
    for (const auto& rank : table.unmatched)
        unmatched += rank.size();
    std::string text =
        fmt::format("collectives: {} matched, {} calls unmatched\n", table.matched.size(), unmatched);
    for (std::size_t group = 0; group < table.groups.size(); ++group) {
        const GroupStalls& sums = analysis.stalls.groups[group];
        if (sums.count == 0)
            continue;
        TimeNs wait = 0;
        TimeNs transfer = 0;
        for (std::size_t rank = 0; rank < sums.waitNs.size(); ++rank) {
            wait += holds(selection, rank) ? sums.waitNs[rank] : 0;
            transfer += holds(selection, rank) ? sums.transferNs[rank] : 0;
        }
        text += fmt::format(
            "  {} × {} ({}{}): p50 {:.1f} µs, p99 {:.1f} µs, wait {:.3f} ms, transfer {:.3f} ms: {}\n",
            sums.count, nameOf(table.groups[group].kind), nameOf(table.groups[group].backend),
            table.groups[group].bytes >= 0 ? fmt::format(", {} bytes", table.groups[group].bytes) : "",
            microseconds(sums.p50Ns), microseconds(sums.p99Ns), milliseconds(wait), milliseconds(transfer),
            nameOf(sums.classification));
    }
    return text;
}

std::string stallLines(const RunAnalysis& analysis, const AnalysisSelection& selection) {
    const StallTable& table = analysis.stalls;
    const Run& run = *analysis.run;
    if (table.stalls.empty())
        return {};
    std::string text = "stalls:\n";
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
        if (!holds(selection, rank))
            continue;
        const RankStalls& sums = table.ranks[rank];
        text +=
            fmt::format("  rank {:<3} waited {:.3f} ms{}, made others wait {:.3f} ms, came last {} times\n",
                        run.ranks[rank].rank, milliseconds(sums.waitedNs),
                        sums.headTransientNs > 0 ? fmt::format(" ({:.3f} ms of it a head transient)",
                                                               milliseconds(sums.headTransientNs))
                                                 : std::string(),
                        milliseconds(sums.causedNs), sums.lastArrivals);
    }
    text += "worst:\n";
    constexpr std::size_t kShown = 10;
    for (std::size_t k = 0; k < std::min(kShown, table.worst.size()); ++k) {
        const std::uint32_t index = table.worst[k];
        const Stall& stall = table.stalls[index];
        const Collective& collective = analysis.collectives.matched[index];
        const StallCause cause =
            causeOf(run, analysis.steps, analysis.collectives, analysis.alignment, table, index);
        text += fmt::format(
            "  {}{} collective {} ({}): rank {} last by {:.1f} µs: {}{}\n",
            collective.step == RankActivities::kNone ? std::string("outside steps,")
                                                     : fmt::format("step {},", collective.step),
            collective.layer == RankActivities::kNoLayer ? std::string()
                                                         : fmt::format(" layer {},", collective.layer),
            collective.ordinal, nameOf(analysis.collectives.groups[collective.group].kind),
            run.ranks[stall.straggler].rank, microseconds(stall.skewNs),
            stall.headTransient ? "head transient" : nameOf(cause.kind),
            cause.name.empty()
                ? std::string()
                : fmt::format(", {} (+{:.1f} µs)", shortened(cause.name), microseconds(cause.excessNs)));
    }
    return text;
}

} // namespace

std::string analysisText(const RunAnalysis& analysis, const AnalysisSelection& selection) {
    std::string text = runLines(analysis, selection) + alignmentLines(analysis) +
                       stepLines(analysis, selection) + collectiveLines(analysis, selection) +
                       stallLines(analysis, selection);
    for (const auto* notes : {&analysis.run->notes, &analysis.steps.notes, &analysis.collectives.notes,
                              &analysis.alignment.notes, &analysis.stalls.notes})
        for (const std::string& note : *notes)
            text += fmt::format("note: {}\n", note);
    return text;
}

} // namespace lockstep
