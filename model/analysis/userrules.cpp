#include "model/analysis/userrules.h"

#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lockstep {

using Json = nlohmann::ordered_json;

std::string UserRules::toText() const {
    Json document;
    document["schema"] = "lockstep.categories/1";
    document["rules"] = Json::array();
    for (const UserRule& rule : rules) {
        Json item{{"id", rule.id}, {"category", rule.category}, {"name", rule.name}};
        if (!rule.notName.empty())
            item["not"] = rule.notName;
        if (!rule.why.empty())
            item["why"] = rule.why;
        document["rules"].push_back(std::move(item));
    }
    if (!disabled.empty())
        document["disable"] = disabled;
    // What a user typed may be no UTF-8 after all; it must not end the program.
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<UserRules> UserRules::parse(std::string_view text, const std::string& file) {
    const auto fail = [&](std::string message) {
        return make_unexpected(Error{ErrorCode::BadArgument, file, {}, std::move(message)});
    };
    const Json document = Json::parse(text, nullptr, false);
    if (!document.is_object())
        return fail("This is no file of category rules: it is not JSON.");
    UserRules read;
    static const std::set<std::string, std::less<>> kKnown{"id", "category", "name", "not", "why"};
    const auto textOf = [](const Json& item, const char* key) {
        const auto at = item.find(key);
        return at != item.end() && at->is_string() ? at->get<std::string>() : std::string();
    };
    if (document.contains("categories") || document.contains("groups"))
        return fail("The file adds categories of its own; edit it with a text editor.");
    for (const Json& item : document.value("rules", Json::array())) {
        if (!item.is_object())
            return fail("\"rules\" must be a list of rules.");
        for (const auto& member : item.items())
            if (!kKnown.contains(member.key()))
                return fail(fmt::format("Rule \"{}\" has the condition \"{}\"; edit it with a text editor.",
                                        textOf(item, "id"), member.key()));
        read.rules.push_back({textOf(item, "id"), textOf(item, "category"), textOf(item, "name"),
                              textOf(item, "not"), textOf(item, "why")});
    }
    for (const Json& item : document.value("disable", Json::array()))
        if (item.is_string())
            read.disabled.push_back(item.get<std::string>());
    return read;
}

Result<CategoryRules> UserRules::over(const CategoryRules& builtin) const {
    return builtin.extendedBy(toText(), "your rules");
}

} // namespace lockstep
