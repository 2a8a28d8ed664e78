#include "model/analysis/kernelstats.h"

#include "model/analysis/runanalysis.h"
#include "model/analysis/samples.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace lockstep {

namespace {

struct Gathered {
    KernelStats stats;
    std::vector<double> durations;
};

class KernelGatherer {
public:
    KernelGatherer(const RunAnalysis& analysis, const CategoryTable& table)
        : m_analysis(analysis)
        , m_table(table) {}

    void add(std::size_t rank, std::size_t column, std::size_t columns, std::size_t activity) {
        const EventStore& events = m_analysis.run->ranks[rank].events;
        const EventId event = m_analysis.steps.ranks[rank].events[activity];
        const std::uint8_t category = m_table.category[rank][activity];
        const std::uint64_t key = (std::uint64_t{events.name(event).value} << 8) | category;
        const auto [it, isNew] = m_index.try_emplace(key, m_gathered.size());
        if (isNew) {
            Gathered& fresh = m_gathered.emplace_back();
            fresh.stats.name = events.name(event);
            fresh.stats.category = category;
            fresh.stats.kernel = events.kind(event) == EventKind::Kernel;
            fresh.stats.minNs = events.duration(event);
            fresh.stats.ranks.resize(columns);
        }
        Gathered& gathered = m_gathered[it->second];
        const TimeNs duration = events.duration(event);
        ++gathered.stats.count;
        gathered.stats.totalNs += duration;
        gathered.stats.minNs = std::min(gathered.stats.minNs, duration);
        gathered.stats.maxNs = std::max(gathered.stats.maxNs, duration);
        ++gathered.stats.ranks[column].count;
        gathered.stats.ranks[column].totalNs += duration;
        gathered.durations.push_back(static_cast<double>(duration));
    }

    void finish(KernelStatsTable& result) {
        for (const Gathered& gathered : m_gathered)
            result.totalNs += gathered.stats.totalNs;
        for (Gathered& gathered : m_gathered) {
            KernelStats& stats = gathered.stats;
            const Samples samples(std::move(gathered.durations));
            stats.meanNs = static_cast<double>(stats.totalNs) / static_cast<double>(stats.count);
            stats.p50Ns = samples.median();
            stats.p99Ns = samples.quantile(0.99);
            stats.share = result.totalNs > 0
                              ? static_cast<double>(stats.totalNs) / static_cast<double>(result.totalNs)
                              : 0;
            result.rows.push_back(std::move(stats));
        }
        std::sort(result.rows.begin(), result.rows.end(), [](const KernelStats& a, const KernelStats& b) {
            return a.totalNs != b.totalNs ? a.totalNs > b.totalNs
                                          : std::pair(a.name, a.category) < std::pair(b.name, b.category);
        });
    }

private:
    const RunAnalysis& m_analysis;
    const CategoryTable& m_table;
    std::unordered_map<std::uint64_t, std::size_t> m_index;
    std::vector<Gathered> m_gathered;
};

} // namespace

KernelStatsTable kernelStats(const RunAnalysis& analysis, const CategoryTable& table,
                             const BreakdownSelection& selection, KernelScope scope) {
    KernelStatsTable result;
    result.ranks = selection.ranks;
    const std::size_t rankCount = std::min(table.category.size(), analysis.steps.ranks.size());
    if (result.ranks.empty()) {
        result.ranks.resize(rankCount);
        std::iota(result.ranks.begin(), result.ranks.end(), std::size_t{0});
    }
    std::erase_if(result.ranks, [rankCount](std::size_t rank) {
        return rank >= rankCount;
    });
    const std::vector<std::uint32_t> steps =
        selection.steps.empty() ? analysis.steps.typicalSteps() : selection.steps;
    KernelGatherer gatherer(analysis, table);
    for (std::size_t column = 0; column < result.ranks.size(); ++column) {
        const std::size_t rank = result.ranks[column];
        if (scope == KernelScope::Everything) {
            ++result.cells;
            for (std::size_t i = 0; i < table.category[rank].size(); ++i)
                if (selection.passes(rank, i))
                    gatherer.add(rank, column, result.ranks.size(), i);
            continue;
        }
        for (const std::uint32_t step : steps) {
            if (step >= analysis.steps.steps.size() || !analysis.steps.steps[step].ranks[rank].present)
                continue;
            ++result.cells;
            analysis.steps.forEachActivity(step, rank, [&](std::size_t activity, std::uint16_t layer) {
                if ((!selection.layer || layer == *selection.layer) && selection.passes(rank, activity))
                    gatherer.add(rank, column, result.ranks.size(), activity);
            });
        }
    }
    gatherer.finish(result);
    return result;
}

} // namespace lockstep
