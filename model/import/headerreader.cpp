#include "model/import/headerreader.h"

#include "model/import/damagedtext.h"
#include "model/import/decimaltime.h"

#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace lockstep {

namespace {

using nlohmann::json;

std::optional<std::int64_t> integerOf(const json& value) {
    if (value.is_number_unsigned() &&
        value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
        return std::nullopt;
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    if (value.is_number_float()) {
        const double number = value.get<double>();
        if (std::abs(number) < 9e18)
            return static_cast<std::int64_t>(number);
    }
    if (value.is_string())
        return parseInteger(value.get_ref<const std::string&>());
    return std::nullopt;
}

std::optional<int> smallIntegerOf(const json& value) {
    const auto number = integerOf(value);
    if (!number || *number < std::numeric_limits<int>::min() || *number > std::numeric_limits<int>::max())
        return std::nullopt;
    return static_cast<int>(*number);
}

const json& at(const json& object, const char* key) {
    static const json kNull;
    const auto found = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && found != object.end() ? *found : kNull;
}

std::string textOf(const json& value) {
    return value.is_string() ? value.get<std::string>()
           : value.is_null() ? std::string{}
                             : value.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Ranks as an array, or as text such as "[0, 1, 2]".
std::vector<int> ranksOf(const json& value) {
    std::vector<int> ranks;
    if (value.is_array()) {
        for (const json& rank : value)
            if (const auto number = smallIntegerOf(rank))
                ranks.push_back(*number);
    } else if (value.is_string()) {
        const std::string& text = value.get_ref<const std::string&>();
        const char* p = text.data();
        const char* end = p + text.size();
        while (p < end) {
            int number = 0;
            const auto [next, error] = std::from_chars(p, end, number);
            if (error == std::errc{})
                ranks.push_back(number);
            p = error == std::errc{} ? next : p + 1;
        }
    }
    return ranks;
}

void readDevices(const json& value, TraceHeader& header) {
    if (!value.is_array())
        return;
    header.devices.clear();
    for (const json& entry : value) {
        DeviceProperties device;
        device.id = smallIntegerOf(at(entry, "id")).value_or(static_cast<int>(header.devices.size()));
        device.name = textOf(at(entry, "name"));
        device.memoryBytes = integerOf(at(entry, "totalGlobalMem")).value_or(0);
        device.computeMajor = smallIntegerOf(at(entry, "computeMajor")).value_or(0);
        device.computeMinor = smallIntegerOf(at(entry, "computeMinor")).value_or(0);
        device.multiprocessors = smallIntegerOf(at(entry, "numSms")).value_or(0);
        header.devices.push_back(std::move(device));
    }
}

void readDistributed(const json& value, TraceHeader& header) {
    if (!value.is_object())
        return;
    DistributedInfo info;
    info.backend = textOf(at(value, "backend"));
    info.rank = smallIntegerOf(at(value, "rank"));
    info.worldSize = smallIntegerOf(at(value, "world_size"));
    info.ncclVersion = textOf(at(value, "nccl_version"));
    const json& groups = at(value, "pg_config");
    for (const json& entry : groups.is_array() ? groups : json::array()) {
        ProcessGroup group;
        group.name = textOf(at(entry, "pg_name"));
        group.description = textOf(at(entry, "pg_desc"));
        group.size = smallIntegerOf(at(entry, "pg_size")).value_or(0);
        group.ranks = ranksOf(at(entry, "ranks"));
        info.processGroups.push_back(std::move(group));
    }
    header.distributed = std::move(info);
}

/// The member as JSON, put right where that is certain; discarded where it is not.
json parseMember(std::string_view member) {
    const std::string text = fmt::format("{{{}}}", member);
    json parsed = json::parse(text, nullptr, false);
    return parsed.is_discarded() ? json::parse(repairedEvent(text).text, nullptr, false) : parsed;
}

} // namespace

void readHeaderMember(std::string_view member, std::uint64_t offset, TraceHeader& header,
                      ImportReport& report) {
    const json parsed = parseMember(member);
    if (!parsed.is_object() || parsed.empty()) {
        report.warn("header_member_unreadable", "a header entry could not be read; it was left out", offset);
        return;
    }
    for (const auto& [key, value] : parsed.items()) {
        if (key == "deviceProperties")
            readDevices(value, header);
        else if (key == "distributedInfo")
            readDistributed(value, header);
        else if (key == "baseTimeNanoseconds")
            header.baseTimeNs = integerOf(value);
        else if (key == "displayTimeUnit")
            header.displayTimeUnit = textOf(value);
        else if (key == "traceName")
            header.traceName = textOf(value);
        else
            header.other[key] = value.dump(-1, ' ', false, json::error_handler_t::replace);
    }
}

} // namespace lockstep
