#include "model/report/reportfindings.h"

#include "model/analysis/timetext.h"
#include "model/report/tables.h"
#include "model/run/robust.h"

#include <algorithm>
#include <fmt/format.h>

namespace lockstep {

namespace {

double share(double part, double whole) {
    return whole > 0 ? 100 * part / whole : 0;
}

std::string shortened(std::string_view name) {
    constexpr std::size_t kLongest = 80;
    return name.size() <= kLongest ? std::string(name) : std::string(name.substr(0, kLongest - 3)) + "...";
}

void addStep(const ReportSubject& subject, std::vector<std::string>& findings) {
    const Breakdown& wall = subject.wall;
    if (wall.cells == 0) {
        findings.emplace_back("No step was found, so nothing can be said a step.");
        return;
    }
    const double wallNs = wall.perStep(wall.wallNs);
    findings.push_back(fmt::format(
        "A step takes {} ms on the GPU{}; the GPU is busy {:.1f} % of it and idle {:.1f} %; {} ms ({:.1f} %) "
        "is communication that no compute hides.",
        asMs(wallNs),
        wall.periodNs ? fmt::format(", {} ms from its begin to the next one's", asMs(*wall.periodNs)) : "",
        share(wall.perStep(wall.busyNs), wallNs), share(wall.perStep(wall.idleNs), wallNs),
        asMs(wall.perStep(wall.exposedCommunicationNs)),
        share(wall.perStep(wall.exposedCommunicationNs), wallNs)));
}

void addLargest(const ReportSubject& subject, std::vector<std::string>& findings) {
    const Breakdown& sum = subject.sum;
    const auto largest =
        std::max_element(sum.groups.begin(), sum.groups.end(), [](const auto& a, const auto& b) {
            return a.totalNs < b.totalNs;
        });
    if (largest == sum.groups.end() || largest->totalNs == 0)
        return;
    findings.push_back(fmt::format("Most GPU time goes to {}: {} ms a step, {:.1f} % of the durations added "
                                   "up ({} ms a step).",
                                   largest->label, asMs(sum.perStep(largest->totalNs)), sum.percent(*largest),
                                   asMs(sum.perStep(sum.totalNs))));
}

void addWaiting(const ReportSubject& subject, std::vector<std::string>& findings) {
    for (const BreakdownRow& row : subject.sum.groups) {
        if (row.category == BreakdownRow::kIdle || subject.rules.set.groups[row.category].id != "allreduce" ||
            !row.waitNs || !row.transferNs)
            continue;
        const double wait = subject.sum.perStep(*row.waitNs);
        const double transfer = subject.sum.perStep(*row.transferNs);
        const double percent = share(wait, wait + transfer);
        const char* verdict = percent > 200.0 / 3   ? "late ranks hold it back, not the links"
                              : percent < 100.0 / 3 ? "the transfer itself is what it costs, not late ranks"
                                                    : "both late ranks and the transfer count";
        findings.push_back(fmt::format("Of the time in all-reduces, {:.1f} % is waiting for the last rank "
                                       "({} ms a step) and {:.1f} % is "
                                       "moving data ({} ms): {}.",
                                       percent, asMs(wait), 100 - percent, asMs(transfer), verdict));
    }
}

void addStraggler(const ReportSubject& subject, std::vector<std::string>& findings) {
    const RunAnalysis& analysis = *subject.analysis;
    // What only shows that profilers started at different moments is no lateness.
    std::vector<TimeNs> caused(analysis.run->ranks.size());
    std::vector<std::size_t> last(caused.size());
    std::size_t counted = 0;
    TimeNs all = 0;
    for (std::size_t i = 0; i < analysis.stalls.stalls.size(); ++i) {
        const Stall& stall = analysis.stalls.stalls[i];
        if (stall.headTransient || (subject.step && analysis.collectives.matched[i].step != *subject.step))
            continue;
        ++counted;
        ++last[stall.straggler];
        for (std::size_t rank = 0; rank < caused.size(); ++rank)
            if (rank != stall.straggler)
                caused[stall.straggler] += analysis.stalls.waitOf(i, rank).waitNs;
    }
    for (const TimeNs of : caused)
        all += of;
    if (all == 0)
        return;
    const auto worst =
        static_cast<std::size_t>(std::max_element(caused.begin(), caused.end()) - caused.begin());
    findings.push_back(fmt::format("Rank {} is the one most waited for: {} ms in all, {:.0f} % of all "
                                   "waiting in {}, head transients left "
                                   "out; it came last in {} of {} matched collectives.",
                                   analysis.run->ranks[worst].rank, asMs(static_cast<double>(caused[worst])),
                                   share(static_cast<double>(caused[worst]), static_cast<double>(all)),
                                   subject.step ? "this step" : "the whole capture", last[worst], counted));
    int told = 0;
    for (const std::uint32_t index : analysis.stalls.worst) {
        const Stall& stall = analysis.stalls.stalls[index];
        const Collective& collective = analysis.collectives.matched[index];
        if (stall.headTransient || (subject.step && collective.step != *subject.step))
            continue;
        if (told++ == 3 || stall.skewNs <= static_cast<TimeNs>(analysis.alignment.residualP99Ns))
            break;
        const StallCause cause = causeOf(*analysis.run, analysis.steps, analysis.collectives,
                                         analysis.alignment, analysis.stalls, index);
        std::string why = "the cause is unknown";
        if (cause.kind != CauseKind::Unknown)
            why = fmt::format("{} ({}, {} more than on the other ranks)", shortened(cause.name),
                              nameOf(cause.kind), timeText(static_cast<double>(cause.excessNs)));
        findings.push_back(fmt::format(
            "{}: rank {} arrived {} behind the first{}{}: {}.", told == 1 ? "The largest stall" : "Next",
            analysis.run->ranks[stall.straggler].rank, timeText(static_cast<double>(stall.skewNs)),
            collective.step == RankActivities::kNone ? " outside all steps"
                                                     : fmt::format(" in step {}", collective.step),
            collective.layer == RankActivities::kNoLayer ? "" : fmt::format(", layer {}", collective.layer),
            why));
    }
}

/// "save between 0.6 and 3.5 ms", "cost between …", "change a step by anything from a loss of … to a gain of
/// …".
std::string effectText(double lowMs, double highMs) {
    constexpr double kSame = 0.0005;
    const auto between = [&](double a, double b) {
        return b - a < kSame ? fmt::format("{:.3f} ms", a)
                             : fmt::format("between {:.3f} and {:.3f} ms", a, b);
    };
    if (highMs <= 0)
        return "not help: it would cost " + between(-highMs, -lowMs);
    if (lowMs >= 0)
        return "save " + between(lowMs, highMs);
    return fmt::format("do anything from a loss of {:.3f} ms to a gain of {:.3f} ms", -lowMs, highMs);
}

void addExpertParallel(const WhatIfResult* result, std::vector<std::string>& findings) {
    if (!result) {
        findings.emplace_back(
            "Expert parallelism: no all-reduce of a mixture-of-experts layer was found that it "
            "would replace.");
        return;
    }
    const WhatIfLine& line = result->lines.front();
    std::string text = fmt::format(
        "Expert parallelism would {} a step of {:.3f} ms, if an all-to-all took {:.0f} µs a call (the case "
        "study's figure, not measured here): {}; {:.3f} ms by calls times difference, {:.3f} ms if waiting "
        "stays, {:.3f} ms replayed over all ranks.",
        effectText(result->savedLowMs, result->savedHighMs), result->baselineMs, line.toUs, line.name,
        result->naive.savedMs, result->transferOnly.savedMs, result->replayed.savedMs);
    if (line.transferBreakEvenUs)
        text += fmt::format(" Above {:.1f} µs a call the transfer alone gains nothing",
                            *line.transferBreakEvenUs);
    if (line.transferBreakEvenUs && line.breakEvenUs)
        text += fmt::format(", above {:.1f} µs nothing does", *line.breakEvenUs);
    findings.push_back(line.transferBreakEvenUs ? text + "." : text);
}

void addQuality(const ReportSubject& subject, std::vector<std::string>& findings) {
    const RunAnalysis& analysis = *subject.analysis;
    const auto damaged =
        std::count_if(analysis.run->ranks.begin(), analysis.run->ranks.end(), [](const RankTrace& rank) {
            return rank.report.damaged();
        });
    std::string text =
        analysis.alignment.method == AlignmentMethod::Collectives
            ? fmt::format("The ranks' clocks agree within {:.0f} ns (p99 of {} collectives)",
                          analysis.alignment.residualP99Ns, analysis.alignment.matchedCollectives)
        : analysis.run->ranks.size() == 1 ? std::string("There is one rank")
        : analysis.alignment.method == AlignmentMethod::None
            ? std::string("The ranks' clocks could not be aligned, so nothing is said of who waited")
            : fmt::format("The ranks' clocks were aligned by {}", nameOf(analysis.alignment.method));
    text += damaged == 0 ? "; all files were read whole."
                         : fmt::format("; {} of {} files are damaged, see data quality.", damaged,
                                       analysis.run->ranks.size());
    findings.push_back(std::move(text));
}

} // namespace

std::vector<std::string> findingsOf(const ReportSubject& subject, const WhatIfResult* expertParallel) {
    std::vector<std::string> findings;
    addStep(subject, findings);
    addLargest(subject, findings);
    addWaiting(subject, findings);
    addStraggler(subject, findings);
    addExpertParallel(expertParallel, findings);
    addQuality(subject, findings);
    return findings;
}

} // namespace lockstep
