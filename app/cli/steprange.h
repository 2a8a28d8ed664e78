#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep::cli {

/// Steps as the user named them; an end that is absent is open.
struct StepRange {
    std::optional<std::uint32_t> first;
    std::optional<std::uint32_t> last; ///< inclusive
};

/// "3..10", "3..", "..10" or "3"; nothing where it is none of these.
[[nodiscard]] std::optional<StepRange> readStepRange(std::string_view text);

} // namespace lockstep::cli
