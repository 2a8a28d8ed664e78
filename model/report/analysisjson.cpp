#include "model/report/analysisjson.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

namespace lockstep {

namespace {

using nlohmann::ordered_json;

template <class Value>
ordered_json orNull(const std::optional<Value>& value) {
    return value ? ordered_json(*value) : ordered_json(nullptr);
}

/// Writes the parts of one document.
class DocumentWriter {
public:
    DocumentWriter(const RunAnalysis& analysis, const AnalysisSelection& selection)
        : m_analysis(analysis)
        , m_run(*analysis.run)
        , m_selection(selection) {
        for (std::size_t rank = 0; rank < m_run.ranks.size(); ++rank)
            if (!selection.rank || *selection.rank == rank)
                m_ranks.push_back(rank);
    }

    [[nodiscard]] ordered_json document() const {
        ordered_json json;
        json["schema"] = "lockstep.analysis/1";
        json["run"] = run();
        json["alignment"] = alignment();
        json["steps"] = steps();
        json["collectives"] = collectives();
        json["stalls"] = stalls();
        json["hbm"] = nullptr;
        for (const auto& [name, text] : m_selection.sections)
            json[name] = ordered_json::parse(text, nullptr, false);
        return json;
    }

private:
    template <class Value>
    ordered_json perRank(Value&& value) const {
        ordered_json list = ordered_json::array();
        for (const std::size_t rank : m_ranks)
            list.push_back(value(rank));
        return list;
    }

    [[nodiscard]] ordered_json run() const {
        ordered_json json;
        json["name"] = m_run.name;
        json["world_size"] = m_run.worldSize;
        json["ranks"] = perRank([&](std::size_t rank) {
            return rankJson(rank);
        });
        json["notes"] = m_run.notes;
        return json;
    }

    [[nodiscard]] ordered_json rankJson(std::size_t index) const {
        const RankTrace& rank = m_run.ranks[index];
        const std::vector<EventId>& activities = m_analysis.steps.ranks[index].events;
        std::size_t kernels = 0;
        TimeNs kernelSum = 0;
        TimeNs last = 0;
        for (const EventId id : activities) {
            last = std::max(last, rank.events.end(id));
            if (rank.events.kind(id) != EventKind::Kernel)
                continue;
            ++kernels;
            kernelSum += rank.events.duration(id);
        }
        const RankClock& clock = m_analysis.alignment.ranks[index];
        ordered_json json;
        json["rank"] = rank.rank;
        json["file"] = rank.report.file;
        json["device"] = rank.deviceName();
        json["events"] = rank.report.events;
        json["kernels"] = kernels;
        json["kernel_sum_ns"] = kernelSum;
        json["first_ns"] = activities.empty()
                               ? ordered_json(nullptr)
                               : ordered_json(clock.toRunTime(rank.events.begin(activities.front())));
        json["last_ns"] = activities.empty() ? ordered_json(nullptr) : ordered_json(clock.toRunTime(last));
        json["truncated"] = rank.report.truncated;
        json["warnings"] = ordered_json::array();
        for (const ImportWarning& warning : rank.report.warnings)
            json["warnings"].push_back(
                {{"code", warning.code}, {"message", warning.message}, {"count", warning.count}});
        return json;
    }

    [[nodiscard]] ordered_json alignment() const {
        const ClockAlignment& alignment = m_analysis.alignment;
        ordered_json json;
        json["method"] = nameOf(alignment.method);
        json["reference_rank"] =
            m_run.ranks.empty() ? ordered_json(nullptr) : ordered_json(m_run.ranks[alignment.reference].rank);
        json["matched_collectives"] = alignment.matchedCollectives;
        json["ranks"] = perRank([&](std::size_t rank) {
            return ordered_json{{"rank", m_run.ranks[rank].rank},
                                {"offset_ns", std::llround(alignment.ranks[rank].offsetNs)},
                                {"drift_ppm", alignment.ranks[rank].driftPpm}};
        });
        json["residual_p50_ns"] = std::llround(alignment.residualP50Ns);
        json["residual_p99_ns"] = std::llround(alignment.residualP99Ns);
        json["causality_violations"] = alignment.causalityViolations;
        json["uncertain"] = alignment.uncertain;
        json["notes"] = alignment.notes;
        return json;
    }

    [[nodiscard]] ordered_json steps() const {
        const StepTable& table = m_analysis.steps;
        ordered_json json;
        json["source"] = nameOf(table.source);
        json["outside_ns"] = perRank([&](std::size_t rank) {
            return table.ranks[rank].outsideNs;
        });
        json["typical"] = table.typicalSteps();
        json["notes"] = table.notes;
        json["items"] = ordered_json::array();
        const auto allReduces = allReducesByStep();
        for (std::size_t step = 0; step < table.steps.size(); ++step)
            if (m_selection.holdsStep(step))
                json["items"].push_back(stepJson(step, allReduces));
        return json;
    }

    struct Calls {
        std::size_t count = 0;
        TimeNs time = 0;
    };

    /// A row of ranks for each step.
    [[nodiscard]] std::vector<Calls> allReducesByStep() const {
        const std::size_t width = m_run.ranks.size();
        std::vector<Calls> sums(m_analysis.steps.steps.size() * width);
        for (std::size_t rank = 0; rank < width; ++rank)
            for (const CollectiveCall& call : m_analysis.collectives.calls[rank]) {
                if (call.step == RankActivities::kNone ||
                    m_analysis.collectives.groups[call.group].kind != CollectiveKind::AllReduce)
                    continue;
                Calls& sum = sums[call.step * width + rank];
                ++sum.count;
                sum.time += m_run.ranks[rank].events.duration(call.event);
            }
        return sums;
    }

    [[nodiscard]] ordered_json stepJson(std::size_t index, const std::vector<Calls>& allReduces) const {
        const Step& step = m_analysis.steps.steps[index];
        ordered_json json;
        json["index"] = index;
        json["name"] = step.name;
        json["kind"] = nameOf(step.kind);
        json["context_tokens"] = orNull(step.contextTokens);
        json["generation_tokens"] = orNull(step.generationTokens);
        json["parts"] = ordered_json::array();
        for (const StepPart& part : step.parts)
            json["parts"].push_back({{"name", part.name}, {"kernels", part.kernels}});
        json["outlier"] = step.outlier;
        json["cut"] = step.cut;
        json["remark"] = step.remark;
        json["ranks"] = ordered_json::array();
        for (const std::size_t rank : m_ranks)
            if (step.ranks[rank].present)
                json["ranks"].push_back(
                    rankStepJson(step.ranks[rank], rank, allReduces[index * m_run.ranks.size() + rank]));
        return json;
    }

    [[nodiscard]] ordered_json rankStepJson(const RankStep& step, std::size_t rank,
                                            const Calls& allReduces) const {
        const RankClock& clock = m_analysis.alignment.ranks[rank];
        ordered_json json;
        json["rank"] = m_run.ranks[rank].rank;
        json["begin_ns"] = clock.toRunTime(step.range.begin);
        json["end_ns"] = clock.toRunTime(step.range.end);
        json["wall_ns"] = step.wallNs();
        json["busy_ns"] = step.busyNs;
        json["idle_ns"] = step.idleNs();
        json["period_ns"] = orNull(step.periodNs);
        json["kernels"] = step.kernels;
        json["kernel_sum_ns"] = step.kernelSumNs;
        json["exposed_communication_ns"] = step.exposedCommunicationNs;
        json["allreduce_calls"] = allReduces.count;
        json["allreduce_ns"] = allReduces.time;
        json["layers"] = step.layers;
        return json;
    }

    [[nodiscard]] ordered_json collectives() const {
        const CollectiveTable& table = m_analysis.collectives;
        ordered_json json;
        std::size_t unmatched = 0;
        for (const std::size_t rank : m_ranks)
            unmatched += table.unmatched[rank].size();
        json["matched"] = table.matched.size();
        json["unmatched"] = unmatched;
        json["per_rank"] = perRank([&](std::size_t rank) {
            return table.calls[rank].size();
        });
        json["unmatched_per_rank"] = perRank([&](std::size_t rank) {
            return table.unmatched[rank].size();
        });
        json["groups"] = ordered_json::array();
        for (std::size_t group = 0; group < table.groups.size(); ++group)
            json["groups"].push_back(groupJson(table.groups[group], m_analysis.stalls.groups[group]));
        json["notes"] = table.notes;
        return json;
    }

    [[nodiscard]] ordered_json groupJson(const CollectiveGroup& group, const GroupStalls& sums) const {
        ordered_json json;
        json["kind"] = nameOf(group.kind);
        json["backend"] = nameOf(group.backend);
        json["bytes"] = group.bytes >= 0 ? ordered_json(group.bytes) : ordered_json(nullptr);
        json["process_group"] =
            group.processGroup.empty() ? ordered_json(nullptr) : ordered_json(group.processGroup);
        json["count"] = sums.count;
        json["p50_us"] = static_cast<double>(sums.p50Ns) / 1e3;
        json["p99_us"] = static_cast<double>(sums.p99Ns) / 1e3;
        json["wait_ns"] = perRank([&](std::size_t rank) {
            return sums.waitNs[rank];
        });
        json["transfer_ns"] = perRank([&](std::size_t rank) {
            return sums.transferNs[rank];
        });
        json["classification"] = nameOf(sums.classification);
        return json;
    }

    [[nodiscard]] ordered_json stalls() const {
        const StallTable& table = m_analysis.stalls;
        ordered_json json;
        json["ranks"] = perRank([&](std::size_t rank) {
            const RankStalls& sums = table.ranks[rank];
            return ordered_json{{"rank", m_run.ranks[rank].rank},
                                {"waited_ns", sums.waitedNs},
                                {"caused_ns", sums.causedNs},
                                {"last_arrivals", sums.lastArrivals},
                                {"head_transient_ns", sums.headTransientNs}};
        });
        json["head_transients"] = ordered_json::array();
        for (std::size_t i = 0; i < table.stalls.size(); ++i)
            if (table.stalls[i].headTransient)
                json["head_transients"].push_back(m_analysis.collectives.matched[i].ordinal);
        json["worst"] = ordered_json::array();
        const std::size_t count = std::min(m_selection.worstStalls, table.worst.size());
        for (std::size_t k = 0; k < count; ++k)
            json["worst"].push_back(stallJson(table.worst[k]));
        json["notes"] = table.notes;
        return json;
    }

    [[nodiscard]] ordered_json stallJson(std::uint32_t index) const {
        const Collective& collective = m_analysis.collectives.matched[index];
        const CollectiveGroup& group = m_analysis.collectives.groups[collective.group];
        const Stall& stall = m_analysis.stalls.stalls[index];
        const StallCause cause = causeOf(m_run, m_analysis.steps, m_analysis.collectives,
                                         m_analysis.alignment, m_analysis.stalls, index);
        const auto waitOf = [&](std::size_t rank) {
            return m_analysis.stalls.waitOf(index, rank);
        };
        ordered_json json;
        json["step"] =
            collective.step == RankActivities::kNone ? ordered_json(nullptr) : ordered_json(collective.step);
        json["ordinal"] = collective.ordinal;
        json["layer"] = collective.layer == RankActivities::kNoLayer ? ordered_json(nullptr)
                                                                     : ordered_json(collective.layer);
        json["kind"] = nameOf(group.kind);
        json["backend"] = nameOf(group.backend);
        json["straggler"] = m_run.ranks[stall.straggler].rank;
        json["skew_ns"] = stall.skewNs;
        json["begin_ns"] = stall.beginNs;
        json["wait_ns"] = perRank([&](std::size_t rank) {
            return waitOf(rank).member() ? ordered_json(waitOf(rank).waitNs) : ordered_json(nullptr);
        });
        json["transfer_ns"] = perRank([&](std::size_t rank) {
            return waitOf(rank).member() ? ordered_json(waitOf(rank).transferNs) : ordered_json(nullptr);
        });
        json["head_transient"] = stall.headTransient;
        json["clock_disagrees"] = stall.clockDisagrees;
        json["cause"] = {{"kind", nameOf(cause.kind)},
                         {"name", cause.name},
                         {"excess_ns", cause.excessNs},
                         {"evidence", cause.evidence}};
        return json;
    }

    const RunAnalysis& m_analysis;
    const Run& m_run;
    const AnalysisSelection& m_selection;
    std::vector<std::size_t> m_ranks; ///< those reported
};

} // namespace

std::string analysisJson(const RunAnalysis& analysis, const AnalysisSelection& selection) {
    return DocumentWriter(analysis, selection)
               .document()
               .dump(2, ' ', false, ordered_json::error_handler_t::replace) +
           "\n";
}

} // namespace lockstep
