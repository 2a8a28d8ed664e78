// GCC 12 takes members of std::regex's automaton for uninitialised when sanitizers are on (its bug 105562).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include "model/run/stepmarkers.h"

#include "model/core/resource.h"

#include <cassert>
#include <charconv>

#include <nlohmann/json.hpp>

namespace lockstep {

namespace {

using Matches = std::match_results<std::string_view::const_iterator>;

/// Longer names are not markers, and std::regex recurses over their length.
constexpr std::size_t kLongestName = 512;

/// A count in the name: digits, or behind `sq` in vLLM's detailed form ("sq12sk340…").
std::optional<std::int64_t> numberIn(const Matches& found, std::size_t group) {
    if (group == 0 || group >= found.size() || !found[group].matched)
        return std::nullopt;
    std::string_view text(found[group].first, found[group].second);
    if (const std::size_t at = text.find("sq"); at != std::string_view::npos)
        text.remove_prefix(at + 2);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} ? std::optional(number) : std::nullopt;
}

StepKind kindNamed(const std::string& text) {
    for (const StepKind kind : {StepKind::Prefill, StepKind::Decode, StepKind::Mixed, StepKind::Idle})
        if (text == nameOf(kind))
            return kind;
    return StepKind::Unknown;
}

StepKind kindOf(std::optional<std::int64_t> context, std::optional<std::int64_t> generation) {
    if (!context || !generation)
        return StepKind::Unknown;
    if (*context > 0)
        return *generation > 0 ? StepKind::Mixed : StepKind::Prefill;
    return *generation > 0 ? StepKind::Decode : StepKind::Idle;
}

} // namespace

Result<StepMarkers> StepMarkers::parse(std::string_view json) {
    const auto bad = [](const std::string& why) {
        return make_unexpected(Error{ErrorCode::BadArgument, "step_markers.json", {}, why});
    };
    const nlohmann::json document = nlohmann::json::parse(json, nullptr, false);
    if (!document.is_object() || !document.contains("families") || !document["families"].is_array())
        return bad("the step markers are no JSON object with `families`");
    StepMarkers markers;
    for (const nlohmann::json& family : document["families"]) {
        for (const nlohmann::json& entry : family.value("markers", nlohmann::json::array())) {
            Rule rule;
            const std::string pattern = entry.value("pattern", std::string());
            if (pattern.empty())
                return bad("a step marker has no `pattern`");
            try {
                rule.pattern = std::regex(pattern, std::regex::ECMAScript | std::regex::optimize);
            } catch (const std::regex_error& error) {
                return bad("the step marker `" + pattern + "` is no regular expression: " + error.what());
            }
            rule.marker.family = static_cast<std::uint32_t>(markers.m_families);
            rule.marker.kind = kindNamed(entry.value("kind", std::string()));
            rule.marker.role = entry.value("role", std::string());
            rule.marker.order = entry.value("order", 1u);
            rule.marker.pieces = entry.value("pieces", false);
            rule.contextRequests = entry.value("contextRequests", std::size_t{0});
            rule.contextTokens = entry.value("contextTokens", std::size_t{0});
            rule.generationRequests = entry.value("generationRequests", std::size_t{0});
            rule.generationTokens = entry.value("generationTokens", std::size_t{0});
            markers.m_rules.push_back(std::move(rule));
        }
        ++markers.m_families;
    }
    return markers;
}

StepMarkers StepMarkers::builtin() {
    Result<StepMarkers> markers = parse(builtinResource("step_markers.json"));
    assert(markers);
    return markers ? std::move(*markers) : StepMarkers{};
}

std::optional<StepMarker> StepMarkers::match(std::string_view name) const {
    if (name.empty() || name.size() > kLongestName)
        return std::nullopt;
    for (const Rule& rule : m_rules) {
        Matches found;
        if (!std::regex_search(name.begin(), name.end(), found, rule.pattern))
            continue;
        StepMarker marker = rule.marker;
        marker.contextTokens = numberIn(found, rule.contextTokens);
        marker.generationTokens = numberIn(found, rule.generationTokens);
        if (marker.kind == StepKind::Unknown) {
            const auto contexts = numberIn(found, rule.contextRequests);
            const auto generations = numberIn(found, rule.generationRequests);
            marker.kind = kindOf(contexts ? contexts : marker.contextTokens,
                                 generations ? generations : marker.generationTokens);
        }
        return marker;
    }
    return std::nullopt;
}

} // namespace lockstep
