#pragma once

#include "model/run/runloader.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::test {

/// Loads the bytes of one file, as the only trace of a run.
[[nodiscard]] Result<std::shared_ptr<const Run>>
loadBytes(std::string_view bytes, std::size_t windowBytes = 1 << 20, std::string_view name = "trace.json");
/// The one rank of bytes that must load; an empty rank, and a failed test, where they do not.
[[nodiscard]] RankTrace loadRank(std::string_view bytes, std::size_t windowBytes = 1 << 20);
/// Everything a rank holds but its file's name, as text: two ranks are equal if their descriptions are.
[[nodiscard]] std::string describe(const RankTrace& rank);
/// The first event of this name; invalid if there is none.
[[nodiscard]] EventId findEvent(const RankTrace& rank, std::string_view name);
/// How often the rank's file was warned of with `code`.
[[nodiscard]] std::uint64_t warningCount(const RankTrace& rank, std::string_view code);

} // namespace lockstep::test
