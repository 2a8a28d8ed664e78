#pragma once

#include "model/core/ids.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::test {

/// What nlohmann_json's parser finds in a well-formed trace, without any of the loader's code: a second
/// opinion on it.
struct SecondOpinion {
    std::uint64_t events = 0;
    std::map<std::string, std::uint64_t> byPhase; ///< "None" where `ph` is missing
    std::map<std::string, std::uint64_t> byCategory;
    std::uint64_t kernels = 0;
    TimeNs kernelSumNs = 0;
    TimeNs baseNs = 0;
    std::optional<TimeNs> firstNs; ///< of GPU activities (kernel, copy, memset), base included
    std::optional<TimeNs> lastNs;
};

/// Nanoseconds of decimal microseconds ("12", "12.345", "1.2e3"), by its digits; what is finer is cut off.
[[nodiscard]] TimeNs nanosecondsOf(std::string_view microseconds);
/// Reads `text` whole; nothing where it is not JSON.
[[nodiscard]] std::optional<SecondOpinion> readAgain(std::string_view text);

} // namespace lockstep::test
