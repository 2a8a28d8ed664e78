#include "model/import/mergedlayout.h"

#include "model/import/decimaltime.h"
#include "model/import/headerreader.h"

#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lockstep {

namespace {

using nlohmann::ordered_json;

constexpr int kVersion = 1;

/// Decimal microseconds of `ns`; `finer` is one more digit, or nothing.
std::string microseconds(TimeNs ns, std::string_view finer = {}) {
    const auto magnitude = static_cast<std::uint64_t>(std::llabs(ns));
    return fmt::format("{}{}.{:03}{}", ns < 0 ? "-" : "", magnitude / 1000, magnitude % 1000, finer);
}

std::string_view nameOf(RankSource source) {
    return source == RankSource::Content ? "content" : source == RankSource::Name ? "name" : "order";
}

ordered_json parsed(const std::string& text) {
    ordered_json value = ordered_json::parse(text, nullptr, false);
    return value.is_discarded() ? ordered_json(text) : value;
}

/// A header as the profiler writes it, of all that TraceHeader keeps.
ordered_json headerJson(const TraceHeader& header) {
    ordered_json json = ordered_json::object();
    for (const DeviceProperties& device : header.devices)
        json["deviceProperties"].push_back({{"id", device.id},
                                            {"name", device.name},
                                            {"totalGlobalMem", device.memoryBytes},
                                            {"computeMajor", device.computeMajor},
                                            {"computeMinor", device.computeMinor},
                                            {"numSms", device.multiprocessors}});
    if (header.distributed) {
        ordered_json& distributed = json["distributedInfo"];
        distributed["backend"] = header.distributed->backend;
        if (header.distributed->rank)
            distributed["rank"] = *header.distributed->rank;
        if (header.distributed->worldSize)
            distributed["world_size"] = *header.distributed->worldSize;
        for (const ProcessGroup& group : header.distributed->processGroups)
            distributed["pg_config"].push_back({{"pg_name", group.name},
                                                {"pg_desc", group.description},
                                                {"pg_size", group.size},
                                                {"ranks", group.ranks}});
        distributed["nccl_version"] = header.distributed->ncclVersion;
    }
    if (header.baseTimeNs)
        json["baseTimeNanoseconds"] = *header.baseTimeNs;
    if (!header.displayTimeUnit.empty())
        json["displayTimeUnit"] = header.displayTimeUnit;
    if (!header.traceName.empty())
        json["traceName"] = header.traceName;
    for (const auto& [key, value] : header.other)
        json[key] = parsed(value);
    return json;
}

std::string dumped(const ordered_json& json) {
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

TraceHeader headerOf(const ordered_json& json) {
    TraceHeader header;
    ImportReport ignored;
    if (json.is_object())
        for (const auto& [key, value] : json.items())
            readHeaderMember(dumped(ordered_json(key)) + ":" + dumped(value), 0, header, ignored);
    return header;
}

template <class T>
T valueOr(const ordered_json& object, const char* key, T fallback) {
    const auto found = object.find(key);
    if (found == object.end())
        return fallback;
    if constexpr (std::is_same_v<T, std::string>)
        return found->is_string() ? found->template get<std::string>() : fallback;
    else
        return found->is_number() ? found->template get<T>() : fallback;
}

std::optional<MergedRank> rankOf(const ordered_json& json) {
    if (!json.is_object() || !json.contains("rank"))
        return std::nullopt;
    MergedRank rank;
    rank.rank = valueOr(json, "rank", -1);
    const std::string source = valueOr(json, "rank_source", std::string("order"));
    rank.source = source == "content" ? RankSource::Content
                  : source == "name"  ? RankSource::Name
                                      : RankSource::Order;
    rank.file = valueOr(json, "file", std::string());
    rank.clock.offsetNs = valueOr(json, "offset_ns", 0.0);
    rank.clock.driftPpm = valueOr(json, "drift_ppm", 0.0);
    rank.clock.midNs = valueOr(json, "mid_ns", TimeNs{0});
    if (const auto pids = json.find("pids"); pids != json.end() && pids->is_object())
        for (const auto& [merged, own] : pids->items())
            if (own.is_string())
                rank.pids.emplace(merged, own.get<std::string>());
    if (const auto header = json.find("header"); header != json.end())
        rank.header = headerOf(*header);
    return rank;
}

} // namespace

// A clock that runs slow gives two nanoseconds of a rank the same one of the run. Where that happens to an
// event, a fourth decimal keeps them apart: 1 is one nanosecond later than the inverse says, 9 one earlier;
// rounded, the time is the same.
std::string MergedLayout::mergedTime(std::string_view time, std::size_t part) const {
    const auto own = parseMicroseconds(time);
    if (!own || std::llabs(*own) > (TimeNs{1} << 61))
        return std::string(time);
    const TimeNs absolute = *own + ranks[part].header.baseTimeNs.value_or(0);
    const TimeNs aligned = ranks[part].clock.toRunTime(absolute);
    const TimeNs merged = aligned - baseNs;
    const TimeNs error = absolute - ranks[part].clock.toOwnTime(aligned);
    if (error == 1)
        return microseconds(merged, "1");
    if (error == -1 && merged != 0)
        return microseconds(merged > 0 ? merged - 1 : merged + 1, "9");
    return microseconds(merged);
}

std::string MergedLayout::originalTime(std::string_view time, std::size_t part) const {
    const auto merged = parseMicroseconds(time);
    if (!merged || std::llabs(*merged) > (TimeNs{1} << 62))
        return std::string(time);
    const std::size_t point = time.find('.');
    const char finer = point != std::string_view::npos && point + 4 < time.size() ? time[point + 4] : '0';
    TimeNs own = ranks[part].clock.toOwnTime(*merged + baseNs);
    own += finer == '1' ? 1 : finer == '9' ? -1 : 0;
    return microseconds(own - ranks[part].header.baseTimeNs.value_or(0));
}

std::string toJson(const MergedLayout& layout) {
    ordered_json json;
    json["version"] = kVersion;
    json["base_ns"] = layout.baseNs;
    for (const MergedRank& rank : layout.ranks) {
        ordered_json entry;
        entry["rank"] = rank.rank;
        entry["rank_source"] = nameOf(rank.source);
        entry["file"] = rank.file;
        entry["offset_ns"] = rank.clock.offsetNs;
        entry["drift_ppm"] = rank.clock.driftPpm;
        entry["mid_ns"] = rank.clock.midNs;
        entry["pids"] = ordered_json::object();
        for (const auto& [merged, own] : rank.pids)
            entry["pids"][merged] = own;
        entry["header"] = headerJson(rank.header);
        json["ranks"].push_back(std::move(entry));
    }
    return dumped(json);
}

std::optional<MergedLayout> readMergedLayout(std::string_view text) {
    const ordered_json json = ordered_json::parse(text, nullptr, false);
    if (!json.is_object() || valueOr(json, "version", 0) != kVersion)
        return std::nullopt;
    MergedLayout layout;
    layout.baseNs = valueOr(json, "base_ns", TimeNs{0});
    const auto ranks = json.find("ranks");
    if (ranks == json.end() || !ranks->is_array() || ranks->empty())
        return std::nullopt;
    for (const ordered_json& entry : *ranks) {
        auto rank = rankOf(entry);
        if (!rank)
            return std::nullopt;
        layout.ranks.push_back(std::move(*rank));
    }
    return layout;
}

} // namespace lockstep
