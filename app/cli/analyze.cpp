#include "app/cli/command.h"
#include "model/analysis/runanalysis.h"
#include "model/report/analysisjson.h"
#include "model/run/runloader.h"

#include <charconv>
#include <cstdio>
#include <memory>
#include <optional>

#include <fmt/format.h>

namespace lockstep::cli {

namespace {

struct AnalyzeArguments {
    std::vector<std::string> paths;
    std::string json;
    std::string steps;
    std::optional<int> rank;
    bool includeHeadTransients = false;
    unsigned threads = 0;
};

/// "3..10", "3..", "..10" or "3"; false where it is none of these.
bool readSteps(std::string_view text, std::optional<std::uint32_t>& first,
               std::optional<std::uint32_t>& last) {
    const auto number = [](std::string_view digits, std::optional<std::uint32_t>& value) {
        if (digits.empty())
            return true;
        std::uint32_t read = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), read);
        value = read;
        return error == std::errc{} && end == digits.data() + digits.size();
    };
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) {
        const bool good = number(text, first) && first;
        last = first;
        return good;
    }
    return number(text.substr(0, dots), first) && number(text.substr(dots + 2), last) &&
           (!first || !last || *first <= *last);
}

ExitStatus badUsage(const std::string& sentence) {
    fmt::print(stderr, "error: {}\n", sentence);
    return ExitStatus::BadUsage;
}

ExitStatus runAnalyze(const AnalyzeArguments& arguments) {
    StallOptions stallOptions;
    stallOptions.includeHeadTransients = arguments.includeHeadTransients;
    if (!arguments.steps.empty() &&
        !readSteps(arguments.steps, stallOptions.firstStep, stallOptions.lastStep))
        return badUsage(fmt::format("--steps {} is no range of steps: write 3..10", arguments.steps));
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
    if (arguments.json != "-")
        std::fputs(analysisText(*analysis, selection).c_str(), stdout);
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
    command->add_flag("--include-head-transients", arguments->includeHeadTransients,
                      "Count the collectives that only show that the profilers started at different moments");
    command->add_option("--threads", arguments->threads, "Files read at once; 0: one a core");
    command->callback([arguments, &status] {
        status = runAnalyze(*arguments);
    });
}

} // namespace lockstep::cli
