#include "model/analysis/whatif.h"

#include <fmt/format.h>

#include <charconv>

namespace lockstep {

namespace {

Error badText(std::string message) {
    return {ErrorCode::BadArgument, "", {}, std::move(message)};
}

std::optional<double> number(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !(value >= 0) || value > 1e9)
        return std::nullopt;
    return value;
}

/// "19us", "19µs", "0.019ms" or plain 19: microseconds.
std::optional<double> microseconds(std::string_view text) {
    double scale = 1;
    for (const auto& [unit, factor] :
         {std::pair{std::string_view("us"), 1.0}, std::pair{std::string_view("\xC2\xB5s"), 1.0},
          std::pair{std::string_view("ms"), 1000.0}}) {
        if (text.ends_with(unit)) {
            text.remove_suffix(unit.size());
            scale = factor;
            break;
        }
    }
    const std::optional<double> value = number(text);
    return value ? std::optional(*value * scale) : std::nullopt;
}

/// `target[:scope]=right`.
std::optional<std::string_view> readTarget(std::string_view text, Substitution& substitution) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0)
        return std::nullopt;
    const std::string_view left = text.substr(0, equals);
    const std::size_t colon = left.find(':');
    substitution.target = left.substr(0, colon);
    if (colon != std::string_view::npos)
        substitution.scope = left.substr(colon + 1);
    return text.substr(equals + 1);
}

} // namespace

Result<Substitution> parseReplacement(const std::string& text) {
    Substitution substitution;
    substitution.kind = Substitution::Kind::Replace;
    const auto complain = [&] {
        return make_unexpected(
            badText(fmt::format("\"{}\" is no replacement: write allreduce:moe=alltoall@19us", text)));
    };
    std::optional<std::string_view> right = readTarget(text, substitution);
    if (!right || right->empty())
        return complain();
    std::string_view rest = *right;
    while (!rest.empty()) {
        const std::size_t plus = rest.find('+');
        const std::string_view part = rest.substr(0, plus);
        rest = plus == std::string_view::npos ? std::string_view() : rest.substr(plus + 1);
        const std::size_t at = part.find('@');
        Substitution::Part parsed;
        parsed.collective = collectiveName(part.substr(0, at));
        if (at != std::string_view::npos) {
            parsed.microseconds = microseconds(part.substr(at + 1));
            if (!parsed.microseconds)
                return complain();
        }
        if (parsed.collective.empty())
            return complain();
        substitution.parts.push_back(std::move(parsed));
    }
    return substitution;
}

Result<Substitution> parseScale(const std::string& text) {
    Substitution substitution;
    substitution.kind = Substitution::Kind::Scale;
    const std::optional<std::string_view> right = readTarget(text, substitution);
    const std::optional<double> factor = right ? number(*right) : std::nullopt;
    if (!factor)
        return make_unexpected(badText(fmt::format("\"{}\" is no scale: write allreduce=0.5", text)));
    substitution.factor = *factor;
    return substitution;
}

} // namespace lockstep
