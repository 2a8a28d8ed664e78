#include "model/analysis/whatifsteps.h"

#include "model/analysis/runanalysis.h"

#include <algorithm>
#include <cctype>
#include <limits>

namespace lockstep {

namespace {

std::string plain(std::string_view text) {
    std::string result;
    for (const char c : text)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            result.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    return result;
}

/// Fills one ProjectedStep after the other; keeps which activity is which matched collective.
class StepReader {
public:
    StepReader(const RunAnalysis& analysis, const ActivityLabels& labels)
        : m_analysis(analysis)
        , m_labels(labels)
        , m_matchedOf(analysis.run->ranks.size()) {
        const CollectiveTable& table = analysis.collectives;
        for (std::size_t r = 0; r < m_matchedOf.size(); ++r) {
            m_matchedOf[r].resize(analysis.steps.ranks[r].events.size(), -1);
            for (std::size_t m = 0; m < table.matched.size(); ++m)
                if (const CollectiveCall* call = table.callOf(m, r); call != nullptr)
                    m_matchedOf[r][call->activity] = static_cast<std::int32_t>(m);
        }
        // With one rank nothing is matched: each of its calls stands for itself, and nobody waits that we
        // know of.
        if (m_matchedOf.size() == 1) {
            m_aloneOf.resize(m_matchedOf[0].size(), -1);
            for (std::size_t c = 0; c < table.calls[0].size(); ++c)
                if (m_matchedOf[0][table.calls[0][c].activity] < 0)
                    m_aloneOf[table.calls[0][c].activity] = static_cast<std::int32_t>(c);
        }
        for (const ActivityLabels::Label& label : labels.labels) {
            m_expert.push_back(isLabel(label, "moe_gemm") || isLabel(label, "routing"));
            m_attention.push_back(isLabel(label, "attention"));
        }
    }

    ProjectedStep read(std::uint32_t index) {
        const Step& step = m_analysis.steps.steps[index];
        ProjectedStep result;
        result.step = index;
        result.replay.ranks.resize(step.ranks.size());
        result.labels.resize(step.ranks.size());
        std::vector<std::int32_t> local(m_analysis.collectives.matched.size(), -1);
        TimeNs first = std::numeric_limits<TimeNs>::max();
        TimeNs last = std::numeric_limits<TimeNs>::min();
        double periods = 0;
        int periodRanks = 0;
        for (std::size_t r = 0; r < step.ranks.size(); ++r) {
            if (!step.ranks[r].present)
                continue;
            readRank(index, r, local, result);
            for (const ReplayActivity& activity : result.replay.ranks[r]) {
                first = std::min(first, activity.begin);
                last = std::max(last, activity.end);
            }
            if (step.ranks[r].periodNs) {
                periods += static_cast<double>(*step.ranks[r].periodNs);
                ++periodRanks;
            }
        }
        result.replay.collectives = result.collectives.size();
        result.periodNs = periodRanks > 0 ? periods / periodRanks : 0;
        result.wallNs = last > first ? static_cast<double>(last - first) : 0;
        return result;
    }

private:
    void readRank(std::size_t step, std::size_t r, std::vector<std::int32_t>& local, ProjectedStep& result) {
        const RankTrace& rank = m_analysis.run->ranks[r];
        const RankClock& clock = m_analysis.alignment.ranks[r];
        bool expert = false;
        bool attention = false;
        m_analysis.steps.forEachActivity(step, r, [&](std::size_t activity, std::uint16_t) {
            const EventId event = m_analysis.steps.ranks[r].events[activity];
            const TimeNs begin = clock.toRunTime(rank.events.begin(event));
            ReplayActivity replayed{begin, begin + rank.events.duration(event), rank.streamOf(event), -1, {}};
            if (const EventId launch = rank.launches.launchOf(rank.events, event); launch.valid())
                replayed.launch = clock.toRunTime(rank.events.begin(launch));
            const std::uint8_t label = m_labels.label[r][activity];
            if (const std::int32_t matched = m_matchedOf[r][activity]; matched >= 0) {
                std::int32_t& place = local[static_cast<std::size_t>(matched)];
                if (place < 0) {
                    place = static_cast<std::int32_t>(result.collectives.size());
                    result.collectives.push_back(
                        describe(static_cast<std::size_t>(matched), expert, attention));
                }
                replayed.collective = place;
            }
            if (!m_aloneOf.empty() && m_aloneOf[activity] >= 0) {
                replayed.collective = static_cast<std::int32_t>(result.collectives.size());
                result.collectives.push_back(
                    describeAlone(static_cast<std::size_t>(m_aloneOf[activity]), expert, attention));
            }
            // What communicates ends a block, matched or not.
            if (replayed.collective >= 0 || classifyCollective(rank.name(event)).communication) {
                expert = false;
                attention = false;
            } else if (label < m_expert.size()) {
                expert = expert || m_expert[label];
                attention = attention || m_attention[label];
            }
            result.replay.ranks[r].push_back(replayed);
            result.labels[r].push_back(label);
        });
    }

    [[nodiscard]] StepCollective describeAlone(std::size_t index, bool expert, bool attention) const {
        const CollectiveCall& call = m_analysis.collectives.calls[0][index];
        const CollectiveGroup& group = m_analysis.collectives.groups[call.group];
        StepCollective result;
        result.kind = group.kind;
        result.backend = group.backend;
        result.bytes = static_cast<double>(group.bytes);
        result.expertBlock = expert;
        result.attentionBlock = attention && !expert;
        result.meanNs = static_cast<double>(m_analysis.run->ranks[0].events.duration(call.event));
        result.transferNs = result.meanNs;
        return result;
    }

    [[nodiscard]] StepCollective describe(std::size_t matched, bool expert, bool attention) const {
        const Collective& collective = m_analysis.collectives.matched[matched];
        const CollectiveGroup& group = m_analysis.collectives.groups[collective.group];
        StepCollective result;
        result.kind = group.kind;
        result.backend = group.backend;
        result.bytes = static_cast<double>(group.bytes);
        result.expertBlock = expert;
        result.attentionBlock = attention && !expert;
        int members = 0;
        for (std::size_t r = 0; r < m_matchedOf.size(); ++r) {
            const CollectiveCall* call = m_analysis.collectives.callOf(matched, r);
            if (call == nullptr)
                continue;
            result.meanNs += static_cast<double>(m_analysis.run->ranks[r].events.duration(call->event));
            const RankWait& wait = m_analysis.stalls.waitOf(matched, r);
            result.waitNs += static_cast<double>(wait.waitNs);
            result.transferNs += static_cast<double>(wait.transferNs);
            ++members;
        }
        for (double* value : {&result.meanNs, &result.waitNs, &result.transferNs})
            *value /= std::max(members, 1);
        return result;
    }

    const RunAnalysis& m_analysis;
    const ActivityLabels& m_labels;
    std::vector<std::vector<std::int32_t>> m_matchedOf; ///< by rank, like RankActivities::events
    std::vector<std::int32_t> m_aloneOf;                ///< of a single rank: its calls that are not matched
    std::vector<bool> m_expert;                         ///< by label
    std::vector<bool> m_attention;
};

} // namespace

bool isLabel(const ActivityLabels::Label& label, std::string_view wanted) {
    const std::string name = plain(wanted);
    return plain(label.id) == name || plain(label.label) == name || plain(label.group) == name;
}

std::vector<ProjectedStep> projectedSteps(const RunAnalysis& analysis, const ActivityLabels& labels,
                                          const std::vector<std::uint32_t>& chosen) {
    StepReader reader(analysis, labels);
    std::vector<ProjectedStep> result;
    for (const std::uint32_t index : chosen) {
        ProjectedStep step = reader.read(index);
        if (step.wallNs > 0)
            result.push_back(std::move(step));
    }
    return result;
}

} // namespace lockstep
