#pragma once

#include "model/core/result.h"
#include "model/trace/importreport.h"

#include <CLI/CLI.hpp>
#include <string>

namespace lockstep::cli {

/// What the process returns (see README): stable for scripts.
enum class ExitStatus : int { Done = 0, Unusable = 1, BadUsage = 2, DataLost = 3 };

/// Prints one line to stderr: "error: file: at byte N: sentence".
void printError(const Error& error);
/// Prints the report's warnings to stderr, a line each, with counts and byte offsets.
void printWarnings(const ImportReport& report);
/// Writes `text` to `file` ("-": stdout); false, and an error on stderr, where it cannot.
[[nodiscard]] bool writeText(const std::string& file, const std::string& text);

// One a sub-command: adds it to `app`; when it has run, its status is in `status`.
void addInfo(CLI::App& app, ExitStatus& status);
void addAnalyze(CLI::App& app, ExitStatus& status);
void addCompare(CLI::App& app, ExitStatus& status);
void addWhatif(CLI::App& app, ExitStatus& status);
void addExport(CLI::App& app, ExitStatus& status);
void addReport(CLI::App& app, ExitStatus& status);
void addMerge(CLI::App& app, ExitStatus& status);
void addSynth(CLI::App& app, ExitStatus& status);

} // namespace lockstep::cli
