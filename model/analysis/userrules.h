#pragma once

#include "model/analysis/categoryrules.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// A rule as a user writes it: a regular expression on the kernel's name.
struct UserRule {
    std::string id;       ///< the same as a built-in rule's replaces that one
    std::string category; ///< id of a category
    std::string name;     ///< regular expression that is searched for
    std::string notName;  ///< regular expression that must not be found; empty: none
    std::string why;

    friend bool operator==(const UserRule&, const UserRule&) = default;
};

/// A user's rules over the built-in ones, first to last; members of the file that are not edited are kept.
struct UserRules {
    std::vector<UserRule> rules;
    std::vector<std::string> disabled; ///< ids of built-in rules that are left out

    /// The text of a category file as CategoryRules::extendedBy takes it.
    [[nodiscard]] std::string toText() const;
    /// Rules from such a text; `file` is for messages. Errors: no such file; rules with conditions other than
    /// on names, which would be lost on saving.
    [[nodiscard]] static Result<UserRules> parse(std::string_view text, const std::string& file);
    /// `builtin` with these over it. Errors: an expression or category that is none.
    [[nodiscard]] Result<CategoryRules> over(const CategoryRules& builtin) const;
};

} // namespace lockstep
