#pragma once

#include "model/core/result.h"

#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// A case-insensitive regular expression that is searched for in kernel names. Alternatives made of literals,
/// `.*`, optional characters and anchors are matched without the regex engine, which is slow on names of
/// several KB; everything else goes to std::regex, on the name's first kSlowLimit bytes.
class NamePattern {
public:
    static constexpr std::size_t kSlowLimit = 4096;

    NamePattern() = default;
    /// Error: the expression is not valid ECMAScript.
    [[nodiscard]] static Result<NamePattern> compile(std::string_view expression);

    /// The part of the expression that is found in `lowerName` (already in lower case), if any is.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view lowerName) const;
    [[nodiscard]] bool matches(std::string_view lowerName) const { return find(lowerName).has_value(); }
    [[nodiscard]] const std::string& expression() const { return m_expression; }
    /// True where no part needs the regex engine.
    [[nodiscard]] bool literal() const { return m_slow.empty(); }

private:
    /// Literals that must follow each other.
    struct Literals {
        std::vector<std::string> pieces;
        std::string source;
        bool atBegin = false;
        bool atEnd = false;
    };
    struct Slow {
        std::string source;
        std::shared_ptr<const std::regex> regex;
    };
    static bool parseLiterals(std::string_view alternative, std::vector<Literals>& into);
    static bool holds(const Literals& literals, std::string_view name);

    std::string m_expression;
    std::vector<Literals> m_literals;
    std::vector<Slow> m_slow;
};

/// ASCII lower case, as NamePattern wants names.
[[nodiscard]] std::string toLowerAscii(std::string_view text);

} // namespace lockstep
