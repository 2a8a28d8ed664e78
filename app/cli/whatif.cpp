#include "model/analysis/whatif.h"
#include "app/cli/command.h"
#include "app/cli/loadsubject.h"
#include "app/cli/steprange.h"
#include "model/analysis/runanalysis.h"
#include "model/analysis/whatiflabels.h"
#include "model/import/servingresult.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace lockstep::cli {

namespace {

struct WhatifArguments {
    std::vector<std::string> paths;
    std::vector<std::string> replacements;
    std::vector<std::string> scales;
    std::vector<std::string> dropped;
    bool fuseCast = false;
    bool withoutStalls = false;
    double imbalance = 1;
    std::string latencies;
    double messageBytes = 0;
    std::string serving;
    std::string steps;
    std::string categories;
    std::string json;
};

/// The changes asked for: replacements first, waiting last, so that each line counts what those before have
/// left.
Result<std::vector<Substitution>> readSubstitutions(const WhatifArguments& arguments) {
    std::vector<Substitution> result;
    for (const auto& [texts, parse] :
         {std::pair(&arguments.replacements, &parseReplacement), std::pair(&arguments.scales, &parseScale)}) {
        for (const std::string& text : *texts) {
            Result<Substitution> substitution = parse(text);
            if (!substitution)
                return make_unexpected(substitution.error());
            result.push_back(std::move(*substitution));
        }
    }
    for (const std::string& category : arguments.dropped) {
        Substitution substitution;
        substitution.kind = Substitution::Kind::Drop;
        substitution.target = category;
        result.push_back(std::move(substitution));
    }
    if (arguments.fuseCast)
        result.emplace_back().kind = Substitution::Kind::FuseCast;
    if (arguments.withoutStalls)
        result.emplace_back().kind = Substitution::Kind::NoStalls;
    return result;
}

/// The steps of `count` that the text names, as readStepRange() takes it; none where it names none.
std::vector<std::uint32_t> readSteps(std::string_view text, std::size_t count) {
    std::vector<std::uint32_t> steps;
    const auto range = readStepRange(text);
    if (!range || count == 0)
        return steps;
    const auto last =
        std::min<std::uint32_t>(range->last.value_or(0xFFFF'FFFFu), static_cast<std::uint32_t>(count - 1));
    for (std::uint32_t step = range->first.value_or(0); step <= last; ++step)
        steps.push_back(step);
    return steps;
}

/// Sequences a step decodes, as most steps' markers say; 1 where none does.
double batchOf(const StepTable& steps) {
    for (const std::uint32_t step : steps.typicalSteps())
        if (const auto tokens = steps.steps[step].generationTokens; tokens && *tokens > 0)
            return static_cast<double>(*tokens);
    return 1;
}

Result<void> readFiles(const WhatifArguments& arguments, const StepTable& steps, WhatIfInputs& inputs) {
    if (!arguments.latencies.empty()) {
        Result<LatencyTable> table = readLatencyTable(arguments.latencies);
        if (!table)
            return make_unexpected(table.error());
        for (const std::string& note : table->notes)
            fmt::print(stderr, "warning: {}: {}\n", arguments.latencies, note);
        inputs.latencies = std::move(*table);
    }
    if (!arguments.serving.empty()) {
        const Result<std::vector<ServingResult>> results = readServingResults(arguments.serving);
        if (!results)
            return make_unexpected(results.error());
        const ServingResult& result = servingResultFor(*results, batchOf(steps));
        inputs.servingTpotMs = result.tpotMs();
        inputs.servingSource = fmt::format("{} of {}", result.tpotSource(), arguments.serving);
        if (result.maxConcurrency)
            inputs.servingSource += fmt::format(", concurrency {:.0f}", *result.maxConcurrency);
    }
    return {};
}

ExitStatus fail(const Error& error) {
    printError(error);
    return error.code == ErrorCode::BadArgument ? ExitStatus::BadUsage : ExitStatus::Unusable;
}

ExitStatus runWhatif(const WhatifArguments& arguments) {
    WhatIfInputs inputs;
    Result<std::vector<Substitution>> substitutions = readSubstitutions(arguments);
    if (!substitutions)
        return fail(substitutions.error());
    inputs.substitutions = std::move(*substitutions);
    inputs.imbalance = arguments.imbalance;
    inputs.messageBytes = arguments.messageBytes;
    if (inputs.substitutions.empty() && !(inputs.imbalance > 1))
        return fail(Error{
            ErrorCode::BadArgument,
            "",
            {},
            "nothing to change: give --replace, --scale, --no-stalls, --fuse-cast, --drop or --imbalance"});
    const Result<CategoryRules> rules = CategoryRules::load(arguments.categories);
    if (!rules)
        return fail(rules.error());
    ExitStatus status = ExitStatus::Done;
    const auto loaded = loadAnalysed(arguments.paths, 0, status);
    if (!loaded)
        return fail(loaded.error());
    const std::shared_ptr<const RunAnalysis>& analysis = *loaded;
    if (!arguments.steps.empty()) {
        inputs.steps = readSteps(arguments.steps, analysis->steps.steps.size());
        if (inputs.steps.empty())
            return fail(Error{ErrorCode::BadArgument,
                              "",
                              {},
                              fmt::format("--steps {} names no step: this run has {} steps, counted from 0; "
                                          "write 3..10",
                                          arguments.steps, analysis->steps.steps.size())});
    }
    if (Result<void> read = readFiles(arguments, analysis->steps, inputs); !read) {
        printError(read.error());
        return ExitStatus::Unusable;
    }
    const ActivityLabels labels = activityLabels(rules->set, categorise(*analysis, *rules));
    const Result<WhatIfResult> result = projectRun(*analysis, labels, inputs);
    if (!result)
        return fail(result.error());
    if (arguments.json != "-")
        std::fputs(whatIfText(*result).c_str(), stdout);
    if (!arguments.json.empty() && !writeText(arguments.json, whatIfJson(*result).dump(2) + "\n"))
        return ExitStatus::Unusable;
    return status;
}

} // namespace

void addWhatif(CLI::App& app, ExitStatus& status) {
    auto arguments = std::make_shared<WhatifArguments>();
    CLI::App* command = app.add_subcommand("whatif", "What a step would take with named changes");
    command->add_option("RUN", arguments->paths, "Trace files of one run, or a folder of them")->required();
    command->add_option(
        "--replace", arguments->replacements,
        "allreduce:moe=alltoall@19us: one collective in place of another; A@9us+B@12us for two, without "
        "a time --latencies is asked");
    command->add_option("--scale", arguments->scales,
                        "allreduce=0.5, or a category: take so many times as long");
    command->add_option("--drop", arguments->dropped, "A category that is left out");
    command->add_flag("--fuse-cast", arguments->fuseCast, "Casts are fused into the GEMMs");
    command->add_flag("--no-stalls", arguments->withoutStalls, "Nobody waits for a late rank");
    command
        ->add_option("--imbalance", arguments->imbalance,
                     "Expert GEMMs of the busiest rank ÷ the mean, under expert parallelism")
        ->check(CLI::Range(1.0, 1024.0));
    command->add_option("--latencies", arguments->latencies,
                        "Table of collective times: CSV, or nccl-tests' text");
    command
        ->add_option(
            "--message-bytes", arguments->messageBytes,
            "Message size of collectives that do not tell theirs, as in a graph: hidden size × tokens × 2")
        ->check(CLI::PositiveNumber);
    command->add_option("--serving", arguments->serving,
                        "Serving benchmark result: the unprofiled time per output token");
    command->add_option("--steps", arguments->steps,
                        "Only these steps, such as 3..10 (from 0, both included)");
    command->add_option("--categories", arguments->categories, "Category rules over the built-in ones");
    command->add_option("--json", arguments->json,
                        "Write the document here; - for stdout, and nothing else there");
    command->callback([arguments, &status] {
        if (useSessionFiles(arguments->paths, status))
            status = runWhatif(*arguments);
    });
}

} // namespace lockstep::cli
