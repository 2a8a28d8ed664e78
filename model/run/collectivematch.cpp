#include "model/run/collectivecalls.h"
#include "model/run/collectives.h"
#include "model/run/roughclock.h"
#include "model/run/run.h"
#include "model/run/steps.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

namespace lockstep {

namespace {

constexpr std::uint32_t kNone = RankActivities::kNone;

/// Writes each call's step and layer, walking along the rank's runs.
void placeCalls(const RankActivities& activities, std::vector<CollectiveCall>& calls) {
    std::size_t run = 0;
    for (CollectiveCall& call : calls) {
        while (activities.endOfRun(run) <= call.activity)
            ++run;
        call.step = activities.runs[run].step;
        call.layer = activities.runs[run].layer;
    }
}

/// Own items to reference items by sequence number.
std::vector<std::int32_t> pairBySequence(const EndOrder& reference, const EndOrder& own) {
    std::vector<std::pair<std::int64_t, std::int32_t>> places;
    for (std::size_t i = 0; i < reference.items.size(); ++i)
        places.emplace_back(reference.items[i].sequence, static_cast<std::int32_t>(i));
    std::sort(places.begin(), places.end());
    std::vector<std::int32_t> pairs(own.items.size(), -1);
    for (std::size_t j = 0; j < own.items.size(); ++j) {
        const auto at = std::lower_bound(places.begin(), places.end(), std::pair(own.items[j].sequence, -1));
        if (at != places.end() && at->first == own.items[j].sequence)
            pairs[j] = at->second;
    }
    return pairs;
}

/// Pairs the k-th call of a step with the k-th, in steps where both have equally many; what is paired already
/// stays.
void pairByStep(const std::vector<CollectiveCall>& referenceCalls, const EndOrder& reference,
                const std::vector<CollectiveCall>& ownCalls, const EndOrder& own,
                std::vector<std::int32_t>& pairs) {
    const auto bySteps = [](const std::vector<CollectiveCall>& calls, const EndOrder& order) {
        std::map<std::uint32_t, std::vector<std::uint32_t>> steps;
        std::vector<std::uint32_t> items(order.calls.size());
        std::iota(items.begin(), items.end(), 0u);
        std::sort(items.begin(), items.end(), [&](std::uint32_t a, std::uint32_t b) {
            return order.calls[a] < order.calls[b];
        });
        for (const std::uint32_t item : items)
            if (calls[order.calls[item]].step != kNone)
                steps[calls[order.calls[item]].step].push_back(item);
        return steps;
    };
    std::vector<char> taken(reference.items.size(), 0);
    for (const std::int32_t pair : pairs)
        if (pair >= 0)
            taken[static_cast<std::size_t>(pair)] = 1;
    const auto there = bySteps(referenceCalls, reference);
    for (const auto& [step, items] : bySteps(ownCalls, own)) {
        const auto at = there.find(step);
        if (at == there.end() || at->second.size() != items.size())
            continue;
        for (std::size_t k = 0; k < items.size(); ++k)
            if (pairs[items[k]] < 0 && taken[at->second[k]] == 0)
                pairs[items[k]] = static_cast<std::int32_t>(at->second[k]);
    }
}

bool allNumbered(const EndOrder& order) {
    return std::all_of(order.items.begin(), order.items.end(), [](const TimedItem& item) {
        return item.sequence >= 0;
    });
}

std::size_t pairedCount(const std::vector<std::int32_t>& pairs) {
    return static_cast<std::size_t>(std::count_if(pairs.begin(), pairs.end(), [](std::int32_t pair) {
        return pair >= 0;
    }));
}

/// Matches the calls of one key over its member ranks.
class KeyMatcher {
public:
    KeyMatcher(const Run& run, const StepTable& steps, const CollectiveCalls& calls, std::uint32_t key)
        : m_run(run)
        , m_steps(steps)
        , m_calls(calls)
        , m_key(key) {}

    /// Adds a row of ranks for each collective that all members hold; -1 for ranks that are none.
    void match(std::vector<std::int32_t>& rows, std::vector<std::string>& notes) {
        chooseMembers(notes);
        if (m_members.size() < 2)
            return;
        const std::size_t first = m_members.front();
        const EndOrder& reference = m_ends[first];
        std::vector<std::vector<std::int32_t>> partner(m_members.size());
        partner[0].resize(reference.calls.size());
        for (std::size_t i = 0; i < reference.calls.size(); ++i)
            partner[0][i] = static_cast<std::int32_t>(reference.calls[i]);
        for (std::size_t k = 1; k < m_members.size(); ++k) {
            const EndOrder& own = m_ends[m_members[k]];
            const std::vector<std::int32_t> pairs = pairsOf(first, m_members[k]);
            partner[k].assign(reference.calls.size(), -1);
            for (std::size_t j = 0; j < pairs.size(); ++j)
                if (pairs[j] >= 0)
                    partner[k][static_cast<std::size_t>(pairs[j])] = static_cast<std::int32_t>(own.calls[j]);
        }
        for (std::size_t i = 0; i < reference.calls.size(); ++i) {
            const bool whole =
                std::all_of(partner.begin(), partner.end(), [i](const std::vector<std::int32_t>& calls) {
                    return calls[i] >= 0;
                });
            if (!whole)
                continue;
            const std::size_t row = rows.size();
            rows.resize(row + m_run.ranks.size(), -1);
            for (std::size_t k = 0; k < m_members.size(); ++k)
                rows[row + m_members[k]] = partner[k][i];
        }
    }

private:
    /// A rank that holds almost none of what the others do was not recorded with them.
    void chooseMembers(std::vector<std::string>& notes) {
        std::vector<std::size_t> counts;
        for (std::size_t rank = 0; rank < m_run.ranks.size(); ++rank) {
            m_ends.push_back(endsOfKey(m_run, m_calls, rank, m_key));
            if (!m_ends.back().calls.empty())
                counts.push_back(m_ends.back().calls.size());
        }
        if (counts.empty())
            return;
        std::sort(counts.begin(), counts.end());
        const std::size_t median = counts[counts.size() / 2];
        for (std::size_t rank = 0; rank < m_run.ranks.size(); ++rank) {
            const std::size_t count = m_ends[rank].calls.size();
            if (count == 0)
                continue;
            if (count * 5 >= median)
                m_members.push_back(rank);
            else
                notes.push_back(
                    fmt::format("Rank {} holds only {} of about {} {} calls: the others are matched "
                                "without it.",
                                m_run.ranks[rank].rank, count, median, nameOf(m_calls.kindOfKey(m_key))));
        }
    }

    std::vector<std::int32_t> pairsOf(std::size_t first, std::size_t rank) const {
        const EndOrder& reference = m_ends[first];
        const EndOrder& own = m_ends[rank];
        if (allNumbered(reference) && allNumbered(own)) {
            std::vector<std::int32_t> pairs = pairBySequence(reference, own);
            if (pairedCount(pairs) * 2 >= std::min(reference.items.size(), own.items.size()))
                return pairs;
        }
        std::vector<std::int32_t> pairs(own.items.size(), -1);
        const RoughClock& a = m_steps.clocks[first];
        const RoughClock& b = m_steps.clocks[rank];
        if (synchronises(m_calls.kindOfKey(m_key)) && (a.fromCollectives || b.fromCollectives))
            pairs = pairByTime(reference.items, own.items, offsetBetween(a, b, reference.items, own.items));
        pairByStep(m_calls.calls[first], reference, m_calls.calls[rank], own, pairs);
        // Nothing but the order is left to go by, and it is safe only where no call is missing.
        if (pairedCount(pairs) == 0 && reference.items.size() == own.items.size())
            std::iota(pairs.begin(), pairs.end(), 0);
        return pairs;
    }

    const Run& m_run;
    const StepTable& m_steps;
    const CollectiveCalls& m_calls;
    std::uint32_t m_key;
    std::vector<EndOrder> m_ends;       ///< like Run::ranks
    std::vector<std::size_t> m_members; ///< ranks
};

/// Puts the rows in time order and describes each.
void orderMatched(const Run& run, const StepTable& steps, const std::vector<std::int32_t>& rows,
                  CollectiveTable& table) {
    const std::size_t width = run.ranks.size();
    struct Place {
        TimeNs at;
        std::size_t row;
    };
    std::vector<Place> places;
    places.reserve(rows.size() / std::max<std::size_t>(width, 1));
    for (std::size_t row = 0; row < rows.size(); row += width) {
        std::size_t rank = 0;
        while (rows[row + rank] < 0)
            ++rank;
        const CollectiveCall& call = table.calls[rank][static_cast<std::size_t>(rows[row + rank])];
        places.push_back({onFirstClock(steps.clocks[rank], run.ranks[rank].events.begin(call.event)), row});
    }
    std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
        return a.at < b.at;
    });
    table.matched.reserve(places.size());
    table.members.reserve(rows.size());
    for (const Place& place : places) {
        Collective collective;
        collective.ordinal = static_cast<std::uint32_t>(table.matched.size());
        bool described = false;
        for (std::size_t rank = 0; rank < width; ++rank) {
            const std::int32_t index = rows[place.row + rank];
            table.members.push_back(index);
            if (index < 0)
                continue;
            const CollectiveCall& call = table.calls[rank][static_cast<std::size_t>(index)];
            if (!described)
                collective.group = call.group;
            described = true;
            if (collective.step == kNone)
                collective.step = call.step;
            if (collective.layer == RankActivities::kNoLayer)
                collective.layer = call.layer;
        }
        table.matched.push_back(collective);
    }
}

} // namespace

std::size_t CollectiveTable::memoryBytes() const {
    std::size_t bytes = matched.capacity() * sizeof(Collective) + members.capacity() * sizeof(std::int32_t) +
                        groups.capacity() * sizeof(CollectiveGroup);
    for (const auto& rank : calls)
        bytes += rank.capacity() * sizeof(CollectiveCall);
    for (const auto& rank : unmatched)
        bytes += rank.capacity() * sizeof(std::uint32_t);
    return bytes;
}

CollectiveTable matchCollectives(const Run& run, const StepTable& steps) {
    std::vector<std::span<const EventId>> activities;
    for (const RankActivities& rank : steps.ranks)
        activities.emplace_back(rank.events);
    CollectiveCalls found = findCalls(run, KernelNames(run), activities);
    CollectiveTable table;
    std::vector<std::int32_t> rows;
    for (std::size_t rank = 0; rank < found.calls.size(); ++rank)
        placeCalls(steps.ranks[rank], found.calls[rank]);
    const std::uint32_t keys =
        found.keys.empty() ? 0 : *std::max_element(found.keys.begin(), found.keys.end()) + 1;
    for (std::uint32_t key = 0; key < keys; ++key)
        KeyMatcher(run, steps, found, key).match(rows, table.notes);
    table.groups = std::move(found.groups);
    table.calls = std::move(found.calls);
    orderMatched(run, steps, rows, table);
    table.unmatched.resize(run.ranks.size());
    std::size_t lost = 0;
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
        std::vector<char> used(table.calls[rank].size(), 0);
        for (std::size_t i = rank; i < table.members.size(); i += run.ranks.size())
            if (table.members[i] >= 0)
                used[static_cast<std::size_t>(table.members[i])] = 1;
        for (std::uint32_t call = 0; call < used.size(); ++call)
            if (used[call] == 0)
                table.unmatched[rank].push_back(call);
        table.unmatched[rank].shrink_to_fit();
        lost += table.unmatched[rank].size();
    }
    if (lost > 0 && run.ranks.size() > 1)
        table.notes.push_back(
            fmt::format("{} collective calls could not be matched: some rank does not hold them.", lost));
    return table;
}

} // namespace lockstep
