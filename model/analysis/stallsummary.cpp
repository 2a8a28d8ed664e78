#include "model/analysis/stallsummary.h"

#include "model/analysis/runanalysis.h"
#include "model/analysis/timetext.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <fmt/format.h>

namespace lockstep {

namespace {

constexpr std::uint32_t kNoColumn = 0xFFFF'FFFFu;

bool holds(const std::vector<std::size_t>& chosen, std::size_t value) {
    return chosen.empty() || std::find(chosen.begin(), chosen.end(), value) != chosen.end();
}

class Summariser {
public:
    Summariser(const RunAnalysis& analysis, const BreakdownSelection& selection)
        : m_analysis(analysis)
        , m_selection(selection)
        , m_steps(selection.steps.begin(), selection.steps.end()) {}

    StallSummary summarise() {
        const StallTable& table = m_analysis.stalls;
        m_summary.ranks.resize(table.ranks.size());
        prepare(m_summary.byStep, [](const Collective& one) {
            return one.step == RankActivities::kNone ? kNoColumn : one.step;
        });
        prepare(m_summary.byLayer, [](const Collective& one) {
            return one.layer == RankActivities::kNoLayer ? kNoColumn : std::uint32_t{one.layer};
        });
        for (const std::uint32_t index : table.worst)
            if (chosen(index))
                m_summary.worst.push_back(index);
        for (std::uint32_t index = 0; index < table.stalls.size(); ++index)
            if (chosen(index))
                add(index);
        judge();
        weigh();
        return std::move(m_summary);
    }

private:
    [[nodiscard]] bool chosenStep(std::uint32_t step) const {
        return m_steps.empty() || m_steps.contains(step);
    }
    [[nodiscard]] bool chosen(std::uint32_t index) const {
        const Collective& collective = m_analysis.collectives.matched[index];
        if (m_selection.only) {
            const std::uint32_t straggler = m_analysis.stalls.stalls[index].straggler;
            const CollectiveCall* call = m_analysis.collectives.callOf(index, straggler);
            if (!call || !m_selection.passes(straggler, call->activity))
                return false;
        }
        return chosenStep(collective.step) &&
               (!m_selection.layer || collective.layer == *m_selection.layer) &&
               holds(m_selection.ranks, m_analysis.stalls.stalls[index].straggler);
    }

    template <class ColumnOf>
    void prepare(LateMap& map, ColumnOf&& columnOf) {
        std::set<std::uint32_t> columns;
        for (const Collective& collective : m_analysis.collectives.matched)
            if (chosenStep(collective.step))
                if (const std::uint32_t column = columnOf(collective); column != kNoColumn)
                    columns.insert(column);
        map.columns.assign(columns.begin(), columns.end());
        map.cells.resize(map.columns.size() * m_summary.ranks.size());
    }

    void add(std::uint32_t index) {
        const StallTable& table = m_analysis.stalls;
        const Stall& stall = table.stalls[index];
        ++m_summary.collectives;
        TimeNs others = 0;
        for (std::size_t rank = 0; rank < m_summary.ranks.size(); ++rank) {
            const RankWait& wait = table.waitOf(index, rank);
            if (!wait.member())
                continue;
            m_summary.ranks[rank].waitedNs += wait.waitNs;
            m_summary.ranks[rank].headTransientNs += stall.headTransient ? wait.waitNs : 0;
            others += rank == stall.straggler ? 0 : wait.waitNs;
        }
        m_summary.ranks[stall.straggler].causedNs += others;
        ++m_summary.ranks[stall.straggler].lastArrivals;
        if (stall.headTransient)
            return;
        m_caused.resize(m_summary.ranks.size());
        m_largest.resize(m_summary.ranks.size());
        m_caused[stall.straggler] += others;
        m_largest[stall.straggler] = std::max(m_largest[stall.straggler], others);
        const bool beyond = static_cast<double>(stall.skewNs) > m_analysis.alignment.residualP99Ns;
        if (beyond) {
            ++m_summary.counted;
            m_last.resize(m_summary.ranks.size());
            ++m_last[stall.straggler];
        }
        const Collective& collective = m_analysis.collectives.matched[index];
        if (collective.step != RankActivities::kNone)
            addTo(m_summary.byStep, collective.step, index, others, beyond);
        if (collective.layer != RankActivities::kNoLayer)
            addTo(m_summary.byLayer, collective.layer, index, others, beyond);
    }

    void addTo(LateMap& map, std::uint32_t column, std::uint32_t index, TimeNs caused, bool beyond) const {
        const auto at = std::lower_bound(map.columns.begin(), map.columns.end(), column);
        const auto place = static_cast<std::size_t>(at - map.columns.begin());
        for (std::size_t rank = 0; rank < m_summary.ranks.size(); ++rank)
            ++map.cells[rank * map.columns.size() + place].collectives;
        const Stall& stall = m_analysis.stalls.stalls[index];
        LateCell& cell = map.cells[stall.straggler * map.columns.size() + place];
        cell.causedNs += caused;
        cell.last += beyond ? 1 : 0;
        if (stall.skewNs >= cell.worstSkewNs) {
            cell.worstSkewNs = stall.skewNs;
            cell.worst = index;
        }
    }

    void judge() {
        constexpr double kHabit = 1.25;
        constexpr std::size_t kFewest = 20; // too few to tell a habit from chance
        const std::size_t ranks = m_summary.ranks.size();
        if (m_summary.counted == 0) {
            m_summary.patternText =
                m_summary.collectives == 0
                    ? "No collective was matched across ranks here, so nobody can be seen waiting."
                    : "No rank is late beyond what the clocks can tell apart.";
            return;
        }
        const auto most = std::max_element(m_last.begin(), m_last.end());
        m_summary.mostLate = static_cast<std::size_t>(most - m_last.begin());
        const auto counted = static_cast<double>(m_summary.counted);
        m_summary.mostLateShare = *most / counted;
        const double fair = 1.0 / static_cast<double>(ranks);
        const double deviation = std::sqrt(fair * (1 - fair) / counted);
        const bool whole = m_selection.ranks.empty() || m_selection.ranks.size() == ranks;
        const std::string figures = fmt::format("rank {} is last in {:.0f} % of {} collectives",
                                                m_analysis.run->ranks[m_summary.mostLate].rank,
                                                100 * m_summary.mostLateShare, m_summary.counted);
        if (m_summary.counted < kFewest || !whole) {
            m_summary.patternText =
                figures + (whole ? " (too few to tell a habit from chance)." : " of the chosen ranks.");
            m_summary.patternText[0] = 'R';
            return;
        }
        const bool often =
            m_summary.mostLateShare > kHabit * fair && m_summary.mostLateShare > fair + 4 * deviation;
        m_summary.pattern = often ? LatePattern::Systematic : LatePattern::Random;
        m_summary.patternText = fmt::format("{}: {}; chance would be {:.0f} %.",
                                            often ? "Systematic" : "Random", figures, 100 * fair);
    }

    /// Beside who is last how often: for whom the time was lost, and whether one collective made it. Head
    /// transients are left out.
    void weigh() {
        const TimeNs all = std::accumulate(m_caused.begin(), m_caused.end(), TimeNs{0});
        if (all == 0)
            return;
        const auto most =
            static_cast<std::size_t>(std::max_element(m_caused.begin(), m_caused.end()) - m_caused.begin());
        const bool whole = m_selection.ranks.empty() || m_selection.ranks.size() == m_summary.ranks.size();
        m_summary.patternText +=
            fmt::format(" By time, {:.0f} % of the waiting{} is for rank {}",
                        100 * static_cast<double>(m_caused[most]) / static_cast<double>(all),
                        whole ? "" : " for the chosen ranks", m_analysis.run->ranks[most].rank);
        if (2 * m_largest[most] >= m_caused[most])
            m_summary.patternText +=
                fmt::format(", {} of it in one collective", timeText(static_cast<double>(m_largest[most])));
        m_summary.patternText += '.';
    }

    const RunAnalysis& m_analysis;
    const BreakdownSelection& m_selection;
    std::set<std::uint32_t> m_steps;
    std::vector<TimeNs> m_caused;  ///< by rank: what the others waited for it
    std::vector<TimeNs> m_largest; ///< by rank: in one collective
    std::vector<double> m_last;    ///< collectives that each rank was last in, beyond the residual
    StallSummary m_summary;
};

} // namespace

StallSummary summariseStalls(const RunAnalysis& analysis, const BreakdownSelection& selection) {
    return Summariser(analysis, selection).summarise();
}

} // namespace lockstep
