#include "model/analysis/namepattern.h"

#include <fmt/format.h>

namespace lockstep {

namespace {

/// Splits at `|` outside of parentheses, brackets and escapes.
std::vector<std::string_view> alternativesOf(std::string_view expression) {
    std::vector<std::string_view> parts;
    std::size_t from = 0;
    int depth = 0;
    bool bracket = false;
    for (std::size_t i = 0; i < expression.size(); ++i) {
        const char c = expression[i];
        if (c == '\\')
            ++i;
        else if (bracket)
            bracket = c != ']';
        else if (c == '[')
            bracket = true;
        else if (c == '(')
            ++depth;
        else if (c == ')')
            --depth;
        else if (c == '|' && depth == 0) {
            parts.push_back(expression.substr(from, i - from));
            from = i + 1;
        }
    }
    parts.push_back(expression.substr(from));
    return parts;
}

bool isSpecial(char c) {
    return std::string_view("[](){}+*?.^$|\\").find(c) != std::string_view::npos;
}

} // namespace

std::string toLowerAscii(std::string_view text) {
    std::string lower(text);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

Result<NamePattern> NamePattern::compile(std::string_view expression) {
    NamePattern pattern;
    pattern.m_expression = expression;
    for (const std::string_view part : alternativesOf(expression)) {
        if (parseLiterals(part, pattern.m_literals))
            continue;
        try {
            using namespace std::regex_constants;
            pattern.m_slow.push_back(
                {std::string(part),
                 std::make_shared<const std::regex>(std::string(part), ECMAScript | icase | nosubs)});
        } catch (const std::regex_error& error) {
            return make_unexpected(
                Error{ErrorCode::BadArgument,
                      {},
                      {},
                      fmt::format("'{}' is not a regular expression: {}", expression, error.what())});
        }
    }
    return pattern;
}

bool NamePattern::parseLiterals(std::string_view alternative, std::vector<Literals>& into) {
    if (alternative.empty())
        return false;
    // An optional character doubles what has been read so far: with it and without.
    std::vector<Literals> open(1);
    open[0].pieces.emplace_back();
    for (std::size_t i = 0; i < alternative.size(); ++i) {
        char c = alternative[i];
        if (c == '^' && i == 0) {
            open[0].atBegin = true;
            continue;
        }
        if (c == '$' && i + 1 == alternative.size()) {
            for (Literals& one : open)
                one.atEnd = true;
            continue;
        }
        if (c == '.' && i + 1 < alternative.size() && alternative[i + 1] == '*') {
            for (Literals& one : open)
                one.pieces.emplace_back();
            ++i;
            continue;
        }
        if (c == '\\' && i + 1 < alternative.size() && isSpecial(alternative[i + 1]))
            c = alternative[++i];
        else if (isSpecial(c))
            return false;
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
        const bool optional = i + 1 < alternative.size() && alternative[i + 1] == '?';
        if (optional && (open.size() >= 8 || (i + 2 < alternative.size() && alternative[i + 2] == '?')))
            return false;
        const std::size_t count = open.size();
        if (optional) {
            ++i;
            for (std::size_t k = 0; k < count; ++k)
                open.push_back(open[k]);
        }
        for (std::size_t k = 0; k < count; ++k)
            open[k].pieces.back() += c;
    }
    for (Literals& one : open) {
        one.source = alternative;
        into.push_back(std::move(one));
    }
    return true;
}

bool NamePattern::holds(const Literals& literals, std::string_view name) {
    std::size_t from = 0;
    const std::size_t count = literals.pieces.size();
    for (std::size_t k = 0; k < count; ++k) {
        const std::string& piece = literals.pieces[k];
        const bool first = k == 0;
        const bool last = k + 1 == count;
        if (first && literals.atBegin) {
            if (!name.starts_with(piece) || (last && literals.atEnd && name.size() != piece.size()))
                return false;
            from = piece.size();
            continue;
        }
        if (last && literals.atEnd)
            return name.size() >= from + piece.size() && name.ends_with(piece);
        const std::size_t at = name.find(piece, from);
        if (at == std::string_view::npos)
            return false;
        from = at + piece.size();
    }
    return true;
}

std::optional<std::string_view> NamePattern::find(std::string_view lowerName) const {
    for (const Literals& literals : m_literals)
        if (holds(literals, lowerName))
            return literals.source;
    const std::string_view head = lowerName.substr(0, kSlowLimit);
    for (const Slow& slow : m_slow)
        if (std::regex_search(head.begin(), head.end(), *slow.regex))
            return slow.source;
    return std::nullopt;
}

} // namespace lockstep
