#pragma once

#include "model/core/result.h"
#include "model/run/steps.h"

#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// What an annotation's name says about the step that it wraps.
struct StepMarker {
    std::uint32_t family = 0; ///< order of preference
    StepKind kind = StepKind::Unknown;
    std::optional<std::int64_t> contextTokens;
    std::optional<std::int64_t> generationTokens;
    std::string role;        ///< a part of a step ("draft"); empty: a step, or its main part
    std::uint32_t order = 1; ///< of the role within one step
    bool pieces = false;     ///< several in a row may make one step
};

/// The names that wrap one execution of the model, from `resources/step_markers.json`.
class StepMarkers {
public:
    /// Reads the rules; an error names what is wrong with them.
    [[nodiscard]] static Result<StepMarkers> parse(std::string_view json);
    /// The built-in rules.
    [[nodiscard]] static StepMarkers builtin();

    [[nodiscard]] std::optional<StepMarker> match(std::string_view name) const;
    [[nodiscard]] std::size_t families() const { return m_families; }

private:
    struct Rule {
        std::regex pattern;
        StepMarker marker;
        std::size_t contextRequests = 0; ///< group of the pattern; 0: none
        std::size_t contextTokens = 0;
        std::size_t generationRequests = 0;
        std::size_t generationTokens = 0;
    };
    std::vector<Rule> m_rules;
    std::size_t m_families = 0;
};

} // namespace lockstep
