#pragma once

#include <string>

namespace lockstep {

/// A time of `ns` nanoseconds as people read it: "7.9 µs", "551 µs", "4.53 ms", "12.1 ms", "1.93 s".
[[nodiscard]] std::string timeText(double ns);

} // namespace lockstep
