#include "app/cli/command.h"
#include "app/cli/loadsubject.h"
#include "model/analysis/runanalysis.h"
#include "model/report/mergedtrace.h"
#include "model/run/run.h"

#include <cstdio>
#include <fmt/format.h>
#include <memory>

namespace lockstep::cli {

namespace {

struct MergeArguments {
    std::vector<std::string> paths;
    std::string output;
    unsigned threads = 0;
};

ExitStatus runMerge(const MergeArguments& arguments) {
    ExitStatus status = ExitStatus::Done;
    const auto analysis = loadAnalysed(arguments.paths, arguments.threads, status);
    if (!analysis) {
        printError(analysis.error());
        return ExitStatus::Unusable;
    }
    const auto merged = writeMergedTrace(**analysis, arguments.output);
    if (!merged) {
        printError(merged.error());
        return ExitStatus::Unusable;
    }
    fmt::print("{}: {} ranks, {} events on one clock, {} waits, {} stalls\n", arguments.output,
               (*analysis)->run->ranks.size(), merged->events, merged->waits, merged->stalls);
    return status;
}

} // namespace

void addMerge(CLI::App& app, ExitStatus& status) {
    auto arguments = std::make_shared<MergeArguments>();
    CLI::App* command =
        app.add_subcommand("merge", "All ranks as one Chrome trace on the aligned clock, for Perfetto");
    command->add_option("RUN", arguments->paths, "Trace files of one run, or a folder of them")->required();
    command
        ->add_option("-o,--output", arguments->output,
                     "The file to write: .json, or compressed as .json.gz or .json.zst")
        ->required();
    command->add_option("--threads", arguments->threads, "Files read at once; 0: one a core");
    command->callback([arguments, &status] {
        if (useSessionFiles(arguments->paths, status))
            status = runMerge(*arguments);
    });
}

} // namespace lockstep::cli
