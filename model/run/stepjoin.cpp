#include "model/run/stepjoin.h"

#include "model/run/roughclock.h"
#include "model/run/run.h"

#include <algorithm>

#include <fmt/format.h>

namespace lockstep {

namespace {

/// A joined step while ranks are added to it.
struct Row {
    TimeRange range; ///< on the first rank's clock, of the rank that has it first
    std::vector<std::int32_t> local;
};

TimeNs overlapOf(TimeRange a, TimeRange b) {
    return std::max<TimeNs>(0, intersection(a, b).length());
}

/// Pairs of rows and own steps, in order: each own step with the row that it overlaps most.
std::vector<std::int32_t> rowsByOverlap(const std::vector<Row>& rows, const std::vector<TimeRange>& own) {
    std::vector<std::int32_t> rowOf(own.size(), -1);
    std::size_t i = 0;
    for (std::size_t j = 0; j < own.size() && i < rows.size(); ++j) {
        while (i < rows.size() && rows[i].range.end <= own[j].begin)
            ++i;
        std::size_t best = i;
        for (std::size_t k = i; k < rows.size() && rows[k].range.begin < own[j].end; ++k)
            if (overlapOf(rows[k].range, own[j]) > overlapOf(rows[best].range, own[j]))
                best = k;
        if (best >= rows.size() || overlapOf(rows[best].range, own[j]) <= 0)
            continue;
        // The next own step may be the better partner of that row.
        if (j + 1 < own.size() &&
            overlapOf(rows[best].range, own[j + 1]) > overlapOf(rows[best].range, own[j]))
            continue;
        rowOf[j] = static_cast<std::int32_t>(best);
        i = best + 1;
    }
    return rowOf;
}

std::vector<TimeRange> rangesOf(std::span<const LocalStep> steps, const RoughClock& clock) {
    std::vector<TimeRange> ranges;
    ranges.reserve(steps.size());
    for (const LocalStep& step : steps)
        ranges.push_back({onFirstClock(clock, step.range.begin), onFirstClock(clock, step.range.end)});
    return ranges;
}

/// By place in the list, from the first step on whose name is that of the first row.
std::vector<std::int32_t> rowsByOrder(const std::vector<Row>& rows, std::span<const LocalStep> own,
                                      const std::vector<std::string>& rowNames) {
    std::vector<std::int32_t> rowOf(own.size(), -1);
    if (own.empty() || rows.empty())
        return rowOf;
    const auto first = std::find(rowNames.begin(), rowNames.end(), own.front().name);
    std::size_t row = first == rowNames.end() ? 0 : static_cast<std::size_t>(first - rowNames.begin());
    for (std::size_t j = 0; j < rowOf.size() && row < rows.size(); ++j, ++row)
        rowOf[j] = static_cast<std::int32_t>(row);
    return rowOf;
}

/// Adds a rank's steps: those without a row get one of their own, in time order.
void addRank(std::vector<Row>& rows, const std::vector<TimeRange>& own,
             const std::vector<std::int32_t>& rowOf, std::size_t rank, std::size_t rankCount) {
    std::vector<Row> added;
    std::vector<Row> merged;
    for (std::size_t j = 0; j < own.size(); ++j) {
        if (rowOf[j] >= 0) {
            rows[static_cast<std::size_t>(rowOf[j])].local[rank] = static_cast<std::int32_t>(j);
            continue;
        }
        Row row{own[j], std::vector<std::int32_t>(rankCount, -1)};
        row.local[rank] = static_cast<std::int32_t>(j);
        added.push_back(std::move(row));
    }
    if (added.empty())
        return;
    std::merge(std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()),
               std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()),
               std::back_inserter(merged), [](const Row& a, const Row& b) {
                   return a.range.begin < b.range.begin;
               });
    rows = std::move(merged);
}

} // namespace

JoinedSteps joinSteps(const Run& run, std::span<const std::span<const LocalStep>> ranks,
                      std::span<const RoughClock> clocks) {
    JoinedSteps joined;
    std::vector<Row> rows;
    std::vector<std::string> names;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const std::vector<TimeRange> own = rangesOf(ranks[rank], clocks[rank]);
        std::vector<std::int32_t> rowOf = rowsByOverlap(rows, own);
        const auto paired =
            static_cast<std::size_t>(std::count_if(rowOf.begin(), rowOf.end(), [](std::int32_t row) {
                return row >= 0;
            }));
        if (!clocks[rank].fromCollectives && !rows.empty() && !own.empty() &&
            paired * 2 < std::min(rows.size(), own.size())) {
            rowOf = rowsByOrder(rows, ranks[rank], names);
            joined.notes.push_back(fmt::format("The clocks of rank {} and rank {} do not agree and no "
                                               "collective joins them: their steps are "
                                               "joined by order.",
                                               run.ranks[rank].rank, run.ranks.front().rank));
        }
        addRank(rows, own, rowOf, rank, ranks.size());
        if (names.empty())
            for (const LocalStep& step : ranks[rank])
                names.push_back(step.name);
    }
    joined.rows.reserve(rows.size());
    for (Row& row : rows)
        joined.rows.push_back(std::move(row.local));
    return joined;
}

} // namespace lockstep
