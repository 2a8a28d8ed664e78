#include "model/report/viewtables.h"

#include "model/analysis/stallsummary.h"
#include "model/report/figures.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace lockstep {

namespace {

std::string ms(TimeNs ns) {
    return asMs(static_cast<double>(ns));
}
std::string us(TimeNs ns, int digits = 3) {
    return asUs(static_cast<double>(ns), digits);
}
std::string stepText(std::uint32_t step) {
    return step == RankActivities::kNone ? "" : std::to_string(step);
}
std::string layerText(std::uint16_t layer) {
    return layer == RankActivities::kNoLayer ? "" : std::to_string(layer);
}
std::string rankText(const ReportSubject& subject, std::size_t rank) {
    return std::to_string(subject.analysis->run->ranks[rank].rank);
}

} // namespace

namespace {

/// GPU activities of all chosen ranks, by begin on the run's clock.
class ActivityTable {
public:
    explicit ActivityTable(const ReportSubject& subject)
        : m_subject(subject) {}

    void add(std::size_t rank, std::size_t activity, std::uint16_t layer) {
        if (m_subject.selection.passes(rank, activity))
            m_entries.push_back({beginOf(rank, activity), rank, activity, layer});
    }
    [[nodiscard]] TimeNs beginOf(std::size_t rank, std::size_t activity) const {
        const EventId event = m_subject.analysis->steps.ranks[rank].events[activity];
        return m_subject.analysis->alignment.ranks[rank].toRunTime(
            m_subject.analysis->run->ranks[rank].events.begin(event));
    }
    [[nodiscard]] ReportTable finish(std::string title) {
        ReportTable table;
        table.title = std::move(title);
        table.columns = {{"begin us", true}, {"duration us", true}, {"rank", true},   {"stream", true},
                         {"layer", true},    {"category", false},   {"kernel", false}};
        std::stable_sort(m_entries.begin(), m_entries.end(), [](const Entry& a, const Entry& b) {
            return a.begin < b.begin;
        });
        for (const Entry& entry : m_entries) {
            const RankTrace& trace = m_subject.analysis->run->ranks[entry.rank];
            const EventId event = m_subject.analysis->steps.ranks[entry.rank].events[entry.activity];
            const std::uint8_t category = m_subject.categories.category[entry.rank][entry.activity];
            table.rows.push_back({us(entry.begin - m_entries.front().begin), us(trace.events.duration(event)),
                                  std::to_string(trace.rank), std::to_string(trace.streamOf(event)),
                                  layerText(entry.layer), m_subject.rules.set.categories[category].label,
                                  std::string(trace.name(event))});
        }
        return table;
    }

private:
    struct Entry {
        TimeNs begin;
        std::size_t rank;
        std::size_t activity;
        std::uint16_t layer;
    };
    const ReportSubject& m_subject;
    std::vector<Entry> m_entries;
};

} // namespace

ReportTable timelineTable(const ReportSubject& subject) {
    ActivityTable table(subject);
    const auto step = shownStep(subject);
    if (!step)
        return table.finish("No step was found");
    for (const std::size_t rank : subject.sum.ranks)
        subject.analysis->steps.forEachActivity(*step, rank, [&](std::size_t activity, std::uint16_t layer) {
            table.add(rank, activity, layer);
        });
    return table.finish(fmt::format("Step {}: GPU activities of all ranks", *step));
}

ReportTable timelineTable(const ReportSubject& subject, TimeRange range) {
    const RunAnalysis& analysis = *subject.analysis;
    ActivityTable table(subject);
    for (const std::size_t rank : subject.sum.ranks) {
        const RankActivities& activities = analysis.steps.ranks[rank];
        for (std::size_t activity = 0; activity < activities.events.size(); ++activity) {
            const TimeNs begin = table.beginOf(rank, activity);
            const TimeNs length = analysis.run->ranks[rank].events.duration(activities.events[activity]);
            if (TimeRange{begin, begin + length}.overlaps(range))
                table.add(rank, activity, activities.layerOf(activity));
        }
    }
    return table.finish("GPU activities of all ranks in what is shown");
}

ReportTable stepsTable(const ReportSubject& subject) {
    const RunAnalysis& analysis = *subject.analysis;
    ReportTable table;
    table.title = fmt::format("Steps, by {}", nameOf(analysis.steps.source));
    table.columns = {{"step", true},    {"name", false},   {"kind", false},
                     {"rank", true},    {"wall ms", true}, {"period ms", true},
                     {"busy ms", true}, {"idle ms", true}, {"exposed communication ms", true},
                     {"kernels", true}, {"layers", true},  {"remark", false}};
    std::vector<bool> averaged(analysis.steps.steps.size());
    for (const std::uint32_t step : subject.sum.steps)
        averaged[step] = true;
    for (std::uint32_t index = 0; index < analysis.steps.steps.size(); ++index) {
        const Step& step = analysis.steps.steps[index];
        const bool left = !averaged[index];
        if (left && !subject.selection.steps.empty())
            continue;
        for (const std::size_t rank : subject.sum.ranks) {
            const RankStep& part = step.ranks[rank];
            if (!part.present)
                continue;
            const std::string remark = !step.remark.empty() ? step.remark
                                       : step.cut           ? "cut by the capture"
                                       : step.outlier       ? "outlier"
                                       : left               ? "not in the averages"
                                                            : "";
            table.rows.push_back({std::to_string(index), step.name, std::string(nameOf(step.kind)),
                                  rankText(subject, rank), ms(part.wallNs()),
                                  part.periodNs ? ms(*part.periodNs) : "", ms(part.busyNs), ms(part.idleNs()),
                                  ms(part.exposedCommunicationNs), std::to_string(part.kernels),
                                  std::to_string(part.layers), remark});
        }
    }
    return table;
}

ReportTable rankStallsTable(const ReportSubject& subject) {
    const StallSummary summary = summariseStalls(*subject.analysis, subject.selection);
    ReportTable table;
    table.title = "Who waits for whom";
    table.columns = {{"rank", true},
                     {"waited ms", true},
                     {"of it head transient ms", true},
                     {"caused ms", true},
                     {"last arrivals", true}};
    for (std::size_t rank = 0; rank < summary.ranks.size(); ++rank)
        table.rows.push_back({rankText(subject, rank), ms(summary.ranks[rank].waitedNs),
                              ms(summary.ranks[rank].headTransientNs), ms(summary.ranks[rank].causedNs),
                              std::to_string(summary.ranks[rank].lastArrivals)});
    table.notes.push_back(fmt::format(
        "Waited: for the last rank to arrive, over {} matched collectives, head transients included. "
        "Caused: how long all others together waited for this rank.",
        summary.collectives));
    return table;
}

ReportTable worstStallsTable(const ReportSubject& subject, std::size_t limit) {
    const RunAnalysis& analysis = *subject.analysis;
    const std::vector<std::uint32_t> worst = summariseStalls(analysis, subject.selection).worst;
    ReportTable table;
    table.title = "The largest stalls";
    table.columns = {{"step", true},      {"layer", true},    {"collective", true}, {"kind", false},
                     {"last rank", true}, {"skew us", true},  {"waited us", true},  {"cause", false},
                     {"name", false},     {"excess us", true}};
    for (const std::uint32_t index : worst) {
        if (table.rows.size() == limit)
            break;
        const Stall& stall = analysis.stalls.stalls[index];
        const Collective& collective = analysis.collectives.matched[index];
        TimeNs waited = 0;
        for (std::size_t rank = 0; rank < analysis.run->ranks.size(); ++rank)
            waited += rank == stall.straggler ? 0 : analysis.stalls.waitOf(index, rank).waitNs;
        const StallCause cause = causeOf(*analysis.run, analysis.steps, analysis.collectives,
                                         analysis.alignment, analysis.stalls, index);
        table.rows.push_back({stepText(collective.step), layerText(collective.layer),
                              std::to_string(collective.ordinal),
                              std::string(nameOf(analysis.collectives.groups[collective.group].kind)),
                              rankText(subject, stall.straggler), us(stall.skewNs), us(waited),
                              stall.headTransient ? "head transient" : std::string(nameOf(cause.kind)),
                              cause.name, cause.name.empty() ? "" : us(cause.excessNs)});
    }
    if (worst.size() > limit)
        table.notes.push_back(fmt::format("The {} largest of {}, by skew.", limit, worst.size()));
    table.notes.push_back("Skew: last arrival behind the first. Waited: by all other ranks together.");
    return table;
}

ReportTable withProvenance(ReportTable table, const ReportSubject& subject, const ProvenanceOf& what) {
    for (std::string& line : provenanceOf(subject, what))
        table.notes.push_back(std::move(line));
    return table;
}

ReportTable collectivesTable(const ReportSubject& subject) {
    const RunAnalysis& analysis = *subject.analysis;
    ReportTable table;
    table.title = "Collectives: waiting and moving data";
    table.columns = {{"kind", false},       {"backend", false},  {"bytes", true},   {"process group", false},
                     {"count", true},       {"p50 us", true},    {"p99 us", true},  {"wait ms", true},
                     {"transfer ms", true}, {"waiting %", true}, {"verdict", false}};
    for (std::size_t group = 0; group < analysis.collectives.groups.size(); ++group) {
        const CollectiveGroup& what = analysis.collectives.groups[group];
        const GroupStalls& sums = analysis.stalls.groups[group];
        TimeNs wait = 0;
        TimeNs transfer = 0;
        for (const TimeNs of : sums.waitNs)
            wait += of;
        for (const TimeNs of : sums.transferNs)
            transfer += of;
        if (sums.count == 0)
            continue;
        table.rows.push_back(
            {std::string(nameOf(what.kind)), std::string(nameOf(what.backend)),
             what.bytes >= 0 ? std::to_string(what.bytes) : "", what.processGroup, std::to_string(sums.count),
             us(sums.p50Ns), us(sums.p99Ns), ms(wait), ms(transfer),
             wait + transfer > 0 ? fmt::format("{:.1f}", 100.0 * static_cast<double>(wait) /
                                                             static_cast<double>(wait + transfer))
                                 : "",
             std::string(nameOf(sums.classification))});
    }
    table.notes.push_back("Wait and transfer are over all ranks and all matched calls.");
    return table;
}

ReportTable stallMapTable(const ReportSubject& subject) {
    const StallMap map = stallMapOf(subject);
    ReportTable table;
    table.title = fmt::format("Who was late: us that the others waited for a rank, by {}",
                              map.byLayer ? "layer" : "step");
    table.columns.push_back({"rank", true});
    for (const std::string& column : map.columns)
        table.columns.push_back({(map.byLayer ? "layer " : "step ") + column, true});
    for (std::size_t rank = 0; rank < map.causedNs.size(); ++rank) {
        std::vector<std::string> row{rankText(subject, rank)};
        for (const TimeNs caused : map.causedNs[rank])
            row.push_back(us(caused));
        table.rows.push_back(std::move(row));
    }
    table.notes.push_back("Head transients are left out.");
    return table;
}

ReportTable alignmentTable(const ReportSubject& subject) {
    const ClockAlignment& alignment = subject.analysis->alignment;
    ReportTable table;
    table.title = "Clocks";
    table.columns = {{"rank", true}, {"offset us", true}, {"drift ppm", true}};
    for (std::size_t rank = 0; rank < alignment.ranks.size(); ++rank)
        table.rows.push_back({rankText(subject, rank), asUs(alignment.ranks[rank].offsetNs, 3),
                              fmt::format("{:.3f}", alignment.ranks[rank].driftPpm)});
    table.notes.push_back(fmt::format(
        "By {}, {} collectives, residual {:.0f} ns (p50), {:.0f} ns (p99), {} causality violations.",
        nameOf(alignment.method), alignment.matchedCollectives, alignment.residualP50Ns,
        alignment.residualP99Ns, alignment.causalityViolations));
    for (const std::string& note : alignment.notes)
        table.notes.push_back(note);
    return table;
}

ReportTable qualityTable(const ReportSubject& subject) {
    ReportTable table;
    table.title = "Files, and what was found in them";
    table.columns = {{"file", false},   {"rank", true}, {"events", true}, {"repaired", true},
                     {"skipped", true}, {"cut", false}, {"remark", false}};
    for (const RankTrace& rank : subject.analysis->run->ranks) {
        const std::string name = std::filesystem::path(rank.report.file).filename().string();
        const auto row = [&](const std::string& remark) {
            table.rows.push_back({name, std::to_string(rank.rank), std::to_string(rank.report.events),
                                  std::to_string(rank.report.repaired), std::to_string(rank.report.skipped),
                                  rank.report.truncated ? "yes" : "", remark});
        };
        if (rank.report.warnings.empty())
            row("whole");
        for (const ImportWarning& warning : rank.report.warnings)
            row(fmt::format("{} ({}{})", warning.message, warning.count,
                            warning.offset ? fmt::format(", first at byte {}", *warning.offset) : ""));
    }
    for (const SetAsideFile& file : subject.analysis->run->setAside)
        table.rows.push_back({std::filesystem::path(file.file).filename().string(), "", "", "", "", "",
                              "set aside: " + file.reason});
    const RunAnalysis& analysis = *subject.analysis;
    for (const auto* notes :
         {&analysis.run->notes, &analysis.steps.notes, &analysis.collectives.notes, &analysis.stalls.notes})
        table.notes.insert(table.notes.end(), notes->begin(), notes->end());
    return table;
}

} // namespace lockstep
