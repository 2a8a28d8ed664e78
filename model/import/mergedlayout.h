#pragma once

#include "model/core/rankclock.h"
#include "model/trace/rank.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// The header key under which a file that Lockstep merged says how its ranks come apart again.
inline constexpr std::string_view kMergedKey = "lockstep_merged";
/// The `cat` of events that merging added: waits, stalls, names; they are not read back.
inline constexpr std::string_view kMergedCategory = "lockstep";
/// What stands before the name of a rank's own `process_name` and `process_sort_index`, whose place others
/// have taken.
inline constexpr std::string_view kMergedOriginal = "lockstep_original_";

/// One rank of a merged file: what it was called, and how its times and process ids were changed.
struct MergedRank {
    int rank = -1;
    RankSource source = RankSource::Content;
    std::string file; ///< the name of the file that it came from
    RankClock clock;  ///< from its own times to those in the file
    TraceHeader header;
    std::map<std::string, std::string, std::less<>> pids; ///< in the merged file → its own
};

/// How a merged file is made up; an event's part is the place of its rank in `ranks`.
struct MergedLayout {
    TimeNs baseNs = 0; ///< of the merged file: added to each `ts`
    std::vector<MergedRank> ranks;

    /// The `ts` of the merged file for `ts` of part `part`, both decimal microseconds; `ts` itself where it
    /// is no time.
    [[nodiscard]] std::string mergedTime(std::string_view time, std::size_t part) const;
    /// The inverse of mergedTime, exactly.
    [[nodiscard]] std::string originalTime(std::string_view time, std::size_t part) const;
};

/// As the value of kMergedKey, JSON.
[[nodiscard]] std::string toJson(const MergedLayout& layout);
/// Nothing where `json` is no layout, or one of a version not known here.
[[nodiscard]] std::optional<MergedLayout> readMergedLayout(std::string_view json);

} // namespace lockstep
