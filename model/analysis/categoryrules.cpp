#include "model/analysis/categoryrules.h"

#include "model/core/resource.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace lockstep {

namespace {

using Json = nlohmann::json;

constexpr std::pair<std::string_view, KernelRole> kRoles[] = {
    {"none", KernelRole::None},
    {"collective", KernelRole::Collective},
    {"gather", KernelRole::Gather},
    {"exchange", KernelRole::Exchange},
    {"attention", KernelRole::Attention},
    {"gemm", KernelRole::Gemm},
    {"expert_gemm", KernelRole::ExpertGemm},
    {"norm", KernelRole::Norm},
    {"router", KernelRole::Router},
    {"selector", KernelRole::Selector},
};
constexpr std::pair<std::string_view, ActivityKind> kKinds[] = {
    {"kernel", ActivityKind::Kernel}, {"copy", ActivityKind::Copy}, {"memset", ActivityKind::Memset}};
constexpr std::pair<std::string_view, CategoryRule::Phase> kPhases[] = {
    {"any", CategoryRule::Phase::Any},
    {"moe", CategoryRule::Phase::Moe},
    {"moe_generic", CategoryRule::Phase::MoeGeneric}};
constexpr std::string_view kRuleKeys[] = {"id",    "category",   "kind",  "name", "not",
                                          "op",    "collective", "phase", "next", "next_selector",
                                          "after", "role",       "why"};

/// Reads one file of rules onto a base, and keeps the first error.
class RuleReader {
public:
    RuleReader(CategoryRules base, std::string file, bool user)
        : m_rules(std::move(base))
        , m_file(std::move(file))
        , m_user(user) {}

    Result<CategoryRules> read(std::string_view text);

private:
    void fail(std::string message) {
        if (!m_error)
            m_error = Error{ErrorCode::BadArgument, m_file, {}, std::move(message)};
    }
    std::string textOf(const Json& object, const char* key, const std::string& where, bool required = false);
    template <class T, std::size_t N>
    std::optional<T> wordOf(const Json& object, const char* key, const std::string& where,
                            const std::pair<std::string_view, T> (&words)[N]);
    std::optional<NamePattern> patternOf(const Json& object, const char* key, const std::string& where);
    void readGroup(const Json& object);
    void readCategory(const Json& object);
    void readRule(const Json& object, std::vector<CategoryRule>& into);
    template <class Read>
    void eachOf(const Json& document, const char* key, Read read);
    void applyRules(std::vector<CategoryRule> read, const std::vector<std::string>& disabled);

    CategoryRules m_rules;
    std::string m_file;
    bool m_user;
    std::optional<Error> m_error;
};

std::string RuleReader::textOf(const Json& object, const char* key, const std::string& where, bool required) {
    const auto it = object.find(key);
    if (it == object.end()) {
        if (required)
            fail(fmt::format("{} has no \"{}\".", where, key));
        return {};
    }
    if (!it->is_string()) {
        fail(fmt::format("\"{}\" of {} must be text.", key, where));
        return {};
    }
    return it->get<std::string>();
}

template <class T, std::size_t N>
std::optional<T> RuleReader::wordOf(const Json& object, const char* key, const std::string& where,
                                    const std::pair<std::string_view, T> (&words)[N]) {
    if (!object.contains(key))
        return std::nullopt;
    const std::string word = textOf(object, key, where);
    for (const auto& [name, value] : words)
        if (name == word)
            return value;
    fail(fmt::format("\"{}\" of {} is \"{}\", which is not known.", key, where, word));
    return std::nullopt;
}

std::optional<NamePattern> RuleReader::patternOf(const Json& object, const char* key,
                                                 const std::string& where) {
    if (!object.contains(key))
        return std::nullopt;
    Result<NamePattern> pattern = NamePattern::compile(textOf(object, key, where));
    if (!pattern) {
        fail(fmt::format("{}: {}", where, pattern.error().message));
        return std::nullopt;
    }
    return std::move(*pattern);
}

void RuleReader::readGroup(const Json& object) {
    CategoryGroup group;
    group.id = textOf(object, "id", "a group", true);
    group.label = textOf(object, "label", "group " + group.id);
    if (group.label.empty())
        group.label = group.id;
    if (const auto known = m_rules.set.findGroup(group.id))
        m_rules.set.groups[*known] = group;
    else // a user's groups come before "everything else"
        m_rules.set.groups.push_back(group);
}

void RuleReader::readCategory(const Json& object) {
    Category category;
    category.id = textOf(object, "id", "a category", true);
    const std::string where = "category " + category.id;
    category.label = textOf(object, "label", where);
    if (category.label.empty())
        category.label = category.id;
    category.tag = textOf(object, "tag", where);
    category.role = wordOf(object, "role", where, kRoles).value_or(KernelRole::None);
    const std::string groupId = object.contains("group") ? textOf(object, "group", where) : "everything_else";
    const auto group = m_rules.set.findGroup(groupId);
    if (!group)
        return fail(fmt::format("{} is in group \"{}\", which does not exist.", where, groupId));
    category.group = *group;
    if (const auto known = m_rules.set.find(category.id))
        m_rules.set.categories[*known] = category;
    else if (m_rules.set.categories.size() >= CategorySet::kMaxCategories)
        fail(fmt::format("More than {} categories.", CategorySet::kMaxCategories));
    else
        m_rules.set.categories.push_back(category);
}

void RuleReader::readRule(const Json& object, std::vector<CategoryRule>& into) {
    CategoryRule rule;
    rule.user = m_user;
    rule.id = textOf(object, "id", fmt::format("rule {}", into.size() + 1), true);
    const std::string where = "rule " + rule.id;
    for (const auto& item : object.items())
        if (std::find(std::begin(kRuleKeys), std::end(kRuleKeys), item.key()) == std::end(kRuleKeys))
            fail(fmt::format("{} has \"{}\", which is not known.", where, item.key()));
    const std::string categoryId = textOf(object, "category", where, true);
    const auto category = m_rules.set.find(categoryId);
    if (!category)
        return fail(fmt::format("{} names category \"{}\", which does not exist.", where, categoryId));
    rule.category = *category;
    rule.kind = wordOf(object, "kind", where, kKinds).value_or(ActivityKind::Kernel);
    rule.name = patternOf(object, "name", where);
    rule.notName = patternOf(object, "not", where);
    rule.op = patternOf(object, "op", where);
    rule.collective = patternOf(object, "collective", where);
    rule.phase = wordOf(object, "phase", where, kPhases).value_or(CategoryRule::Phase::Any);
    rule.next = wordOf(object, "next", where, kRoles);
    rule.nextSelector = wordOf(object, "next_selector", where, kRoles);
    rule.afterAttention = wordOf(object, "after", where, kRoles) == KernelRole::Attention;
    rule.role = wordOf(object, "role", where, kRoles);
    rule.why = textOf(object, "why", where);
    into.push_back(std::move(rule));
}

template <class Read>
void RuleReader::eachOf(const Json& document, const char* key, Read read) {
    const auto it = document.find(key);
    if (it == document.end())
        return;
    if (!it->is_array())
        return fail(fmt::format("\"{}\" must be a list.", key));
    for (const Json& object : *it) {
        if (!object.is_object())
            return fail(fmt::format("\"{}\" must be a list of objects.", key));
        read(object);
    }
}

void RuleReader::applyRules(std::vector<CategoryRule> read, const std::vector<std::string>& disabled) {
    auto dropped = [&](const CategoryRule& rule) {
        return std::find(disabled.begin(), disabled.end(), rule.id) != disabled.end() ||
               std::any_of(read.begin(), read.end(), [&](const CategoryRule& other) {
                   return other.id == rule.id;
               });
    };
    for (const std::string& id : disabled)
        if (std::none_of(m_rules.rules.begin(), m_rules.rules.end(), [&](const CategoryRule& rule) {
                return rule.id == id;
            }))
            fail(fmt::format("\"disable\" names rule \"{}\", which does not exist.", id));
    std::erase_if(m_rules.rules, dropped);
    m_rules.rules.insert(m_rules.rules.begin(), std::make_move_iterator(read.begin()),
                         std::make_move_iterator(read.end()));
}

Result<CategoryRules> RuleReader::read(std::string_view text) {
    const Json document = Json::parse(text, nullptr, false, true);
    if (document.is_discarded() || !document.is_object())
        return make_unexpected(
            Error{ErrorCode::BadArgument, m_file, {}, "Not a JSON object of category rules."});
    eachOf(document, "groups", [this](const Json& object) {
        readGroup(object);
    });
    eachOf(document, "categories", [this](const Json& object) {
        readCategory(object);
    });
    std::vector<CategoryRule> rules;
    eachOf(document, "rules", [&](const Json& object) {
        readRule(object, rules);
    });
    std::vector<std::string> disabled;
    if (const auto it = document.find("disable"); it != document.end()) {
        if (!it->is_array() || !std::all_of(it->begin(), it->end(), [](const Json& id) {
                return id.is_string();
            }))
            fail("\"disable\" must be a list of rule ids.");
        else
            disabled = it->get<std::vector<std::string>>();
    }
    applyRules(std::move(rules), disabled);
    const auto unclassified = m_rules.set.find("unclassified");
    if (!unclassified)
        fail("There is no category \"unclassified\".");
    if (m_error)
        return make_unexpected(*m_error);
    m_rules.unclassified = unclassified.value_or(0);
    return std::move(m_rules);
}

} // namespace

std::optional<std::uint8_t> CategorySet::find(std::string_view id) const {
    for (std::size_t i = 0; i < categories.size(); ++i)
        if (categories[i].id == id)
            return static_cast<std::uint8_t>(i);
    return std::nullopt;
}

std::optional<std::uint8_t> CategorySet::findGroup(std::string_view id) const {
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (groups[i].id == id)
            return static_cast<std::uint8_t>(i);
    return std::nullopt;
}

bool CategorySet::communicates(std::uint8_t category) const {
    const KernelRole role = categories[category].role;
    return role == KernelRole::Collective || role == KernelRole::Gather || role == KernelRole::Exchange;
}

bool CategorySet::allReduce(std::uint8_t category) const {
    return groupOf(category).id == "allreduce";
}

Result<CategoryRules> CategoryRules::builtin() {
    return parse(builtinResource("categories.json"), "categories.json");
}

Result<CategoryRules> CategoryRules::parse(std::string_view text, const std::string& name) {
    return RuleReader({}, name, false).read(text);
}

Result<CategoryRules> CategoryRules::extendedBy(std::string_view text, const std::string& name) const {
    return RuleReader(*this, name, true).read(text);
}

Result<CategoryRules> CategoryRules::load(const std::string& path) {
    Result<CategoryRules> rules = builtin();
    if (!rules || path.empty())
        return rules;
    const std::ifstream file(path, std::ios::binary);
    if (!file)
        return make_unexpected(
            Error{ErrorCode::FileNotFound, path, {}, "Cannot be read; name a file of category rules."});
    std::ostringstream text;
    text << file.rdbuf();
    return rules->extendedBy(text.str(), path);
}

} // namespace lockstep
