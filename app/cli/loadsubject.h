#pragma once

#include "app/cli/command.h"
#include "model/analysis/runanalysis.h"
#include "model/report/reportsubject.h"
#include "model/report/session.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::cli {

/// What a RUN argument comes to: traces and folders as they are; a `.lockstep` session, given alone, the
/// files that it names. Errors: the session's files are missing or have changed.
struct RunArgument {
    std::vector<std::string> paths;
    std::optional<Session> session;
};
[[nodiscard]] Result<RunArgument> resolveRun(const std::vector<std::string>& paths);

/// Puts the files of a session in the place of its name; false, with the error on stderr and in `status`,
/// where they are not as they were.
[[nodiscard]] bool useSessionFiles(std::vector<std::string>& paths, ExitStatus& status);

/// Loads and analyses a run, with its warnings on stderr; damage is remembered in `status`.
[[nodiscard]] Result<std::shared_ptr<const RunAnalysis>> loadAnalysed(const std::vector<std::string>& paths,
                                                                      unsigned threads, ExitStatus& status);

/// Loads a run that another is compared with, under that one's rules and filters of streams and categories.
[[nodiscard]] Result<ReportSubject> loadCompared(const std::vector<std::string>& paths, unsigned threads,
                                                 const ReportScope& scope, ExitStatus& status);

} // namespace lockstep::cli
