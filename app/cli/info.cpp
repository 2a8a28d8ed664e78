#include "app/cli/command.h"
#include "app/cli/loadsubject.h"
#include "model/import/rankfiles.h"
#include "model/report/infojson.h"
#include "model/run/runloader.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <memory>
#include <sys/resource.h>

namespace lockstep::cli {

namespace {

struct InfoArguments {
    std::vector<std::string> paths;
    std::string json;
    unsigned threads = 0;
};

std::uint64_t peakMemoryBytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

FileSummary asideSummary(const std::string& file, const std::string& reason) {
    FileSummary summary;
    summary.file = file;
    summary.setAside = reason;
    summary.report.file = file;
    return summary;
}

ExitStatus runInfo(const InfoArguments& arguments) {
    const auto start = std::chrono::steady_clock::now();
    const auto files = listTraceFiles(arguments.paths);
    if (!files) {
        printError(files.error());
        return ExitStatus::Unusable;
    }
    LoadOptions options;
    options.threads = arguments.threads;
    InfoDocument document;
    std::vector<std::vector<FileSummary>> summaries(files->files.size());
    ExitStatus status = ExitStatus::Done;
    std::vector<Error> unusable;
    readTraces(files->files, options, [&](std::size_t index, Result<std::vector<RankTrace>> traces) {
        if (!traces) {
            summaries[index].push_back(asideSummary(files->files[index], traces.error().message));
            unusable.push_back(traces.error());
            return;
        }
        for (RankTrace& trace : *traces) {
            if (trace.rank < 0) {
                if (const auto rank =
                        rankFromName(trace.report.file.substr(trace.report.file.rfind('/') + 1))) {
                    trace.rank = *rank;
                    trace.rankSource = RankSource::Name;
                }
            }
            summaries[index].push_back(summarise(trace));
        }
    });
    for (std::vector<FileSummary>& ofFile : summaries)
        std::move(ofFile.begin(), ofFile.end(), std::back_inserter(document.files));
    // What names no rank is numbered in the order given, after those that do.
    int next = 0;
    for (FileSummary& summary : document.files) {
        if (summary.rank || !summary.setAside.empty())
            continue;
        const auto taken = [&] {
            return std::any_of(document.files.begin(), document.files.end(), [&](const FileSummary& other) {
                return other.rank == next;
            });
        };
        while (taken())
            ++next;
        summary.rank = next;
    }
    for (const FileSummary& summary : document.files) {
        printWarnings(summary.report);
        if (summary.report.damaged())
            status = ExitStatus::DataLost;
    }
    for (const SetAsideFile& file : files->setAside)
        document.files.push_back(asideSummary(file.file, file.reason));
    const bool nothingUsable = unusable.size() == files->files.size() && !unusable.empty();
    for (const Error& error : unusable) {
        // JSON of another kind beside traces is set aside, like what a name gives away.
        if (error.code == ErrorCode::NotATrace && !nothingUsable)
            continue;
        printError(error);
        status = nothingUsable ? ExitStatus::Unusable : ExitStatus::DataLost;
    }
    document.loadSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    document.peakMemoryBytes = peakMemoryBytes();
    if (arguments.json != "-")
        std::fputs(infoText(document).c_str(), stdout);
    if (!arguments.json.empty() && !writeText(arguments.json, infoJson(document)))
        return ExitStatus::Unusable;
    return status;
}

} // namespace

void addInfo(CLI::App& app, ExitStatus& status) {
    auto arguments = std::make_shared<InfoArguments>();
    CLI::App* command = app.add_subcommand("info", "What each file holds: rank, device, events, damage");
    command->add_option("RUN", arguments->paths, "Trace files, or a folder of them")->required();
    command->add_option("--json", arguments->json,
                        "Write the document here; - for stdout, and nothing else there");
    command->add_option("--threads", arguments->threads, "Files read at once; 0: one a core");
    command->callback([arguments, &status] {
        if (useSessionFiles(arguments->paths, status))
            status = runInfo(*arguments);
    });
}

} // namespace lockstep::cli
