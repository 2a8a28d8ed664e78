#include "model/report/infojson.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace lockstep {

namespace {

using nlohmann::ordered_json;

std::string_view nameOf(Compression compression) {
    switch (compression) {
    case Compression::Gzip:
        return "gzip";
    case Compression::Zstd:
        return "zstd";
    case Compression::None:
        break;
    }
    return "none";
}

std::string_view nameOf(RankSource source) {
    switch (source) {
    case RankSource::Content:
        return "content";
    case RankSource::Name:
        return "name";
    case RankSource::Order:
        break;
    }
    return "order";
}

template <class Value>
ordered_json orNull(const std::optional<Value>& value) {
    return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json warningsJson(const std::vector<ImportWarning>& warnings) {
    ordered_json list = ordered_json::array();
    for (const ImportWarning& warning : warnings)
        list.push_back({{"code", warning.code},
                        {"message", warning.message},
                        {"count", warning.count},
                        {"offset", orNull(warning.offset)}});
    return list;
}

ordered_json fileJson(const FileSummary& file) {
    const ImportReport& report = file.report;
    ordered_json json;
    json["file"] = file.file;
    json["rank"] = orNull(file.rank);
    json["rank_source"] = file.rank ? ordered_json(nameOf(file.rankSource)) : ordered_json(nullptr);
    json["set_aside"] = file.setAside.empty() ? ordered_json(nullptr) : ordered_json(file.setAside);
    json["world_size"] = file.worldSize > 0 ? ordered_json(file.worldSize) : ordered_json(nullptr);
    json["device"] = file.device.empty() ? ordered_json(nullptr) : ordered_json(file.device);
    json["compression"] = nameOf(report.compression);
    json["bytes"] = report.bytes;
    json["json_bytes"] = report.jsonBytes;
    json["events"] = report.events;
    json["by_phase"] = report.byPhase;
    json["by_category"] = report.byCategory;
    json["skipped"] = report.skipped;
    json["repaired"] = report.repaired;
    json["kernels"] = file.kernels;
    json["kernel_sum_ns"] = file.kernelSumNs;
    json["first_ns"] = file.span ? ordered_json(file.span->begin) : ordered_json(nullptr);
    json["last_ns"] = file.span ? ordered_json(file.span->end) : ordered_json(nullptr);
    json["truncated"] = report.truncated;
    json["warnings"] = warningsJson(report.warnings);
    return json;
}

std::string megabytes(std::uint64_t bytes) {
    return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

std::string fileText(const FileSummary& file) {
    if (!file.setAside.empty())
        return fmt::format("{}\n    set aside: {}\n", file.file, file.setAside);
    const ImportReport& report = file.report;
    std::string text = fmt::format("{}\n    rank {} (from {}){}, {}\n", file.file, file.rank.value_or(-1),
                                   file.rankSource == RankSource::Content ? "the trace"
                                   : file.rankSource == RankSource::Name  ? "the file's name"
                                                                          : "the order of files",
                                   file.worldSize > 0 ? fmt::format(" of {}", file.worldSize) : std::string{},
                                   file.device.empty() ? "device unknown" : file.device);
    text += fmt::format("    {} on disk ({}), {} of JSON, {} events\n", megabytes(report.bytes),
                        nameOf(report.compression), megabytes(report.jsonBytes), report.events);
    if (file.span)
        text += fmt::format("    {} kernels, {:.3f} ms of kernel time within {:.3f} ms\n", file.kernels,
                            static_cast<double>(file.kernelSumNs) / 1e6,
                            static_cast<double>(file.span->length()) / 1e6);
    else
        text += "    no GPU activity\n";
    std::vector<std::string> categories;
    for (const auto& [category, count] : report.byCategory)
        categories.push_back(fmt::format("{} {}", category, count));
    if (!categories.empty())
        text += fmt::format("    {}\n", fmt::join(categories, ", "));
    if (report.damaged())
        text += fmt::format("    damaged: {} events repaired, {} left out{}\n", report.repaired,
                            report.skipped, report.truncated ? ", the file ends early" : "");
    for (const ImportWarning& warning : report.warnings)
        text += fmt::format("    note: {}{}{}\n", warning.message,
                            warning.count > 1 ? fmt::format(" ({} times)", warning.count) : std::string{},
                            warning.offset ? fmt::format(", at byte {}", *warning.offset) : std::string{});
    return text;
}

} // namespace

FileSummary summarise(const RankTrace& trace) {
    FileSummary summary;
    summary.file = trace.report.file;
    summary.rank = trace.rank >= 0 ? std::optional(trace.rank) : std::nullopt;
    summary.rankSource = trace.rankSource;
    if (trace.header.distributed)
        summary.worldSize = trace.header.distributed->worldSize.value_or(0);
    summary.device = trace.deviceName();
    summary.report = trace.report;
    bool hasActivity = false;
    for (std::size_t i = 0; i < trace.events.size(); ++i) {
        const EventId id{i};
        hasActivity = hasActivity || isGpuActivity(trace.events.kind(id));
        if (trace.events.kind(id) != EventKind::Kernel)
            continue;
        ++summary.kernels;
        summary.kernelSumNs += trace.events.duration(id);
    }
    if (hasActivity)
        summary.span = trace.span();
    return summary;
}

std::string infoJson(const InfoDocument& document) {
    ordered_json json;
    json["schema"] = "lockstep.info/1";
    json["load_ms"] = document.loadSeconds * 1e3;
    json["peak_memory_bytes"] = document.peakMemoryBytes;
    json["files"] = ordered_json::array();
    for (const FileSummary& file : document.files)
        json["files"].push_back(fileJson(file));
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string infoText(const InfoDocument& document) {
    std::string text;
    std::uint64_t events = 0;
    std::uint64_t bytes = 0;
    for (const FileSummary& file : document.files) {
        text += fileText(file);
        events += file.report.events;
        bytes += file.report.jsonBytes;
    }
    text +=
        fmt::format("{} files, {} events, {} of JSON in {:.2f} s ({:.0f} MB/s), peak memory {}\n",
                    document.files.size(), events, megabytes(bytes), document.loadSeconds,
                    document.loadSeconds > 0 ? static_cast<double>(bytes) / 1e6 / document.loadSeconds : 0.0,
                    megabytes(document.peakMemoryBytes));
    return text;
}

} // namespace lockstep
