#include "app/cli/loadsubject.h"

#include "model/run/runloader.h"

#include <algorithm>
#include <fmt/format.h>

namespace lockstep::cli {

Result<RunArgument> resolveRun(const std::vector<std::string>& paths) {
    RunArgument argument{paths, {}};
    const auto named = std::find_if(paths.begin(), paths.end(), isSessionName);
    if (named == paths.end())
        return argument;
    if (paths.size() > 1)
        return make_unexpected(
            Error{ErrorCode::BadArgument, *named, {}, "a session names its files itself: give it alone"});
    auto session = readSession(*named);
    if (!session)
        return make_unexpected(session.error());
    for (const SessionProblem& problem : problemsOf(*session))
        return make_unexpected(
            Error{ErrorCode::FileNotFound,
                  problem.path,
                  {},
                  fmt::format("{} session {} was saved: {}",
                              problem.missing ? "is not where it was when" : "has changed since", *named,
                              problem.missing ? "put it back, or name the traces themselves"
                                              : "name the traces themselves, or save the session again")});
    argument.paths.clear();
    for (const SessionFile& file : session->files)
        argument.paths.push_back(file.path);
    argument.session = std::move(*session);
    return argument;
}

bool useSessionFiles(std::vector<std::string>& paths, ExitStatus& status) {
    auto run = resolveRun(paths);
    if (!run) {
        printError(run.error());
        status = run.error().code == ErrorCode::BadArgument ? ExitStatus::BadUsage : ExitStatus::Unusable;
        return false;
    }
    paths = std::move(run->paths);
    return true;
}

Result<std::shared_ptr<const RunAnalysis>> loadAnalysed(const std::vector<std::string>& paths,
                                                        unsigned threads, ExitStatus& status) {
    LoadOptions options;
    options.threads = threads;
    auto run = loadRun(paths, options);
    if (!run)
        return make_unexpected(run.error());
    for (const RankTrace& rank : (*run)->ranks) {
        printWarnings(rank.report);
        if (rank.report.damaged())
            status = ExitStatus::DataLost;
    }
    return analyseRun(*run);
}

Result<ReportSubject> loadCompared(const std::vector<std::string>& paths, unsigned threads,
                                   const ReportScope& scope, ExitStatus& status) {
    const auto analysis = loadAnalysed(paths, threads, status);
    if (!analysis)
        return make_unexpected(analysis.error());
    ReportScope same;
    same.categoriesFile = scope.categoriesFile;
    same.streams = scope.streams;
    same.onlyCategories = scope.onlyCategories;
    return reportSubject(*analysis, same);
}

} // namespace lockstep::cli
