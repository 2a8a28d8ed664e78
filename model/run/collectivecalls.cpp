#include "model/run/collectivecalls.h"

#include "model/run/run.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace lockstep {

namespace {

/// Bytes of one element of a `dtype` as PyTorch names it; -1 if unknown.
std::int64_t bytesOfType(std::string_view dtype) {
    constexpr std::pair<std::string_view, std::int64_t> kTypes[] = {
        {"BFloat16", 2}, {"Half", 2}, {"Float", 4}, {"Double", 8}, {"Byte", 1},
        {"Char", 1},     {"Bool", 1}, {"Short", 2}, {"Int", 4},    {"Long", 8}};
    for (const auto& [name, bytes] : kTypes)
        if (name == dtype)
            return bytes;
    return dtype.starts_with("Float8") ? 1 : -1;
}

/// Kind, backend, bytes, and the ids of the process group's name and ranks.
using GroupKey = std::tuple<CollectiveKind, CollectiveBackend, std::int64_t, std::uint32_t, std::uint32_t>;

/// Finds the calls of all ranks and numbers their groups in order of first appearance.
class CallFinder {
public:
    CallFinder(const Run& run, const KernelNames& names, CollectiveCalls& found)
        : m_run(run)
        , m_names(names)
        , m_found(found) {}

    void addRank(const RankTrace& rank, std::span<const EventId> activities) {
        std::vector<CollectiveCall>& calls = m_found.calls.emplace_back();
        const auto isCall = [&](EventId event) {
            return rank.events.kind(event) == EventKind::Kernel &&
                   m_names.communication(rank.events.name(event));
        };
        calls.reserve(static_cast<std::size_t>(std::count_if(activities.begin(), activities.end(), isCall)));
        for (std::size_t i = 0; i < activities.size(); ++i)
            if (isCall(activities[i]))
                calls.push_back(callOf(rank, activities[i], static_cast<std::uint32_t>(i)));
    }

private:
    static const CollectiveArguments* argumentsOf(const RankTrace& rank, EventId event) {
        if (rank.arguments.collectives.empty())
            return nullptr;
        if (const CollectiveArguments* own = rank.arguments.collectiveOf(event))
            return own;
        const EventId op = rank.launches.cpuOpOf(rank.events, event);
        return op.valid() ? rank.arguments.collectiveOf(op) : nullptr;
    }

    CollectiveCall callOf(const RankTrace& rank, EventId event, std::uint32_t activity) {
        const CollectiveName name = m_names.collective(rank.events.name(event));
        GroupKey key{name.kind, name.backend, -1, StringId::kInvalid, StringId::kInvalid};
        CollectiveCall call;
        call.event = event;
        call.activity = activity;
        if (const CollectiveArguments* arguments = argumentsOf(rank, event)) {
            if (arguments->collective.valid()) {
                const CollectiveKind said =
                    kindOfCollectiveMetadata(m_run.strings->view(arguments->collective));
                if (said != CollectiveKind::Other)
                    std::get<0>(key) = said;
            }
            const std::int64_t size = bytesOfType(m_run.strings->view(arguments->dtype));
            if (arguments->inElements >= 0 && size > 0)
                std::get<2>(key) = arguments->inElements * size;
            std::get<3>(key) = arguments->processGroup.value;
            std::get<4>(key) = arguments->processGroupRanks.value;
            call.sequence = arguments->sequence;
        }
        call.group = groupOf(key);
        return call;
    }

    std::uint16_t groupOf(const GroupKey& key) {
        if (m_lastGroup < m_found.groups.size() && key == m_lastKey)
            return m_lastGroup;
        // Sizes past what a group number can hold join the first of their kind.
        const bool full = m_found.groups.size() >= 0xFFFF;
        const auto [at, added] =
            m_groups.emplace(key, static_cast<std::uint16_t>(full ? 0 : m_found.groups.size()));
        if (added && !full)
            m_found.groups.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key),
                                      std::string(m_run.strings->view(StringId{std::get<3>(key)})),
                                      std::string(m_run.strings->view(StringId{std::get<4>(key)}))});
        m_lastKey = key;
        m_lastGroup = at->second;
        return at->second;
    }

    const Run& m_run;
    const KernelNames& m_names;
    CollectiveCalls& m_found;
    std::map<GroupKey, std::uint16_t> m_groups;
    GroupKey m_lastKey{};
    std::uint16_t m_lastGroup = 0xFFFF;
};

void numberKeys(CollectiveCalls& found) {
    std::set<std::pair<std::string, std::string>> processGroups;
    for (const CollectiveGroup& group : found.groups)
        if (!group.processGroup.empty() || !group.groupRanks.empty())
            processGroups.emplace(group.processGroup, group.groupRanks);
    const bool oneGroup = processGroups.size() <= 1;
    std::map<std::tuple<CollectiveKind, CollectiveBackend, std::string, std::string>, std::uint32_t> numbers;
    for (const CollectiveGroup& group : found.groups) {
        const auto number = static_cast<std::uint32_t>(numbers.size());
        const auto at = numbers.emplace(std::tuple(group.kind, group.backend,
                                                   oneGroup ? std::string() : group.processGroup,
                                                   oneGroup ? std::string() : group.groupRanks),
                                        number);
        found.keys.push_back(at.first->second);
    }
}

template <class Wanted>
EndOrder endsWhere(const Run& run, const CollectiveCalls& found, std::size_t rank, Wanted&& wanted) {
    const EventStore& events = run.ranks[rank].events;
    const std::vector<CollectiveCall>& calls = found.calls[rank];
    EndOrder order;
    for (std::size_t i = 0; i < calls.size(); ++i)
        if (wanted(calls[i]))
            order.calls.push_back(static_cast<std::uint32_t>(i));
    const auto earlier = [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(events.end(calls[a].event), a) < std::pair(events.end(calls[b].event), b);
    };
    if (!std::is_sorted(order.calls.begin(), order.calls.end(), earlier))
        std::sort(order.calls.begin(), order.calls.end(), earlier);
    order.items.reserve(order.calls.size());
    for (const std::uint32_t call : order.calls)
        order.items.push_back(
            {events.end(calls[call].event), found.keyOf(calls[call]), calls[call].sequence});
    return order;
}

} // namespace

CollectiveKind CollectiveCalls::kindOfKey(std::uint32_t key) const {
    for (std::size_t group = 0; group < keys.size(); ++group)
        if (keys[group] == key)
            return groups[group].kind;
    return CollectiveKind::Other;
}

CollectiveCalls findCalls(const Run& run, const KernelNames& names,
                          const std::vector<std::span<const EventId>>& activities) {
    CollectiveCalls found;
    CallFinder finder(run, names, found);
    found.calls.reserve(run.ranks.size());
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank)
        finder.addRank(run.ranks[rank], activities[rank]);
    numberKeys(found);
    return found;
}

EndOrder synchronisingEnds(const Run& run, const CollectiveCalls& calls, std::size_t rank) {
    return endsWhere(run, calls, rank, [&](const CollectiveCall& call) {
        const CollectiveGroup& group = calls.groups[call.group];
        // RCCL's generic kernel does not say its kind; in decoding it is nearly always an all-reduce.
        return synchronises(group.kind) ||
               (group.kind == CollectiveKind::Other && group.backend == CollectiveBackend::Nccl);
    });
}

EndOrder endsOfKey(const Run& run, const CollectiveCalls& calls, std::size_t rank, std::uint32_t key) {
    return endsWhere(run, calls, rank, [&](const CollectiveCall& call) {
        return calls.keyOf(call) == key;
    });
}

} // namespace lockstep
