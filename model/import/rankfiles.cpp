#include "model/import/rankfiles.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

namespace lockstep {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMerged = "several ranks merged into one file";

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lowered(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), lower);
    return out;
}

/// Digits compare as numbers.
bool naturalLess(const std::string& a, const std::string& b) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (isDigit(a[i]) && isDigit(b[j])) {
            const std::size_t startA = a.find_first_not_of('0', i);
            const std::size_t startB = b.find_first_not_of('0', j);
            std::size_t endA = std::min(startA, a.size());
            std::size_t endB = std::min(startB, b.size());
            const std::size_t firstA = endA;
            const std::size_t firstB = endB;
            while (endA < a.size() && isDigit(a[endA]))
                ++endA;
            while (endB < b.size() && isDigit(b[endB]))
                ++endB;
            if (endA - firstA != endB - firstB)
                return endA - firstA < endB - firstB;
            if (const int order = a.compare(firstA, endA - firstA, b, firstB, endB - firstB); order != 0)
                return order < 0;
            i = endA;
            j = endB;
        } else {
            if (a[i] != b[j])
                return a[i] < b[j];
            ++i;
            ++j;
        }
    }
    return a.size() - i < b.size() - j || (a.size() - i == b.size() - j && a < b);
}

bool endsLikeTrace(const std::string& name) {
    static constexpr std::array<std::string_view, 8> kEndings{
        ".json", ".json.gz", ".json.zst", ".json.zstd", ".trace", ".json.tmp", ".trace.gz", ".chrome_trace"};
    return std::any_of(kEndings.begin(), kEndings.end(), [&](auto ending) {
        return name.ends_with(ending);
    });
}

std::optional<int> numberAt(std::string_view text, std::size_t at) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
    return error == std::errc{} ? std::optional(number) : std::nullopt;
}

/// The number after `word`, with at most one of -_[ between; the word must not go on from another letter.
std::optional<int> numberAfter(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        std::size_t next = at + word.size();
        if (at > 0 && text[at - 1] >= 'a' && text[at - 1] <= 'z')
            continue;
        if (next < text.size() && (text[next] == '-' || text[next] == '_' || text[next] == '['))
            ++next;
        if (next < text.size() && isDigit(text[next]))
            return numberAt(text, next);
    }
    return std::nullopt;
}

void listFolder(const fs::path& folder, TraceFiles& found) {
    std::vector<std::string> names;
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(folder, code))
        if (entry.is_regular_file(code))
            names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end(), naturalLess);
    for (const std::string& name : names) {
        const std::string path = (folder / name).string();
        if (const auto reason = reasonToSetAside(name))
            found.setAside.push_back({path, *reason});
        else if (endsLikeTrace(lowered(name)))
            found.files.push_back(path);
    }
}

Error conflict(const RankTrace& a, const RankTrace& b, ErrorCode code, const std::string& what) {
    return {code,
            a.report.file,
            {},
            fmt::format("{} as {}: {}", what, b.report.file, "open the files of one capture only")};
}

/// What tells two captures apart that claim one rank.
std::string identityOf(const RankTrace& trace) {
    const auto id = trace.header.other.find("trace_id");
    if (id != trace.header.other.end())
        return id->second;
    return trace.events.empty() ? std::string{}
                                : fmt::format("{} {}", trace.events.size(), trace.span().begin);
}

/// Ranks that count within a tensor-parallel group repeat; then names that differ decide, if the captures
/// differ too.
bool useNames(std::vector<RankTrace>& traces) {
    std::set<int> ranks;
    std::set<std::string> identities;
    for (const RankTrace& trace : traces) {
        const auto rank = rankFromName(fs::path(trace.report.file).filename().string());
        if (!rank || !ranks.insert(*rank).second || !identities.insert(identityOf(trace)).second)
            return false;
    }
    for (RankTrace& trace : traces) {
        trace.rank = *rankFromName(fs::path(trace.report.file).filename().string());
        trace.rankSource = RankSource::Name;
    }
    return true;
}

} // namespace

std::optional<std::string> reasonToSetAside(std::string_view fileName) {
    const std::string name = lowered(fileName);
    const auto has = [&](std::string_view word) {
        return name.find(word) != std::string::npos;
    };
    if (has("async_llm"))
        return "the front-end process (async_llm), not a rank";
    if (has("graph_capture"))
        return "a trace of graph capture, not of serving";
    if (name.starts_with("merged-") || name.starts_with("merged_") || has("-merged.") || has("_merged."))
        return std::string(kMerged);
    if (name.starts_with("profiler_out") || (has("profiler_out_") && name.ends_with(".txt")))
        return "the profiler's summary table, not a timeline";
    if (name.ends_with(".tmp"))
        return "not finished: the profiler renames a file when it is whole";
    if (name.starts_with("proton"))
        return "a Proton profile, not a torch.profiler trace";
    if (name == "server_args.json")
        return "the server's arguments, not a trace";
    return std::nullopt;
}

std::optional<int> rankFromName(std::string_view fileName) {
    const std::string name = lowered(fileName);
    for (const std::string_view word : {"rank", "tp"})
        if (const auto rank = numberAfter(name, word))
            return rank;
    // `_3.` before the ending; longer numbers are times or process ids.
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
        std::size_t digit = dot;
        while (digit > 0 && isDigit(name[digit - 1]))
            --digit;
        if (digit < dot && dot - digit <= 4 && digit > 0 && name[digit - 1] == '_')
            return numberAt(name, digit);
    }
    return std::nullopt;
}

Result<TraceFiles> listTraceFiles(const std::vector<std::string>& paths) {
    TraceFiles found;
    std::vector<SetAsideFile> given; // named by the user: kept if there is nothing else
    for (const std::string& path : paths) {
        std::error_code code;
        if (!fs::exists(path, code))
            return make_unexpected(
                Error{ErrorCode::FileNotFound, path, {}, "there is no such file or folder"});
        if (fs::is_directory(path, code))
            listFolder(path, found);
        else if (const auto reason = reasonToSetAside(fs::path(path).filename().string()))
            given.push_back({path, *reason});
        else
            found.files.push_back(path);
    }
    if (found.files.empty())
        for (SetAsideFile& file : given)
            found.files.push_back(std::move(file.file));
    else
        found.setAside.insert(found.setAside.end(), given.begin(), given.end());
    // Nothing but merged files: their ranks are split again.
    if (found.files.empty()) {
        for (const SetAsideFile& file : found.setAside)
            if (file.reason == kMerged)
                found.files.push_back(file.file);
        std::erase_if(found.setAside, [](const SetAsideFile& file) {
            return file.reason == kMerged;
        });
    }
    if (found.files.empty() && found.setAside.empty())
        return make_unexpected(Error{
            ErrorCode::NotATrace,
            paths.empty() ? std::string{} : paths.front(),
            {},
            "holds no trace (*.json, *.json.gz, *.json.zst); open the folder that the profiler wrote to"});
    return found;
}

Result<std::vector<std::string>> assignRanks(std::vector<RankTrace>& traces) {
    std::vector<std::string> notes;
    const RankTrace* sized = nullptr;
    for (const RankTrace& trace : traces) {
        if (!trace.header.distributed || !trace.header.distributed->worldSize)
            continue;
        if (sized && *sized->header.distributed->worldSize != *trace.header.distributed->worldSize)
            return make_unexpected(conflict(*sized, trace, ErrorCode::RankConflict,
                                            fmt::format("has world size {}, not the same ({})",
                                                        *sized->header.distributed->worldSize,
                                                        *trace.header.distributed->worldSize)));
        sized = &trace;
    }
    std::map<int, const RankTrace*> taken;
    const RankTrace* first = nullptr;
    const RankTrace* second = nullptr;
    for (RankTrace& trace : traces) {
        if (trace.rank < 0) {
            if (const auto rank = rankFromName(fs::path(trace.report.file).filename().string())) {
                trace.rank = *rank;
                trace.rankSource = RankSource::Name;
            }
        }
        if (trace.rank < 0)
            continue;
        const auto [other, isNew] = taken.try_emplace(trace.rank, &trace);
        if (!isNew && !first) {
            first = other->second;
            second = &trace;
        }
    }
    if (first) {
        const int repeated = first->rank;
        const bool fromContent =
            first->rankSource == RankSource::Content && second->rankSource == RankSource::Content;
        if (!fromContent || !useNames(traces))
            return make_unexpected(conflict(*first, *second, ErrorCode::RankConflict,
                                            fmt::format("is rank {}, the same", repeated)));
        notes.push_back(fmt::format(
            "the traces themselves repeat rank {}: ranks were taken from the file names", repeated));
        taken.clear();
        for (const RankTrace& trace : traces)
            taken.emplace(trace.rank, &trace);
    }
    int next = 0;
    std::size_t ordered = 0;
    for (RankTrace& trace : traces) {
        if (trace.rank >= 0)
            continue;
        while (taken.contains(next))
            ++next;
        trace.rank = next;
        trace.rankSource = RankSource::Order;
        taken.emplace(next, &trace);
        ++ordered;
    }
    if (ordered > 0 && traces.size() > 1)
        notes.push_back(fmt::format("{} of {} files name no rank: they were numbered in the order given",
                                    ordered, traces.size()));
    std::sort(traces.begin(), traces.end(), [](const auto& a, const auto& b) {
        return a.rank < b.rank;
    });
    return notes;
}

} // namespace lockstep
