#include "model/analysis/categories.h"

#include "model/analysis/runanalysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

namespace lockstep {

namespace {

constexpr std::uint16_t kNoRule = CategoryTable::kNoRule;

ActivityKind kindOf(EventKind kind) {
    if (kind == EventKind::Memcpy)
        return ActivityKind::Copy;
    return kind == EventKind::Memset ? ActivityKind::Memset : ActivityKind::Kernel;
}

/// What the rules say about a name, before the layer around it is known.
struct NameProgram {
    std::vector<std::uint16_t> candidates; ///< rules whose name matches, to the first unconditional one
    KernelRole role = KernelRole::None;
    bool decided = false; ///< the first candidate is unconditional
};

bool nameMatches(const CategoryRule& rule, std::string_view lowerName) {
    return (!rule.name || rule.name->matches(lowerName)) &&
           !(rule.notName && rule.notName->matches(lowerName));
}

NameProgram programOf(const CategoryRules& rules, std::string_view name, ActivityKind kind) {
    NameProgram program;
    const std::string lower = toLowerAscii(name);
    bool roleKnown = false;
    for (std::size_t i = 0; i < rules.rules.size(); ++i) {
        const CategoryRule& rule = rules.rules[i];
        if (rule.kind != kind || !nameMatches(rule, lower))
            continue;
        program.candidates.push_back(static_cast<std::uint16_t>(i));
        // The role must not depend on the layer, which is found from the roles.
        if (!roleKnown && rule.name && !rule.op && !rule.collective) {
            roleKnown = true;
            program.role = rule.role.value_or(rules.set.categories[rule.category].role);
        }
        if (!rule.conditional())
            break;
    }
    program.decided = program.candidates.empty() || !rules.rules[program.candidates.front()].conditional();
    return program;
}

/// One rank's activities with what the rules' conditions ask of them.
class RankCategoriser {
public:
    RankCategoriser(const RankTrace& trace, const RankActivities& activities, const CategoryRules& rules)
        : m_trace(trace)
        , m_activities(activities)
        , m_rules(rules) {
        readNames();
        readPhases();
    }

    [[nodiscard]] std::uint16_t ruleOf(std::uint32_t activity) {
        const NameProgram& program = m_programs[m_slots[activity]];
        if (program.decided)
            return program.candidates.empty() ? kNoRule : program.candidates.front();
        for (const std::uint16_t candidate : program.candidates)
            if (holds(m_rules.rules[candidate], candidate, activity))
                return candidate;
        return kNoRule;
    }
    [[nodiscard]] std::uint8_t categoryOf(std::uint16_t rule) const {
        return rule == kNoRule ? m_rules.unclassified : m_rules.rules[rule].category;
    }
    [[nodiscard]] const LayerPhase& phaseOf(std::uint32_t activity) const { return m_phases[activity]; }
    [[nodiscard]] std::string_view opOf(std::uint32_t activity) const;

private:
    void readNames();
    void readPhases();
    bool holds(const CategoryRule& rule, std::uint16_t index, std::uint32_t activity);
    bool opHolds(const NamePattern& pattern, std::uint16_t index, std::uint32_t activity);
    [[nodiscard]] StringId opNameOf(std::uint32_t activity) const;

    const RankTrace& m_trace;
    const RankActivities& m_activities;
    const CategoryRules& m_rules;
    std::vector<NameProgram> m_programs;
    std::vector<std::uint32_t> m_slots; ///< index into m_programs per activity
    std::vector<LayerPhase> m_phases;
    std::unordered_map<std::uint64_t, bool> m_opVerdicts; ///< by rule and op name
};

void RankCategoriser::readNames() {
    constexpr std::uint32_t kUnseen = 0xFFFF'FFFFu;
    std::array<std::vector<std::uint32_t>, 3> slotOfName;
    m_slots.reserve(m_activities.events.size());
    for (const EventId event : m_activities.events) {
        const ActivityKind kind = kindOf(m_trace.events.kind(event));
        std::vector<std::uint32_t>& slots = slotOfName[static_cast<std::size_t>(kind)];
        if (slots.empty())
            slots.assign(m_trace.strings->size() + 1, kUnseen);
        const StringId name = m_trace.events.name(event);
        std::uint32_t& slot = slots[std::min(name.index(), slots.size() - 1)];
        if (slot == kUnseen) {
            slot = static_cast<std::uint32_t>(m_programs.size());
            m_programs.push_back(programOf(m_rules, m_trace.strings->view(name), kind));
        }
        m_slots.push_back(slot);
    }
}

void RankCategoriser::readPhases() {
    std::vector<KernelRole> roles;
    std::vector<std::uint32_t> streams;
    roles.reserve(m_slots.size());
    streams.reserve(m_slots.size());
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        roles.push_back(m_programs[m_slots[i]].role);
        const LaneId lane = m_trace.events.lane(m_activities.events[i]);
        streams.push_back(lane.index() < m_trace.lanes.size() ? m_trace.lanes[lane.index()].track.value : 0);
    }
    std::vector<std::uint32_t> steps(m_slots.size(), RankActivities::kNone);
    for (std::size_t run = 0; run < m_activities.runs.size(); ++run)
        for (std::size_t i = m_activities.runs[run].first; i < m_activities.endOfRun(run); ++i)
            steps[i] = m_activities.runs[run].step;
    m_phases = layerPhases(roles, streams, steps);
}

bool RankCategoriser::holds(const CategoryRule& rule, std::uint16_t index, std::uint32_t activity) {
    const LayerPhase& phase = m_phases[activity];
    if (rule.phase == CategoryRule::Phase::Moe && !phase.moe)
        return false;
    if (rule.phase == CategoryRule::Phase::MoeGeneric && !phase.moeGeneric)
        return false;
    if (rule.next && phase.next != *rule.next)
        return false;
    if (rule.nextSelector && (phase.next != *rule.nextSelector || !phase.selectorFirst))
        return false;
    if (rule.afterAttention && !phase.afterAttention)
        return false;
    if (rule.collective) {
        const CollectiveArguments* arguments = m_trace.arguments.collectiveOf(m_activities.events[activity]);
        if (arguments == nullptr || !arguments->collective.valid() ||
            !rule.collective->matches(toLowerAscii(m_trace.strings->view(arguments->collective))))
            return false;
    }
    return !rule.op || opHolds(*rule.op, index, activity);
}

StringId RankCategoriser::opNameOf(std::uint32_t activity) const {
    const EventId event = m_activities.events[activity];
    // Inside a replay the op is whatever encloses the graph's launch, so it says nothing about one kernel.
    const std::uint32_t correlation = m_trace.events.correlation(event);
    if (correlation != 0 && m_trace.launches.activitiesOf(correlation).size() > 1)
        return {};
    const GpuArguments* arguments = m_trace.arguments.gpuOf(event);
    if (arguments != nullptr && arguments->graphNodeId != 0)
        return {};
    const EventId op = m_trace.launches.cpuOpOf(m_trace.events, event);
    return op.valid() ? m_trace.events.name(op) : StringId{};
}

std::string_view RankCategoriser::opOf(std::uint32_t activity) const {
    return m_trace.strings->view(opNameOf(activity));
}

bool RankCategoriser::opHolds(const NamePattern& pattern, std::uint16_t index, std::uint32_t activity) {
    const StringId op = opNameOf(activity);
    if (!op.valid())
        return false;
    const auto [it, isNew] = m_opVerdicts.try_emplace((std::uint64_t{op.value} << 16) | index, false);
    if (isNew)
        it->second = pattern.matches(toLowerAscii(m_trace.strings->view(op)));
    return it->second;
}

/// The beginning of a kernel's name, for sentences.
std::string shortName(std::string_view name) {
    constexpr std::size_t kLimit = 60;
    return name.size() <= kLimit ? std::string(name) : fmt::format("{}…", name.substr(0, kLimit));
}

std::string reasonOf(const CategoryRule& rule, std::string_view name) {
    std::string reason;
    if (rule.name)
        if (const auto part = rule.name->find(toLowerAscii(name)))
            reason = fmt::format("the name matches '{}'", *part);
    if (!rule.why.empty())
        reason += (reason.empty() ? "" : ": ") + rule.why;
    return reason.empty() ? fmt::format("rule {}", rule.id) : reason;
}

} // namespace

CategoryTable categorise(const Run& run, const StepTable& steps, const CategoryRules& rules) {
    CategoryTable table;
    const std::size_t ranks = std::min(run.ranks.size(), steps.ranks.size());
    table.category.resize(ranks);
    table.rule.resize(ranks);
    for (std::size_t r = 0; r < ranks; ++r) {
        RankCategoriser categoriser(run.ranks[r], steps.ranks[r], rules);
        const std::size_t count = steps.ranks[r].events.size();
        table.category[r].reserve(count);
        table.rule[r].reserve(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint16_t rule = categoriser.ruleOf(i);
            table.rule[r].push_back(rule);
            table.category[r].push_back(categoriser.categoryOf(rule));
        }
    }
    return table;
}

CategoryTable categorise(const RunAnalysis& analysis, const CategoryRules& rules) {
    return categorise(*analysis.run, analysis.steps, rules);
}

CategoryVerdict verdictOf(const Run& run, const StepTable& steps, const CategoryRules& rules,
                          std::size_t rank, std::uint32_t activity) {
    const RankTrace& trace = run.ranks[rank];
    RankCategoriser categoriser(trace, steps.ranks[rank], rules);
    const std::uint16_t index = categoriser.ruleOf(activity);
    CategoryVerdict verdict;
    verdict.category = categoriser.categoryOf(index);
    if (index == kNoRule) {
        verdict.reason = "no rule matches this name";
        return verdict;
    }
    const CategoryRule& rule = rules.rules[index];
    verdict.ruleId = rule.id;
    verdict.reason = reasonOf(rule, trace.name(steps.ranks[rank].events[activity]));
    if (rule.op)
        verdict.reason += fmt::format(" (op {})", categoriser.opOf(activity));
    const LayerPhase& phase = categoriser.phaseOf(activity);
    if (rule.phase != CategoryRule::Phase::Any && phase.router != LayerPhase::kNone)
        verdict.reason += fmt::format(" (the phase was opened by {})",
                                      shortName(trace.name(steps.ranks[rank].events[phase.router])));
    return verdict;
}

CategoryVerdict verdictOfName(const CategoryRules& rules, std::string_view kernelName) {
    ActivityKind kind = ActivityKind::Kernel;
    if (kernelName.starts_with("Memcpy "))
        kind = ActivityKind::Copy;
    else if (kernelName.starts_with("Memset "))
        kind = ActivityKind::Memset;
    const NameProgram program = programOf(rules, kernelName, kind);
    CategoryVerdict verdict;
    verdict.category = rules.unclassified;
    verdict.reason = "no rule matches this name";
    // Without a layer around it, only the unconditional rule can speak: it stands last.
    if (program.candidates.empty() || rules.rules[program.candidates.back()].conditional())
        return verdict;
    const CategoryRule& rule = rules.rules[program.candidates.back()];
    verdict.category = rule.category;
    verdict.ruleId = rule.id;
    verdict.reason = reasonOf(rule, kernelName);
    return verdict;
}

std::vector<UnmatchedName> unmatchedNames(const Run& run, const StepTable& steps, const CategoryRules& rules,
                                          const CategoryTable& table) {
    std::unordered_map<std::uint32_t, UnmatchedName> byName;
    TimeNs total = 0;
    for (std::size_t r = 0; r < table.category.size(); ++r) {
        const EventStore& events = run.ranks[r].events;
        for (std::size_t i = 0; i < table.category[r].size(); ++i) {
            const EventId event = steps.ranks[r].events[i];
            total += events.duration(event);
            if (table.category[r][i] != rules.unclassified)
                continue;
            UnmatchedName& name = byName[events.name(event).value];
            name.name = events.name(event);
            ++name.count;
            name.totalNs += events.duration(event);
        }
    }
    std::vector<UnmatchedName> names;
    names.reserve(byName.size());
    for (auto& [id, name] : byName) {
        name.share = total > 0 ? static_cast<double>(name.totalNs) / static_cast<double>(total) : 0;
        names.push_back(name);
    }
    std::sort(names.begin(), names.end(), [](const UnmatchedName& a, const UnmatchedName& b) {
        return a.totalNs != b.totalNs ? a.totalNs > b.totalNs : a.name < b.name;
    });
    return names;
}

std::vector<std::uint8_t> categoryByEvent(const Run& run, const StepTable& steps, const CategoryTable& table,
                                          std::size_t rank) {
    std::vector<std::uint8_t> categories(run.ranks[rank].events.size(), 0xFF);
    for (std::size_t i = 0; i < table.category[rank].size(); ++i)
        categories[steps.ranks[rank].events[i].index()] = table.category[rank][i];
    return categories;
}

} // namespace lockstep
