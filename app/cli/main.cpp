#include "app/cli/command.h"

int main(int argc, char** argv) {
    CLI::App app("Analyses the torch.profiler traces of all ranks of one decode run.", "lockstep-cli");
    app.set_version_flag("--version", "lockstep-cli " LOCKSTEP_VERSION);
    app.require_subcommand(1);
    auto status = lockstep::cli::ExitStatus::Done;
    lockstep::cli::addInfo(app, status);
    lockstep::cli::addAnalyze(app, status);
    lockstep::cli::addCompare(app, status);
    lockstep::cli::addWhatif(app, status);
    lockstep::cli::addExport(app, status);
    lockstep::cli::addReport(app, status);
    lockstep::cli::addMerge(app, status);
    lockstep::cli::addSynth(app, status);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : static_cast<int>(lockstep::cli::ExitStatus::BadUsage);
    }
    return static_cast<int>(status);
}
