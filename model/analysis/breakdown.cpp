#include "model/analysis/breakdown.h"

#include "model/analysis/breakdownwall.h"
#include "model/analysis/runanalysis.h"
#include "model/analysis/samples.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace lockstep {

namespace {

constexpr std::size_t kSlots = CategorySet::kMaxCategories + 1;
constexpr std::uint8_t kLeftOut = CategorySet::kMaxCategories; ///< what filters leave out: no row shows it

/// Waits of one rank's matched collectives, by activity.
struct CallWait {
    std::uint32_t activity = 0;
    TimeNs waitNs = 0;
    TimeNs transferNs = 0;
};

std::vector<std::vector<CallWait>> waitsOf(const RunAnalysis& analysis) {
    std::vector<std::vector<CallWait>> waits(analysis.steps.ranks.size());
    const CollectiveTable& collectives = analysis.collectives;
    const std::size_t count = std::min(collectives.matched.size(), analysis.stalls.stalls.size());
    for (std::size_t k = 0; k < count; ++k)
        for (std::size_t r = 0; r < waits.size(); ++r) {
            const CollectiveCall* call = collectives.callOf(k, r);
            const RankWait& wait = analysis.stalls.waitOf(k, r);
            if (call != nullptr && wait.member())
                waits[r].push_back({call->activity, wait.waitNs, wait.transferNs});
        }
    for (auto& ofRank : waits)
        std::sort(ofRank.begin(), ofRank.end(), [](const CallWait& a, const CallWait& b) {
            return a.activity < b.activity;
        });
    return waits;
}

/// One category's times, in one cell or over all.
struct Tally {
    TimeNs ns = 0;    ///< as attributed
    TimeNs sumNs = 0; ///< durations added up
    TimeNs waitNs = 0;
    TimeNs transferNs = 0;
    std::uint64_t calls = 0;
    bool matched = false;

    void add(const Tally& other) {
        ns += other.ns;
        sumNs += other.sumNs;
        waitNs += other.waitNs;
        transferNs += other.transferNs;
        calls += other.calls;
        matched = matched || other.matched;
    }
};

/// One step on one rank.
struct Cell {
    std::array<Tally, kSlots> kernels{}; ///< by category; in wall attribution copies too
    std::array<Tally, kSlots> copies{};  ///< by category, in sum attribution
    TimeNs kernelSumNs = 0;
    TimeNs wallNs = 0;
    TimeNs idleNs = 0;
    TimeNs exposedNs = 0;
};

class BreakdownMaker {
public:
    using Waits = std::vector<std::vector<CallWait>>; ///< like Run::ranks, each by activity

    BreakdownMaker(const RunAnalysis& analysis, const CategorySet& set, const CategoryTable& table,
                   const Waits& waits, Attribution attribution)
        : m_analysis(analysis)
        , m_set(set)
        , m_table(table)
        , m_attribution(attribution)
        , m_waits(waits) {
        for (std::size_t c = 0; c < set.categories.size(); ++c)
            if (set.communicates(static_cast<std::uint8_t>(c)))
                m_communication |= 1u << c;
    }

    Breakdown make(const BreakdownSelection& selection);

private:
    std::optional<Cell> cellOf(std::uint32_t step, std::size_t rank,
                               const BreakdownSelection& selection) const;
    void addStep(Breakdown& breakdown, std::uint32_t step, const BreakdownSelection& selection);
    void addRows(Breakdown& breakdown);
    void addGroups(Breakdown& breakdown) const;
    void finish(BreakdownRow& row) const;

    const RunAnalysis& m_analysis;
    const CategorySet& m_set;
    const CategoryTable& m_table;
    Attribution m_attribution;
    const Waits& m_waits;
    std::uint32_t m_communication = 0;

    std::array<Tally, kSlots> m_totals{};
    std::array<Tally, kSlots> m_copies{};
    std::array<std::vector<double>, kSlots> m_stepNs;     ///< by category
    std::array<std::vector<double>, kSlots> m_copyStepNs; ///< by category
    std::vector<double> m_idleStepNs;
};

/// The stretches of one activity: work, or early start, waiting and moving of a matched collective.
void addIntervals(std::vector<CategoryInterval>& intervals, TimeRange range, std::uint8_t category,
                  const CallWait* wait) {
    using Part = CategoryInterval::Part;
    if (wait == nullptr) {
        intervals.push_back({range, category, Part::Work});
        return;
    }
    const TimeNs moving = std::max(range.begin, range.end - wait->transferNs);
    const TimeNs waiting = std::max(range.begin, moving - wait->waitNs);
    intervals.push_back({{range.begin, waiting}, category, Part::Work});
    intervals.push_back({{waiting, moving}, category, Part::Waiting});
    intervals.push_back({{moving, range.end}, category, Part::Moving});
}

std::optional<Cell> BreakdownMaker::cellOf(std::uint32_t step, std::size_t rank,
                                           const BreakdownSelection& selection) const {
    const std::optional<std::uint16_t>& layer = selection.layer;
    const std::vector<Step>& steps = m_analysis.steps.steps;
    if (step >= steps.size() || rank >= steps[step].ranks.size() || !steps[step].ranks[rank].present)
        return std::nullopt;
    const RankStep& rankStep = steps[step].ranks[rank];
    const RankActivities& activities = m_analysis.steps.ranks[rank];
    const EventStore& events = m_analysis.run->ranks[rank].events;
    Cell cell;
    TimeRange range = layer ? TimeRange{} : rankStep.range;
    std::vector<CategoryInterval> intervals;
    std::vector<CategoryInterval> left; // with what filters leave out in a slot of its own
    intervals.reserve(rankStep.endActivity - rankStep.firstActivity);
    std::uint32_t compute = 0;
    bool any = false;
    auto wait = m_waits[rank].begin();
    m_analysis.steps.forEachActivity(step, rank, [&](std::size_t activity, std::uint16_t itsLayer) {
        if (layer && itsLayer != *layer)
            return;
        const EventId event = activities.events[activity];
        const TimeRange span = events.range(event);
        const std::uint8_t category = m_table.category[rank][activity];
        const bool kernel = events.kind(event) == EventKind::Kernel;
        while (wait != m_waits[rank].end() && wait->activity < activity)
            ++wait;
        const bool matched = wait != m_waits[rank].end() && wait->activity == activity;
        if (layer)
            range = any ? TimeRange{std::min(range.begin, span.begin), std::max(range.end, span.end)} : span;
        any = true;
        compute |= kernel ? (1u << category) & ~m_communication : 0;
        addIntervals(intervals, span, category, matched ? &*wait : nullptr);
        const bool passes = selection.passes(rank, activity);
        if (selection.only)
            addIntervals(left, span, passes ? category : kLeftOut, matched ? &*wait : nullptr);
        if (!passes)
            return;
        const bool apart = !kernel && m_attribution == Attribution::Sum;
        Tally& tally = apart ? cell.copies[category] : cell.kernels[category];
        ++tally.calls;
        tally.sumNs += span.length();
        tally.matched = tally.matched || matched;
        tally.waitNs += matched ? wait->waitNs : 0;
        tally.transferNs += matched ? wait->transferNs : 0;
        cell.kernelSumNs += kernel ? span.length() : 0;
    });
    if (!any)
        return std::nullopt;
    // Idle and exposed is what all activities leave so, filtered or not; parts are of those that are left.
    WallShares shares = shareWallTime(range, intervals, m_communication, compute);
    if (selection.only)
        shares.categories = shareWallTime(range, left, m_communication, compute).categories;
    cell.wallNs = range.length();
    cell.idleNs = shares.idleNs;
    cell.exposedNs = shares.exposedCommunicationNs;
    for (std::size_t c = 0; c < kSlots; ++c) {
        Tally& tally = cell.kernels[c];
        const bool wall = m_attribution == Attribution::Wall;
        tally.ns = wall ? shares.categories[c].ns : tally.sumNs;
        if (wall) {
            tally.waitNs = shares.categories[c].waitingNs;
            tally.transferNs = shares.categories[c].movingNs;
        }
        cell.copies[c].ns = cell.copies[c].sumNs;
    }
    return cell;
}

void BreakdownMaker::addStep(Breakdown& breakdown, std::uint32_t step, const BreakdownSelection& selection) {
    std::array<TimeNs, kSlots> ofStep{};
    std::array<TimeNs, kSlots> copiesOfStep{};
    TimeNs idle = 0;
    std::size_t present = 0;
    for (const std::size_t rank : breakdown.ranks) {
        const std::optional<Cell> cell = cellOf(step, rank, selection);
        if (!cell)
            continue;
        ++present;
        idle += cell->idleNs;
        breakdown.kernelSumNs += cell->kernelSumNs;
        breakdown.wallNs += cell->wallNs;
        breakdown.idleNs += cell->idleNs;
        breakdown.exposedCommunicationNs += cell->exposedNs;
        for (std::size_t c = 0; c < kSlots; ++c) {
            m_totals[c].add(cell->kernels[c]);
            m_copies[c].add(cell->copies[c]);
            ofStep[c] += cell->kernels[c].ns;
            copiesOfStep[c] += cell->copies[c].ns;
        }
    }
    if (present == 0)
        return;
    breakdown.steps.push_back(step);
    breakdown.cells += present;
    const auto ranks = static_cast<double>(present);
    m_idleStepNs.push_back(static_cast<double>(idle) / ranks);
    for (std::size_t c = 0; c < kSlots; ++c) {
        m_stepNs[c].push_back(static_cast<double>(ofStep[c]) / ranks);
        m_copyStepNs[c].push_back(static_cast<double>(copiesOfStep[c]) / ranks);
    }
}

void BreakdownMaker::finish(BreakdownRow& row) const {
    const Samples samples(row.stepNs);
    row.p50Ns = samples.quantile(0.50);
    row.p95Ns = samples.quantile(0.95);
    row.p99Ns = samples.quantile(0.99);
}

void BreakdownMaker::addRows(Breakdown& breakdown) {
    auto rowOf = [this](std::uint8_t c, const Tally& tally, std::vector<double> stepNs) {
        BreakdownRow row;
        row.category = c;
        row.label = m_set.categories[c].label;
        row.group = m_set.groupOf(c).label;
        row.totalNs = tally.ns;
        row.sumNs = tally.sumNs;
        row.calls = tally.calls;
        if (tally.matched) {
            row.waitNs = tally.waitNs;
            row.transferNs = tally.transferNs;
        }
        row.stepNs = std::move(stepNs);
        finish(row);
        return row;
    };
    for (std::size_t c = 0; c < m_set.categories.size(); ++c) {
        const auto category = static_cast<std::uint8_t>(c);
        if (m_totals[c].calls > 0)
            breakdown.rows.push_back(rowOf(category, m_totals[c], m_stepNs[c]));
        if (m_copies[c].calls > 0)
            breakdown.besides.push_back(rowOf(category, m_copies[c], m_copyStepNs[c]));
        breakdown.totalNs += m_totals[c].ns;
    }
    if (m_attribution == Attribution::Wall) {
        BreakdownRow idle;
        idle.category = BreakdownRow::kIdle;
        idle.label = "Idle";
        idle.group = "Idle";
        idle.totalNs = breakdown.idleNs;
        idle.stepNs = m_idleStepNs;
        finish(idle);
        breakdown.rows.push_back(std::move(idle));
        breakdown.totalNs += breakdown.idleNs;
    }
}

void BreakdownMaker::addGroups(Breakdown& breakdown) const {
    for (std::size_t g = 0; g < m_set.groups.size(); ++g) {
        BreakdownRow group;
        group.category = static_cast<std::uint8_t>(g);
        group.label = m_set.groups[g].label;
        group.group = group.label;
        group.stepNs.assign(breakdown.steps.size(), 0.0);
        for (const BreakdownRow& row : breakdown.rows) {
            if (row.category == BreakdownRow::kIdle || m_set.categories[row.category].group != g)
                continue;
            group.totalNs += row.totalNs;
            group.sumNs += row.sumNs;
            group.calls += row.calls;
            if (row.waitNs && row.transferNs) {
                group.waitNs = group.waitNs.value_or(0) + *row.waitNs;
                group.transferNs = group.transferNs.value_or(0) + *row.transferNs;
            }
            for (std::size_t s = 0; s < row.stepNs.size(); ++s)
                group.stepNs[s] += row.stepNs[s];
        }
        finish(group);
        breakdown.groups.push_back(std::move(group));
    }
    for (const BreakdownRow& row : breakdown.rows)
        if (row.category == BreakdownRow::kIdle)
            breakdown.groups.push_back(row);
}

Breakdown BreakdownMaker::make(const BreakdownSelection& selection) {
    Breakdown breakdown;
    breakdown.attribution = m_attribution;
    breakdown.ranks = selection.ranks;
    const std::size_t rankCount = std::min(m_table.category.size(), m_analysis.steps.ranks.size());
    if (breakdown.ranks.empty()) {
        breakdown.ranks.resize(rankCount);
        std::iota(breakdown.ranks.begin(), breakdown.ranks.end(), std::size_t{0});
    }
    std::erase_if(breakdown.ranks, [rankCount](std::size_t rank) {
        return rank >= rankCount;
    });
    const std::vector<std::uint32_t> steps =
        selection.steps.empty() ? m_analysis.steps.typicalSteps() : selection.steps;
    for (const std::uint32_t step : steps)
        addStep(breakdown, step, selection);
    breakdown.busyNs = breakdown.wallNs - breakdown.idleNs;
    addRows(breakdown);
    addGroups(breakdown);

    std::vector<double> periods;
    for (const std::uint32_t step : breakdown.steps)
        for (const std::size_t rank : breakdown.ranks) {
            const RankStep& rankStep = m_analysis.steps.steps[step].ranks[rank];
            if (rankStep.present && rankStep.periodNs)
                periods.push_back(static_cast<double>(*rankStep.periodNs));
        }
    if (!periods.empty() && !selection.layer)
        breakdown.periodNs = Samples(std::move(periods)).mean();
    if (const auto unclassified = m_set.find("unclassified"); unclassified && breakdown.totalNs > 0)
        breakdown.unclassifiedShare =
            static_cast<double>(m_totals[*unclassified].ns) / static_cast<double>(breakdown.totalNs);
    return breakdown;
}

} // namespace

std::string_view nameOf(Attribution attribution) {
    return attribution == Attribution::Sum ? "sum" : "wall";
}

Breakdown breakdownOf(const RunAnalysis& analysis, const CategorySet& set, const CategoryTable& table,
                      Attribution attribution, const BreakdownSelection& selection) {
    const BreakdownMaker::Waits waits = waitsOf(analysis);
    return BreakdownMaker(analysis, set, table, waits, attribution).make(selection);
}

std::vector<Breakdown> breakdownByLayer(const RunAnalysis& analysis, const CategorySet& set,
                                        const CategoryTable& table, Attribution attribution,
                                        const BreakdownSelection& selection) {
    BreakdownSelection ofLayer = selection;
    if (ofLayer.steps.empty())
        ofLayer.steps = analysis.steps.typicalSteps();
    std::uint32_t layers = 0;
    for (const std::uint32_t step : ofLayer.steps)
        if (step < analysis.steps.steps.size())
            for (const RankStep& rankStep : analysis.steps.steps[step].ranks)
                layers = std::max(layers, rankStep.layers);
    const BreakdownMaker::Waits waits = waitsOf(analysis);
    std::vector<Breakdown> breakdowns;
    for (std::uint32_t layer = 0; layer < layers; ++layer) {
        ofLayer.layer = static_cast<std::uint16_t>(layer);
        breakdowns.push_back(BreakdownMaker(analysis, set, table, waits, attribution).make(ofLayer));
    }
    return breakdowns;
}

} // namespace lockstep
