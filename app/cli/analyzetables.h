#pragma once

#include "app/cli/command.h"
#include "model/run/run.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::cli {

/// Where `paths` hold no trace but tables that the profiler printed: prints the breakdown that they give (or
/// writes the document to `json`, "-": stdout and nothing else) and returns the status; nothing where there
/// are traces to analyse, or no tables. `categories`: a file of rules, or empty.
[[nodiscard]] std::optional<ExitStatus> analyzeTables(const std::vector<std::string>& paths,
                                                      const std::string& categories, const std::string& json);
/// Compares the tables that stand beside the traces of `run` with them, rank by rank: a sentence for each,
/// for people; empty where there are none. Tables whose name does not begin like the run's files are of other
/// runs.
[[nodiscard]] std::string crossChecksOf(const std::vector<std::string>& paths, const Run& run);

} // namespace lockstep::cli
