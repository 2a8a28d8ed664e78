#include "model/run/stepquality.h"

#include "model/run/robust.h"
#include "model/run/run.h"
#include "model/run/steps.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace lockstep {

namespace {

/// A step is an outlier beyond both: half more than the median, and eight median deviations.
constexpr double kShareAbove = 0.5;
constexpr double kDeviations = 8;

void remark(Step& step, const std::string& text) {
    step.remark += step.remark.empty() ? text : "; " + text;
}

double slowestWall(const Step& step) {
    TimeNs slowest = 0;
    for (const RankStep& rank : step.ranks)
        if (rank.present)
            slowest = std::max(slowest, rank.wallNs());
    return static_cast<double>(slowest);
}

double longestPeriod(const Step& step) {
    TimeNs longest = 0;
    for (const RankStep& rank : step.ranks)
        if (rank.present && rank.periodNs)
            longest = std::max(longest, *rank.periodNs);
    return static_cast<double>(longest);
}

double mostKernels(const Step& step) {
    std::uint32_t most = 0;
    for (const RankStep& rank : step.ranks)
        most = std::max(most, rank.present ? rank.kernels : 0u);
    return most;
}

/// Steps of one kind, and one figure of each.
template <class Figure>
void markFar(StepTable& table, const std::vector<std::size_t>& alike, std::string_view what,
             Figure&& figure) {
    std::vector<double> values;
    for (const std::size_t step : alike)
        if (const double value = figure(table.steps[step]); value > 0)
            values.push_back(value);
    if (values.size() < 4)
        return;
    std::vector<double> sorted = values;
    const double median = medianOf(sorted);
    const double deviation = deviationOf(values, median);
    for (const std::size_t step : alike) {
        const double value = figure(table.steps[step]);
        if (value <= median * (1 + kShareAbove) || value <= median + kDeviations * deviation)
            continue;
        table.steps[step].outlier = true;
        remark(table.steps[step],
               fmt::format("{} {:.2f} ms, {:.1f} times the median", what, value / 1e6, value / median));
    }
}

/// The first and last step of each rank may lack what the capture did not see.
void markCut(const Run& run, StepTable& table, const std::vector<std::size_t>& alike) {
    std::vector<double> counts;
    for (const std::size_t step : alike)
        counts.push_back(mostKernels(table.steps[step]));
    if (counts.size() < 3)
        return;
    const double median = medianOf(counts);
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
        const auto has = [&](const Step& step) {
            return step.ranks[rank].present;
        };
        const auto first = std::find_if(table.steps.begin(), table.steps.end(), has);
        const auto last = std::find_if(table.steps.rbegin(), table.steps.rend(), has);
        if (first == table.steps.end())
            continue;
        for (const std::size_t step : {static_cast<std::size_t>(first - table.steps.begin()),
                                       static_cast<std::size_t>(table.steps.rend() - last) - 1}) {
            Step& at = table.steps[step];
            if (at.cut || std::find(alike.begin(), alike.end(), step) == alike.end() ||
                at.ranks[rank].kernels >= median * 0.9)
                continue;
            at.cut = true;
            remark(at, fmt::format("the capture of rank {} holds only {} of about {:.0f} kernels",
                                   run.ranks[rank].rank, at.ranks[rank].kernels, median));
        }
    }
}

void markMissing(const Run& run, StepTable& table) {
    std::size_t partial = 0;
    for (Step& step : table.steps) {
        std::string missing;
        for (std::size_t rank = 0; rank < step.ranks.size(); ++rank)
            if (!step.ranks[rank].present && !table.ranks[rank].events.empty())
                missing += fmt::format("{}{}", missing.empty() ? "" : ", ", run.ranks[rank].rank);
        if (missing.empty())
            continue;
        ++partial;
        remark(step, "not on rank " + missing);
    }
    if (partial > 0)
        table.notes.push_back(
            fmt::format("{} of {} steps are not on all ranks.", partial, table.steps.size()));
}

} // namespace

void judgeSteps(const Run& run, StepTable& table) {
    std::map<StepKind, std::vector<std::size_t>> byKind;
    for (std::size_t step = 0; step < table.steps.size(); ++step)
        byKind[table.steps[step].kind].push_back(step);
    for (const auto& [kind, alike] : byKind) {
        markFar(table, alike, "wall time", slowestWall);
        markCut(run, table, alike);
    }
    // A long period without a long wall time is a pause between steps: its step itself is sound, but what a
    // user feels is not.
    for (const auto& [kind, alike] : byKind) {
        std::vector<std::size_t> sound;
        for (const std::size_t step : alike)
            if (!table.steps[step].outlier)
                sound.push_back(step);
        markFar(table, sound, "period", longestPeriod);
    }
    markMissing(run, table);
    if (table.source == StepSource::None)
        table.notes.emplace_back(
            "No steps were found: no known marker, no graph launch of whole steps, no period in "
            "the kernels.");
}

} // namespace lockstep
