#include "app/cli/analyzesections.h"
#include "app/cli/command.h"
#include "app/cli/loadsubject.h"
#include "app/cli/steprange.h"
#include "model/analysis/runanalysis.h"
#include "model/import/rankfiles.h"
#include "model/report/analysisjson.h"
#include "model/run/runloader.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include <fmt/format.h>

namespace lockstep::cli {

namespace {

struct AnalyzeArguments {
    std::vector<std::string> paths;
    std::string json;
    SectionArguments sections;
    std::string steps;
    std::optional<int> rank;
    bool includeHeadTransients = false;
    unsigned threads = 0;
};

ExitStatus badUsage(const std::string& sentence) {
    fmt::print(stderr, "error: {}\n", sentence);
    return ExitStatus::BadUsage;
}

/// Whether no trace is among what was named, or lies in the folders.
bool onlyTables(const std::vector<std::string>& paths, const std::vector<std::string>& tables) {
    const auto files = listTraceFiles(paths);
    return !tables.empty() && files &&
           std::all_of(files->files.begin(), files->files.end(), [&](const std::string& file) {
               return std::find(tables.begin(), tables.end(), file) != tables.end();
           });
}

/// A run of which only the profiler's tables are there.
ExitStatus runTables(const std::vector<std::string>& tables, const AnalyzeArguments& arguments) {
    const auto result = analyzeTables(tables, arguments.sections);
    if (!result) {
        printError(result.error());
        return ExitStatus::Unusable;
    }
    if (arguments.json != "-")
        std::fputs(result->text.c_str(), stdout);
    if (!arguments.json.empty() && !writeText(arguments.json, result->json))
        return ExitStatus::Unusable;
    return ExitStatus::Done;
}

ExitStatus runAnalyze(const AnalyzeArguments& arguments) {
    StallOptions stallOptions;
    stallOptions.includeHeadTransients = arguments.includeHeadTransients;
    if (!arguments.steps.empty()) {
        const auto steps = readStepRange(arguments.steps);
        if (!steps)
            return badUsage(fmt::format("--steps {} is no range of steps: write 3..10", arguments.steps));
        stallOptions.firstStep = steps->first;
        stallOptions.lastStep = steps->last;
    }
    const std::vector<std::string> tables = summaryTableFiles(arguments.paths);
    if (onlyTables(arguments.paths, tables))
        return runTables(tables, arguments);
    LoadOptions options;
    options.threads = arguments.threads;
    auto run = loadRun(arguments.paths, options);
    if (!run) {
        printError(run.error());
        return ExitStatus::Unusable;
    }
    AnalysisSelection selection;
    selection.firstStep = stallOptions.firstStep;
    selection.lastStep = stallOptions.lastStep;
    ExitStatus status = ExitStatus::Done;
    for (std::size_t i = 0; i < (*run)->ranks.size(); ++i) {
        const RankTrace& rank = (*run)->ranks[i];
        if (arguments.rank && rank.rank == *arguments.rank)
            selection.rank = i;
        printWarnings(rank.report);
        if (rank.report.damaged())
            status = ExitStatus::DataLost;
    }
    if (arguments.rank && !selection.rank)
        return badUsage(fmt::format("--rank {}: this run has no such rank", *arguments.rank));
    const auto analysis = analyseRun(*run, stallOptions);
    if (stallOptions.firstStep && *stallOptions.firstStep >= analysis->steps.steps.size())
        return badUsage(fmt::format("--steps {}: this run has {} steps, counted from 0", arguments.steps,
                                    analysis->steps.steps.size()));
    auto sections = sectionsOf(*analysis, selection, arguments.sections, tables);
    if (!sections) {
        printError(sections.error());
        return sections.error().code == ErrorCode::BadArgument ? ExitStatus::BadUsage : ExitStatus::Unusable;
    }
    selection.sections = std::move(sections->json);
    if (arguments.json != "-")
        std::fputs((analysisText(*analysis, selection) + sections->text).c_str(), stdout);
    if (!arguments.json.empty() && !writeText(arguments.json, analysisJson(*analysis, selection)))
        return ExitStatus::Unusable;
    return status;
}

} // namespace

void addAnalyze(CLI::App& app, ExitStatus& status) {
    auto arguments = std::make_shared<AnalyzeArguments>();
    CLI::App* command =
        app.add_subcommand("analyze", "Steps, clocks, collectives, who waited for whom and why");
    command->add_option("RUN", arguments->paths, "Trace files of one run, or a folder of them")->required();
    command->add_option("--json", arguments->json,
                        "Write the document here; - for stdout, and nothing else there");
    command->add_option("--steps", arguments->steps,
                        "Only these steps, such as 3..10 (from 0, both included)");
    command->add_option("--rank", arguments->rank,
                        "Only this rank's figures; stalls are still found over all ranks");
    SectionArguments& sections = arguments->sections;
    command
        ->add_option("--attribution", sections.attribution,
                     "sum: durations added up, as the profiler does; wall: shared wall time")
        ->check(CLI::IsMember({"sum", "wall"}));
    command->add_option("--categories", sections.categories, "Category rules over the built-in ones");
    command->add_option("--model", sections.model, "Model, for the HBM efficiency: a name or a JSON file");
    command->add_option("--hardware", sections.hardware, "GPU, or its bandwidth (1792GB/s); else as traced");
    command->add_option("--serving", sections.serving,
                        "Serving benchmark result: the unprofiled time per output token");
    command->add_option("--batch", sections.batch, "Sequences a step decodes; else as the markers say")
        ->check(CLI::PositiveNumber);
    command->add_option("--tp", sections.tensorParallel, "GPUs that share the weights; else the world size")
        ->check(CLI::PositiveNumber);
    command->add_option("--context", sections.contextTokens, "Tokens of context, for the KV cache")
        ->check(CLI::NonNegativeNumber);
    command->add_flag("--include-head-transients", arguments->includeHeadTransients,
                      "Count the collectives that only show that the profilers started at different moments");
    command->add_option("--threads", arguments->threads, "Files read at once; 0: one a core");
    command->callback([arguments, &status] {
        if (useSessionFiles(arguments->paths, status))
            status = runAnalyze(*arguments);
    });
}

} // namespace lockstep::cli
