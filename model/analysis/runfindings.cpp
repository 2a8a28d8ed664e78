#include "model/analysis/runfindings.h"

#include "model/analysis/runanalysis.h"
#include "model/analysis/timetext.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/format.h>

namespace lockstep {

namespace {

/// Kernel names may be kilobytes of template arguments.
std::string shortened(std::string_view name) {
    constexpr std::size_t kLongest = 60;
    return name.size() <= kLongest ? std::string(name) : std::string(name.substr(0, kLongest - 1)) + "…";
}

/// Consecutive layers, not more than half of all, that hold nine tenths of what a rank made others wait.
std::optional<std::pair<std::uint32_t, std::uint32_t>> lateLayers(const LateMap& map, std::size_t rank) {
    TimeNs total = 0;
    for (std::size_t column = 0; column < map.columns.size(); ++column)
        total += map.at(rank, column).causedNs;
    std::size_t best = map.columns.size();
    std::pair<std::uint32_t, std::uint32_t> range;
    std::size_t begin = 0;
    TimeNs inside = 0;
    for (std::size_t end = 0; end < map.columns.size(); ++end) {
        inside += map.at(rank, end).causedNs;
        while (begin <= end && (inside - map.at(rank, begin).causedNs) * 10 >= total * 9)
            inside -= map.at(rank, begin++).causedNs;
        if (inside * 10 >= total * 9 && end - begin + 1 < best) {
            best = end - begin + 1;
            range = {map.columns[begin], map.columns[end]};
        }
    }
    return total > 0 && best * 2 <= map.columns.size() ? std::optional(range) : std::nullopt;
}

class RunFindings {
public:
    RunFindings(const RunAnalysis& analysis, const CategorySet& set, const Breakdown& sum,
                const Breakdown& wall, const StallSummary& stalls, const std::vector<StallCause>& causes)
        : m_analysis(analysis)
        , m_set(set)
        , m_sum(sum)
        , m_wall(wall)
        , m_stalls(stalls)
        , m_causes(causes) {}

    std::vector<Finding> write() {
        if (m_sum.totalNs > 0) {
            addLargestGroup();
            addWaiting();
            addIdle();
            addUnclassified();
        }
        addWorstStall();
        std::stable_sort(m_findings.begin(), m_findings.end(), [](const Finding& a, const Finding& b) {
            return a.weight > b.weight;
        });
        return std::move(m_findings);
    }

private:
    [[nodiscard]] int rankOf(std::size_t index) const { return m_analysis.run->ranks[index].rank; }
    [[nodiscard]] double share(TimeNs ns) const {
        return static_cast<double>(ns) / static_cast<double>(m_sum.totalNs);
    }
    void add(std::string kind, std::string subject, double weight, std::string sentence) {
        m_findings.push_back({std::move(kind), std::move(subject), std::move(sentence), weight});
    }

    void addLargestGroup() {
        const auto largest = std::max_element(m_sum.groups.begin(), m_sum.groups.end(),
                                              [](const BreakdownRow& a, const BreakdownRow& b) {
                                                  return a.totalNs < b.totalNs;
                                              });
        if (largest == m_sum.groups.end() || largest->totalNs == 0)
            return;
        std::string sentence =
            fmt::format("{} {} the largest part of GPU time: {:.0f} %, {} a step.", largest->label,
                        largest->label.ends_with('s') ? "are" : "is", 100 * share(largest->totalNs),
                        timeText(m_sum.perStep(largest->totalNs)));
        if (m_set.groups[largest->category].id == "dtype_cast")
            sentence += " Casts fused into the GEMMs would take it away.";
        add("category", largest->label, share(largest->totalNs) * 0.6, std::move(sentence));
    }

    /// "55 % of AllReduce is waiting, mostly for rank 5 (82 %), in layers 41 to 60: host …"
    void addWaiting() {
        const BreakdownRow* allReduce = nullptr;
        for (const BreakdownRow& group : m_sum.groups)
            if (group.category < m_set.groups.size() && m_set.groups[group.category].id == "allreduce")
                allReduce = &group;
        if (allReduce == nullptr || !allReduce->waitNs || !allReduce->transferNs || allReduce->totalNs == 0)
            return;
        const double waiting =
            static_cast<double>(*allReduce->waitNs) / static_cast<double>(allReduce->totalNs);
        std::string sentence = fmt::format("{:.0f} % of AllReduce is waiting", 100 * waiting);
        // What rank by rank was caused within steps: what head transients cost says nothing of a step.
        std::vector<TimeNs> causedBy(m_stalls.ranks.size(), 0);
        for (std::size_t r = 0; r < causedBy.size(); ++r)
            for (std::size_t column = 0; column < m_stalls.byStep.columns.size(); ++column)
                causedBy[r] += m_stalls.byStep.at(r, column).causedNs;
        const TimeNs caused = std::accumulate(causedBy.begin(), causedBy.end(), TimeNs{0});
        const auto culprit = std::max_element(causedBy.begin(), causedBy.end());
        if (caused > 0 && waiting >= 0.05) {
            const auto rank = static_cast<std::size_t>(culprit - causedBy.begin());
            const double part = static_cast<double>(*culprit) / static_cast<double>(caused);
            const bool evenly = part < 1.3 / static_cast<double>(m_stalls.ranks.size());
            sentence += evenly ? std::string(", for no rank more than for others")
                               : fmt::format(", {} for rank {} ({:.0f} % of it)",
                                             part >= 0.5 ? "mostly" : "most often", rankOf(rank), 100 * part);
            if (!evenly)
                sentence += placeAndCause(rank);
        }
        const double waitStep = m_sum.perStep(*allReduce->waitNs);
        const double moveStep = m_sum.perStep(*allReduce->transferNs);
        sentence +=
            fmt::format(". Faster links would gain {} a step and rank at most; removing the skew gains {}.",
                        timeText(moveStep), timeText(waitStep));
        add("stalls", "allreduce", share(*allReduce->waitNs) + 0.1 * waiting, std::move(sentence));
    }

    [[nodiscard]] std::string placeAndCause(std::size_t rank) const {
        std::string text;
        if (const auto layers = lateLayers(m_stalls.byLayer, rank))
            text += layers->first == layers->second
                        ? fmt::format(", in layer {}", layers->first)
                        : fmt::format(", in layers {} to {}", layers->first, layers->second);
        std::map<std::pair<CauseKind, std::string>, TimeNs> weights;
        TimeNs total = 0;
        for (std::size_t i = 0; i < m_causes.size(); ++i) {
            const Stall& stall = m_analysis.stalls.stalls[m_stalls.worst[i]];
            if (stall.straggler != rank || stall.headTransient)
                continue;
            total += stall.skewNs;
            if (m_causes[i].kind != CauseKind::Unknown)
                weights[{m_causes[i].kind, m_causes[i].name}] += stall.skewNs;
        }
        const auto most = std::max_element(weights.begin(), weights.end(), [](const auto& a, const auto& b) {
            return a.second < b.second;
        });
        if (most == weights.end() || most->second * 2 < total)
            return text;
        const std::string name =
            most->first.second.empty() ? std::string() : " (" + shortened(most->first.second) + ")";
        switch (most->first.first) {
        case CauseKind::Host:
            return text + ", whose host launches late" + name;
        case CauseKind::Kernel:
            return text + ", where a kernel runs longer" + name;
        case CauseKind::Copy:
            return text + ", where a copy comes between" + name;
        case CauseKind::Unknown:
            break;
        }
        return text;
    }

    void addIdle() {
        if (m_wall.wallNs <= 0)
            return;
        const double idle = static_cast<double>(m_wall.idleNs) / static_cast<double>(m_wall.wallNs);
        if (idle >= 0.1)
            add("idle", "idle", idle,
                fmt::format(
                    "The GPUs are idle for {:.0f} % of a step ({} of {}): launches do not keep them busy.",
                    100 * idle, timeText(m_wall.perStep(m_wall.idleNs)),
                    timeText(m_wall.perStep(m_wall.wallNs))));
        const double overlap = static_cast<double>(m_sum.totalNs) / static_cast<double>(m_wall.wallNs);
        if (overlap >= 1.05)
            add("overlap", "overlap", 0.05,
                fmt::format("Kernels overlap: added up they take {} a step, on the wall clock {}.",
                            timeText(m_sum.perStep(m_sum.totalNs)), timeText(m_wall.perStep(m_wall.wallNs))));
    }

    void addUnclassified() {
        if (m_sum.unclassifiedShare >= 0.02)
            add("unclassified", "unclassified", m_sum.unclassifiedShare * 0.5,
                fmt::format("No rule matches {:.1f} % of GPU time: add one under Category rules.",
                            100 * m_sum.unclassifiedShare));
    }

    void addWorstStall() {
        for (std::size_t i = 0; i < m_causes.size(); ++i) {
            const std::uint32_t index = m_stalls.worst[i];
            const Stall& stall = m_analysis.stalls.stalls[index];
            if (stall.headTransient ||
                static_cast<double>(stall.skewNs) <= m_analysis.alignment.residualP99Ns)
                continue;
            const Collective& collective = m_analysis.collectives.matched[index];
            std::string sentence =
                fmt::format("The worst stall: rank {} arrives {} late", rankOf(stall.straggler),
                            timeText(static_cast<double>(stall.skewNs)));
            if (collective.step != RankActivities::kNone)
                sentence += fmt::format(" in step {}", collective.step);
            if (collective.layer != RankActivities::kNoLayer)
                sentence += fmt::format(", layer {}", collective.layer);
            const StallCause& cause = m_causes[i];
            if (cause.kind != CauseKind::Unknown)
                sentence += fmt::format(" ({}: {}, {} more than elsewhere)", nameOf(cause.kind),
                                        shortened(cause.name), timeText(static_cast<double>(cause.excessNs)));
            add("cause", "worst stall", 0.04, sentence + ".");
            return;
        }
    }

    const RunAnalysis& m_analysis;
    const CategorySet& m_set;
    const Breakdown& m_sum;
    const Breakdown& m_wall;
    const StallSummary& m_stalls;
    const std::vector<StallCause>& m_causes;
    std::vector<Finding> m_findings;
};

} // namespace

std::vector<Finding> findingsOf(const RunAnalysis& analysis, const CategorySet& set, const Breakdown& sum,
                                const Breakdown& wall, const StallSummary& stalls,
                                const std::vector<StallCause>& causes) {
    return RunFindings(analysis, set, sum, wall, stalls, causes).write();
}

} // namespace lockstep
