#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::test {

/// The includes of a source file that its room may not have, each as "file:line: may not include X".
/// `file` is relative to the project's root; the rule is that of the README's map of the rooms.
[[nodiscard]] std::vector<std::string> layerViolations(std::string_view file, std::string_view text);

} // namespace lockstep::test
