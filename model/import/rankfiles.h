#pragma once

#include "model/core/result.h"
#include "model/trace/importreport.h"
#include "model/trace/rank.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// The files that paths name, and those that no rank can come from.
struct TraceFiles {
    std::vector<std::string> files; ///< in natural order ("rank-2" before "rank-10") within each folder
    std::vector<SetAsideFile> setAside;
};

/// Files as given; of each folder, the traces that lie directly in it. What its name shows to be no rank
/// (front end, merged, graph capture, summary table, unfinished) is set aside, unless nothing else was given.
/// Errors: no such path, nothing that could be a trace.
[[nodiscard]] Result<TraceFiles> listTraceFiles(const std::vector<std::string>& paths);

/// Why a file of this name is no rank's trace; nothing where it may be one.
[[nodiscard]] std::optional<std::string> reasonToSetAside(std::string_view fileName);
/// The rank that a file name gives: rank3, rank-3, rank_3, TP-3, tp3, or _3. before the ending.
[[nodiscard]] std::optional<int> rankFromName(std::string_view fileName);

/// Gives each trace its rank (content, else name, else the lowest free number in order) and sorts by it;
/// notes say what was assumed. Errors, naming both files: two of one rank, two world sizes.
[[nodiscard]] Result<std::vector<std::string>> assignRanks(std::vector<RankTrace>& traces);

} // namespace lockstep
