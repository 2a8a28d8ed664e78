#pragma once

#include <string_view>
#include <vector>

namespace lockstep {

/// The text of a file below `resources/` that is built into the program ("categories.json",
/// "models/kimi-k2.5.json"); empty if there is none.
[[nodiscard]] std::string_view builtinResource(std::string_view path);
/// The paths of all built-in files that start with `prefix`, in order.
[[nodiscard]] std::vector<std::string_view> builtinResources(std::string_view prefix);

} // namespace lockstep
