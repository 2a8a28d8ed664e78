#include "model/analysis/comparison.h"

#include "model/analysis/runanalysis.h"
#include "model/analysis/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace lockstep {

namespace {

ComparedValue valueOf(double a, double b, const std::vector<double>& samplesA,
                      const std::vector<double>& samplesB) {
    const Samples ofA(samplesA);
    const Samples ofB(samplesB);
    return {a, b, ofA.median(), ofB.median(), ofA.medianDeviation(), ofB.medianDeviation()};
}

ComparedValue plainValue(double a, double b) {
    return {a, b, a, b, 0, 0};
}

const BreakdownRow* find(const std::vector<BreakdownRow>& rows, std::size_t category) {
    for (const BreakdownRow& row : rows)
        if (row.category == category)
            return &row;
    return nullptr;
}

class CategoryComparer {
public:
    CategoryComparer(const Breakdown& a, const Breakdown& b, double layersA, double layersB)
        : m_a(a)
        , m_b(b)
        , m_layersA(layersA)
        , m_layersB(layersB) {}

    [[nodiscard]] ComparedCategory compare(const BreakdownRow* a, const BreakdownRow* b) const {
        static const BreakdownRow kNothing;
        const BreakdownRow& rowA = a != nullptr ? *a : kNothing;
        const BreakdownRow& rowB = b != nullptr ? *b : kNothing;
        ComparedCategory compared;
        compared.label = a != nullptr ? rowA.label : rowB.label;
        compared.group = a != nullptr ? rowA.group : rowB.group;
        const double nsA = m_a.perStep(rowA.totalNs);
        const double nsB = m_b.perStep(rowB.totalNs);
        compared.ns = valueOf(nsA, nsB, rowA.stepNs, rowB.stepNs);
        compared.percentA = m_a.percent(rowA);
        compared.percentB = m_b.percent(rowB);
        compared.calls = plainValue(m_a.callsPerStep(rowA), m_b.callsPerStep(rowB));
        compared.perCall = plainValue(Breakdown::perCall(rowA), Breakdown::perCall(rowB));
        compared.perLayer =
            plainValue(m_layersA > 0 ? nsA / m_layersA : 0, m_layersB > 0 ? nsB / m_layersB : 0);
        return compared;
    }

private:
    const Breakdown& m_a;
    const Breakdown& m_b;
    double m_layersA;
    double m_layersB;
};

std::vector<ComparedCategory> compareCategories(const Breakdown& a, const Breakdown& b,
                                                const CategorySet& set, const CategoryComparer& comparer) {
    std::vector<ComparedCategory> result;
    for (std::size_t g = 0; g < set.groups.size(); ++g) {
        ComparedCategory group = comparer.compare(find(a.groups, g), find(b.groups, g));
        group.id = set.groups[g].id;
        group.isGroup = true;
        result.push_back(std::move(group));
        std::vector<ComparedCategory> parts;
        for (std::size_t c = 0; c < set.categories.size(); ++c) {
            if (set.categories[c].group != g)
                continue;
            const BreakdownRow* rowA = find(a.rows, c);
            const BreakdownRow* rowB = find(b.rows, c);
            if (rowA == nullptr && rowB == nullptr)
                continue;
            ComparedCategory part = comparer.compare(rowA, rowB);
            part.id = set.categories[c].id;
            parts.push_back(std::move(part));
        }
        if (parts.size() > 1 || (parts.size() == 1 && parts.front().label != result.back().label))
            result.insert(result.end(), std::make_move_iterator(parts.begin()),
                          std::make_move_iterator(parts.end()));
    }
    const BreakdownRow* idleA = find(a.rows, BreakdownRow::kIdle);
    const BreakdownRow* idleB = find(b.rows, BreakdownRow::kIdle);
    if (idleA != nullptr || idleB != nullptr) {
        ComparedCategory idle = comparer.compare(idleA, idleB);
        idle.id = "idle";
        idle.isGroup = true;
        result.push_back(std::move(idle));
    }
    return result;
}

/// One figure of each chosen step, mean over the ranks that ran it.
template <class Figure>
std::vector<double> figureOf(const RunAnalysis& analysis, const Breakdown& breakdown, Figure figure) {
    std::vector<double> values;
    for (const std::uint32_t step : breakdown.steps) {
        double sum = 0;
        int ranks = 0;
        for (const std::size_t rank : breakdown.ranks) {
            const RankStep& part = analysis.steps.steps[step].ranks[rank];
            const std::optional<TimeNs> value = part.present ? figure(part) : std::nullopt;
            if (!value)
                continue;
            sum += static_cast<double>(*value);
            ++ranks;
        }
        if (ranks > 0)
            values.push_back(sum / ranks);
    }
    return values;
}

std::vector<ComparedStepFigure> compareSteps(const RunAnalysis& a, const Breakdown& ofA, const RunAnalysis& b,
                                             const Breakdown& ofB) {
    std::vector<ComparedStepFigure> result;
    auto add = [&](const char* key, const char* label, auto figure) {
        const std::vector<double> valuesA = figureOf(a, ofA, figure);
        const std::vector<double> valuesB = figureOf(b, ofB, figure);
        ComparedStepFigure compared;
        compared.key = key;
        compared.label = label;
        compared.known = !valuesA.empty() && !valuesB.empty();
        compared.ns = valueOf(Samples(valuesA).mean(), Samples(valuesB).mean(), valuesA, valuesB);
        result.push_back(std::move(compared));
    };
    using Value = std::optional<TimeNs>;
    add("period", "period (begin to begin)", [](const RankStep& s) {
        return s.periodNs;
    });
    add("wall", "wall", [](const RankStep& s) -> Value {
        return s.wallNs();
    });
    add("busy", "GPU busy", [](const RankStep& s) -> Value {
        return s.busyNs;
    });
    add("idle", "GPU idle", [](const RankStep& s) -> Value {
        return s.idleNs();
    });
    add("kernel_sum", "kernels added up", [](const RankStep& s) -> Value {
        return s.kernelSumNs;
    });
    add("exposed_communication", "exposed communication", [](const RankStep& s) -> Value {
        return s.exposedCommunicationNs;
    });
    return result;
}

ComparedStalls stallsOf(const RunAnalysis& analysis, const Breakdown& breakdown) {
    ComparedStalls stalls;
    if (!breakdown.groups.empty() && breakdown.groups.front().waitNs && breakdown.groups.front().transferNs) {
        const BreakdownRow& allReduce = breakdown.groups.front();
        const auto wait = static_cast<double>(*allReduce.waitNs);
        const auto transfer = static_cast<double>(*allReduce.transferNs);
        stalls.known = true;
        stalls.waitPerStepNs = breakdown.perStep(*allReduce.waitNs);
        stalls.transferPerStepNs = breakdown.perStep(*allReduce.transferNs);
        if (allReduce.calls > 0) {
            stalls.waitPerCallNs = wait / static_cast<double>(allReduce.calls);
            stalls.transferPerCallNs = transfer / static_cast<double>(allReduce.calls);
        }
        stalls.waitShare = wait + transfer > 0 ? wait / (wait + transfer) : 0;
    }
    TimeNs all = 0;
    TimeNs worst = 0;
    for (std::size_t r = 0; r < analysis.stalls.ranks.size() && r < analysis.run->ranks.size(); ++r) {
        all += analysis.stalls.ranks[r].causedNs;
        if (analysis.stalls.ranks[r].causedNs > worst) {
            worst = analysis.stalls.ranks[r].causedNs;
            stalls.worstRank = analysis.run->ranks[r].rank;
        }
    }
    stalls.worstRankShare = all > 0 ? static_cast<double>(worst) / static_cast<double>(all) : 0;
    return stalls;
}

struct KernelKey {
    std::string name;
    std::uint8_t category = 0;
    auto operator<=>(const KernelKey&) const = default;
};

std::map<KernelKey, const KernelStats*> kernelsOf(const RunAnalysis& analysis,
                                                  const KernelStatsTable& stats) {
    std::map<KernelKey, const KernelStats*> kernels;
    for (const KernelStats& row : stats.rows)
        kernels.emplace(KernelKey{std::string(analysis.run->strings->view(row.name)), row.category}, &row);
    return kernels;
}

void compareKernels(const RunAnalysis& a, const KernelStatsTable& ofA, const RunAnalysis& b,
                    const KernelStatsTable& ofB, const CategorySet& set, Comparison& comparison) {
    const auto kernelsA = kernelsOf(a, ofA);
    const auto kernelsB = kernelsOf(b, ofB);
    auto perStep = [](const KernelStats* row, const KernelStatsTable& stats) {
        return row != nullptr && stats.cells > 0
                   ? static_cast<double>(row->totalNs) / static_cast<double>(stats.cells)
                   : 0;
    };
    auto calls = [](const KernelStats* row, const KernelStatsTable& stats) {
        return row != nullptr && stats.cells > 0
                   ? static_cast<double>(row->count) / static_cast<double>(stats.cells)
                   : 0;
    };
    auto compared = [&](const KernelKey& key, const KernelStats* rowA, const KernelStats* rowB) {
        ComparedKernel kernel;
        kernel.name = key.name;
        kernel.category = set.categories[key.category].label;
        kernel.perStep = plainValue(perStep(rowA, ofA), perStep(rowB, ofB));
        kernel.perCall = {rowA != nullptr ? rowA->meanNs : 0,
                          rowB != nullptr ? rowB->meanNs : 0,
                          rowA != nullptr ? rowA->p50Ns : 0,
                          rowB != nullptr ? rowB->p50Ns : 0,
                          0,
                          0};
        kernel.calls = plainValue(calls(rowA, ofA), calls(rowB, ofB));
        return kernel;
    };
    for (const auto& [key, rowA] : kernelsA) {
        const auto it = kernelsB.find(key);
        if (it != kernelsB.end())
            comparison.sharedKernels.push_back(compared(key, rowA, it->second));
        else
            comparison.onlyA.push_back(compared(key, rowA, nullptr));
    }
    for (const auto& [key, rowB] : kernelsB)
        if (!kernelsA.contains(key))
            comparison.onlyB.push_back(compared(key, nullptr, rowB));
    auto byDifference = [](const ComparedKernel& x, const ComparedKernel& y) {
        return std::abs(x.perStep.difference()) > std::abs(y.perStep.difference());
    };
    std::stable_sort(comparison.sharedKernels.begin(), comparison.sharedKernels.end(), byDifference);
    std::stable_sort(comparison.onlyA.begin(), comparison.onlyA.end(), byDifference);
    std::stable_sort(comparison.onlyB.begin(), comparison.onlyB.end(), byDifference);
}

} // namespace

std::optional<double> ComparedValue::effect() const {
    constexpr double kDeviationsPerSpread = 1.4826; // of a normal distribution
    const double spread = kDeviationsPerSpread * std::sqrt((spreadA * spreadA + spreadB * spreadB) / 2);
    if (spread <= 0)
        return std::nullopt;
    return (medianA - medianB) / spread;
}

Comparison compareRuns(const ComparisonSide& a, const ComparisonSide& b, const CategorySet& set,
                       Attribution attribution) {
    Comparison comparison;
    comparison.attribution = attribution;
    comparison.labelA = a.label.empty() ? a.analysis->run->name : a.label;
    comparison.labelB = b.label.empty() ? b.analysis->run->name : b.label;
    if (comparison.labelA == comparison.labelB) {
        comparison.labelA += " (A)";
        comparison.labelB += " (B)";
    }
    comparison.portraitA = portraitOf(*a.analysis, a.model);
    comparison.portraitB = portraitOf(*b.analysis, b.model);
    comparison.portrait = comparePortraits(comparison.portraitA, comparison.portraitB);
    comparison.hbmA = a.hbm;
    comparison.hbmB = b.hbm;

    const Breakdown ofA = breakdownOf(*a.analysis, set, *a.categories, attribution, a.selection);
    const Breakdown ofB = breakdownOf(*b.analysis, set, *b.categories, attribution, b.selection);
    for (PortraitLine& line : comparison.portrait)
        if (line.key == "steps") { // those that were chosen, not all typical ones
            line.a = std::to_string(ofA.steps.size());
            line.b = std::to_string(ofB.steps.size());
        }
    const CategoryComparer comparer(ofA, ofB, comparison.portraitA.layers, comparison.portraitB.layers);
    comparison.categories = compareCategories(ofA, ofB, set, comparer);
    comparison.steps = compareSteps(*a.analysis, ofA, *b.analysis, ofB);
    comparison.stallsA = stallsOf(*a.analysis, ofA);
    comparison.stallsB = stallsOf(*b.analysis, ofB);
    compareKernels(*a.analysis, kernelStats(*a.analysis, *a.categories, a.selection), *b.analysis,
                   kernelStats(*b.analysis, *b.categories, b.selection), set, comparison);
    comparison.findings = findingsOf(comparison);
    return comparison;
}

} // namespace lockstep
