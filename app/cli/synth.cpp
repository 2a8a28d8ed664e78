#include "app/cli/command.h"
#include "model/synthetic/presets.h"
#include "model/synthetic/syntheticrun.h"

#include <cstdio>
#include <fmt/format.h>
#include <memory>

namespace lockstep::cli {

namespace {

struct SynthArguments {
    SyntheticOptions options;
    std::vector<std::string> stalls;
    std::string compress = "none";
};

ExitStatus runSynth(SynthArguments arguments) {
    for (const std::string& text : arguments.stalls) {
        const Result<InjectedStall> stall = parseInjectedStall(text);
        if (!stall) {
            printError(stall.error());
            return ExitStatus::BadUsage;
        }
        arguments.options.stalls.push_back(*stall);
    }
    arguments.options.gzip = arguments.compress == "gzip";
    const Result<SyntheticReport> report = writeSyntheticRun(arguments.options);
    if (!report) {
        printError(report.error());
        return report.error().code == ErrorCode::BadArgument ? ExitStatus::BadUsage : ExitStatus::Unusable;
    }
    const double megabytes = static_cast<double>(report->textBytes) / 1e6;
    fmt::print("synthetic run: {}, {} ranks, {} steps, seed {}\n", arguments.options.preset,
               arguments.options.ranks, report->steps, arguments.options.seed);
    for (const std::string& file : report->files)
        fmt::print("  {}\n", file);
    fmt::print("  {}  (clocks, stalls and the table that analyses should find)\n", report->truthFile);
    fmt::print("{:.1f} MB in {:.2f} s, {:.0f} MB/s\n", megabytes, report->seconds,
               megabytes / report->seconds);
    return ExitStatus::Done;
}

} // namespace

void addSynth(CLI::App& app, ExitStatus& status) {
    auto arguments = std::make_shared<SynthArguments>();
    SyntheticOptions& options = arguments->options;
    CLI::App* command =
        app.add_subcommand("synth", "Write synthetic traces, labelled as such, calibrated to the case study");
    std::vector<std::string> presets;
    for (const std::string_view preset : syntheticPresets())
        presets.emplace_back(preset);
    command->add_option("--preset", options.preset, "What to write")
        ->required()
        ->check(CLI::IsMember(presets));
    command->add_option("--ranks", options.ranks, "Ranks, one file each")->capture_default_str();
    command->add_option("--steps", options.steps, "Decode steps")->capture_default_str();
    command
        ->add_option("--megabytes", options.megabytesPerRank,
                     "As many steps as a rank's file of this size takes")
        ->check(CLI::PositiveNumber);
    command->add_option("--seed", options.seed, "The same seed gives the same bytes")->capture_default_str();
    command->add_option(
        "--stall", arguments->stalls,
        "STEP:LAYER:RANK:US[:kernel|:host]: this rank is late by so much at the layer's first collective");
    command->add_flag("--graph", options.graph, "One CUDA graph a step: no CPU ops, no collective metadata");
    command->add_option("--compress", arguments->compress, "none or gzip")
        ->check(CLI::IsMember({"none", "gzip"}))
        ->capture_default_str();
    command->add_option("-o,--output", options.folder, "Folder to write into")->required();
    command->callback([arguments, &status] {
        status = runSynth(*arguments);
    });
}

} // namespace lockstep::cli
