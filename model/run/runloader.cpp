#include "model/run/runloader.h"

#include "model/import/bytesource.h"
#include "model/import/rankfiles.h"
#include "model/import/tracereader.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>

namespace lockstep {

namespace {

namespace fs = std::filesystem;

std::string fileName(const std::string& path) {
    return fs::path(path).filename().string();
}

/// Renames every string of `trace` by `to`.
void renameStrings(RankTrace& trace, const std::vector<StringId>& to) {
    const auto rename = [&](StringId& id) {
        if (id.valid())
            id = to[id.index()];
    };
    trace.events.renameStrings(to);
    for (CpuOpArguments& row : trace.arguments.cpuOps) {
        rename(row.inputDims);
        rename(row.callSite);
    }
    for (CollectiveArguments& row : trace.arguments.collectives)
        for (StringId* id : {&row.collective, &row.dtype, &row.processGroup, &row.processGroupDescription,
                             &row.processGroupRanks, &row.inSplit, &row.outSplit, &row.commsId})
            rename(*id);
    for (Flow& flow : trace.flows)
        rename(flow.category);
    for (CounterSample& sample : trace.counters) {
        rename(sample.name);
        rename(sample.series);
    }
}

/// One pool for all ranks, filled in their order, so that ids do not depend on which file was done first.
std::shared_ptr<const StringPool> shareStrings(std::vector<RankTrace>& ranks) {
    auto pool = std::make_shared<StringPool>();
    for (RankTrace& rank : ranks) {
        std::vector<StringId> to;
        to.reserve(rank.strings->size());
        for (std::size_t i = 0; i < rank.strings->size(); ++i)
            to.push_back(pool->intern(rank.strings->view(StringId{i})));
        renameStrings(rank, to);
        rank.strings = nullptr;
    }
    for (RankTrace& rank : ranks)
        rank.strings = pool;
    return pool;
}

bool hasGpuActivity(const RankTrace& trace) {
    return !trace.arguments.gpu.empty();
}

/// What only the content shows to be no rank: a front end without GPU work, ranks merged into one file
/// beside those ranks themselves.
std::string reasonByContent(const RankTrace& trace, bool merged, bool othersHaveGpu) {
    if (merged)
        return "several ranks merged into one file";
    if (othersHaveGpu && !hasGpuActivity(trace) && trace.rankSource != RankSource::Content)
        return "no GPU activity and no rank: a front-end process";
    return {};
}

void setAsideByContent(std::vector<RankTrace>& traces, std::vector<SetAsideFile>& setAside) {
    const auto withGpu = std::count_if(traces.begin(), traces.end(), hasGpuActivity);
    std::map<std::string, std::size_t> ofFile;
    for (const RankTrace& trace : traces)
        ++ofFile[trace.report.file];
    std::vector<std::string> reasons;
    reasons.reserve(traces.size());
    for (const RankTrace& trace : traces)
        reasons.push_back(reasonByContent(trace, ofFile[trace.report.file] > 1, withGpu > 0));
    if (std::none_of(reasons.begin(), reasons.end(), [](const auto& reason) {
            return reason.empty();
        }))
        return; // nothing else there: show what there is
    std::vector<RankTrace> kept;
    for (std::size_t i = 0; i < traces.size(); ++i) {
        if (reasons[i].empty())
            kept.push_back(std::move(traces[i]));
        else if (setAside.empty() || setAside.back().file != traces[i].report.file)
            setAside.push_back({traces[i].report.file, reasons[i]});
    }
    traces = std::move(kept);
}

/// What the files' names have in common before the rank, else the folder's name.
std::string nameOfRun(const std::vector<std::string>& paths, const std::vector<RankTrace>& ranks) {
    std::error_code code;
    if (paths.size() == 1 && fs::is_directory(paths.front(), code))
        return fs::canonical(paths.front(), code).filename().string();
    std::string common = fileName(ranks.front().report.file);
    for (const RankTrace& rank : ranks) {
        const std::string name = fileName(rank.report.file);
        const auto differs = std::mismatch(common.begin(), common.end(), name.begin(), name.end()).first;
        common.erase(differs, common.end());
    }
    for (const std::string_view word : {".json", ".pt", ".trace", "rank", "Rank", "TP-"})
        if (const auto at = common.find(word); at != std::string::npos && at > 0)
            common.erase(at);
    while (!common.empty() && std::string_view("-_. ").find(common.back()) != std::string_view::npos)
        common.pop_back();
    if (!common.empty())
        return common;
    return fs::absolute(ranks.front().report.file, code).parent_path().filename().string();
}

void noteMissingRanks(Run& run) {
    std::set<int> present;
    for (const RankTrace& rank : run.ranks)
        present.insert(rank.rank);
    std::vector<int> missing;
    for (int rank = 0; rank < run.worldSize && missing.size() < 64; ++rank)
        if (!present.contains(rank))
            missing.push_back(rank);
    if (!missing.empty())
        run.notes.push_back(fmt::format("of {} ranks, {} are not here: {}", run.worldSize, missing.size(),
                                        fmt::join(missing, ", ")));
}

Error cancelled() {
    return {ErrorCode::Cancelled, {}, {}, "loading was cancelled"};
}

} // namespace

void readTraces(const std::vector<std::string>& files, const LoadOptions& options,
                const std::function<void(std::size_t, Result<std::vector<RankTrace>>)>& take) {
    if (options.progress) {
        for (const std::string& file : files) {
            auto progress = std::make_unique<FileProgress>();
            progress->file = file;
            progress->bytesTotal = fileSize(file);
            options.progress->files.push_back(std::move(progress));
        }
        options.progress->started = true;
    }
    // The largest first: the last file to start should not be the one that takes longest.
    std::vector<std::size_t> order(files.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return fileSize(files[a]) > fileSize(files[b]);
    });
    std::atomic<std::size_t> next{0};
    std::mutex taking;
    const auto work = [&] {
        for (std::size_t at = next++; at < order.size(); at = next++) {
            const std::size_t file = order[at];
            ReadOptions read;
            read.windowBytes = options.windowBytes;
            read.progress = options.progress ? options.progress->files[file].get() : nullptr;
            read.stop = options.stop;
            read.onPartial = options.onPartial;
            Result<std::vector<RankTrace>> traces = readRanks(files[file], read);
            if (read.progress)
                read.progress->done = true;
            const std::lock_guard lock(taking);
            take(file, std::move(traces));
        }
    };
    const unsigned wanted =
        options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::jthread> workers;
    for (std::size_t i = 1; i < std::min<std::size_t>(wanted, files.size()); ++i)
        workers.emplace_back(work);
    work();
}

Result<std::shared_ptr<const Run>> loadRun(const std::vector<std::string>& paths,
                                           const LoadOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    auto files = listTraceFiles(paths);
    if (!files)
        return make_unexpected(files.error());
    auto run = std::make_shared<Run>();
    run->setAside = std::move(files->setAside);

    std::vector<std::optional<Result<std::vector<RankTrace>>>> read(files->files.size());
    readTraces(files->files, options, [&](std::size_t index, Result<std::vector<RankTrace>> traces) {
        read[index] = std::move(traces);
    });
    if (options.stop.stop_requested())
        return make_unexpected(cancelled());

    std::optional<Error> firstError;
    for (std::size_t i = 0; i < read.size(); ++i) {
        Result<std::vector<RankTrace>>& traces = *read[i];
        if (traces) {
            std::move(traces->begin(), traces->end(), std::back_inserter(run->ranks));
            continue;
        }
        run->setAside.push_back({files->files[i], traces.error().message});
        if (!firstError)
            firstError = traces.error();
    }
    read.clear();
    if (run->ranks.empty())
        return make_unexpected(firstError.value_or(
            Error{ErrorCode::NoRanks,
                  paths.empty() ? std::string{} : paths.front(),
                  {},
                  run->setAside.empty()
                      ? "holds no trace"
                      : fmt::format("holds no rank's trace ({}: {})", fileName(run->setAside.front().file),
                                    run->setAside.front().reason)}));
    setAsideByContent(run->ranks, run->setAside);
    auto notes = assignRanks(run->ranks);
    if (!notes)
        return make_unexpected(notes.error());
    run->notes = std::move(*notes);
    run->strings = shareStrings(run->ranks);
    run->worldSize = static_cast<int>(run->ranks.size());
    for (const RankTrace& rank : run->ranks)
        if (rank.header.distributed && rank.header.distributed->worldSize)
            run->worldSize = std::max(run->worldSize, *rank.header.distributed->worldSize);
    noteMissingRanks(*run);
    run->name = nameOfRun(paths, run->ranks);
    run->loadSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::shared_ptr<const Run>(std::move(run));
}

} // namespace lockstep
