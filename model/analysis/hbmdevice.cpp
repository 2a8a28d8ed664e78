#include "model/analysis/hbmdevice.h"

#include "model/core/resource.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace lockstep {

namespace {

constexpr double kGiga = 1e9;

struct Entry {
    HbmDevice device;
    std::vector<std::vector<std::string>> match; ///< lists of words, each of which is enough
};

/// The words of `text`, in lower case.
std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> result;
    std::string word;
    for (const char c : text) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            word.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
        } else if (!word.empty()) {
            result.push_back(std::move(word));
            word.clear();
        }
    }
    if (!word.empty())
        result.push_back(std::move(word));
    return result;
}

std::vector<Entry> entries() {
    std::vector<Entry> result;
    for (const std::string_view path : builtinResources("hardware/")) {
        const nlohmann::json document = nlohmann::json::parse(builtinResource(path), nullptr, false);
        if (!document.is_object() || !document.contains("devices"))
            continue;
        for (const nlohmann::json& item : document["devices"]) {
            Entry entry;
            entry.device.name = item.value("name", "");
            entry.device.title = item.value("title", "");
            entry.device.bytesPerSecond = item.value("bandwidth_gb_s", 0.0) * kGiga;
            entry.device.memoryBytes = item.value("memory_gb", 0.0) * kGiga;
            entry.device.source = item.value("source", "");
            entry.match = item.value("match", std::vector<std::vector<std::string>>());
            result.push_back(std::move(entry));
        }
    }
    return result;
}

/// How many words of the best fitting list stand in `device`; 0 if no list fits.
std::size_t fit(const Entry& entry, const std::vector<std::string>& device) {
    std::size_t best = 0;
    for (const std::vector<std::string>& list : entry.match) {
        const bool all = std::all_of(list.begin(), list.end(), [&](const std::string& word) {
            return std::find(device.begin(), device.end(), word) != device.end();
        });
        if (all)
            best = std::max(best, list.size());
    }
    return best;
}

/// "1792GB/s", "1.8 TB/s": a bandwidth in bytes a second.
std::optional<double> bandwidth(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || value <= 0)
        return std::nullopt;
    std::string unit;
    for (const char c : text.substr(static_cast<std::size_t>(end - text.data())))
        if (c != ' ')
            unit.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    if (unit == "gb/s" || unit == "gbs")
        return value * kGiga;
    if (unit == "tb/s" || unit == "tbs")
        return value * kGiga * 1000;
    return std::nullopt;
}

} // namespace

std::vector<std::string> hbmDeviceNames() {
    std::vector<std::string> names;
    for (const Entry& entry : entries())
        names.push_back(entry.device.name);
    return names;
}

Result<HbmDevice> findHbmDevice(std::string_view text) {
    if (const std::optional<double> given = bandwidth(text))
        return HbmDevice{std::string(text), std::string(text), *given, 0, "as given"};
    const std::vector<std::string> wanted = words(text);
    const Entry* best = nullptr;
    std::size_t bestFit = 0;
    const std::vector<Entry> known = entries();
    for (const Entry& entry : known) {
        if (words(entry.device.name) == wanted)
            return entry.device;
        if (const std::size_t length = fit(entry, wanted); length > bestFit) {
            best = &entry;
            bestFit = length;
        }
    }
    if (best != nullptr)
        return best->device;
    return make_unexpected(
        Error{ErrorCode::BadArgument,
              "",
              {},
              fmt::format("the memory bandwidth of \"{}\" is not known: give it as --hardware 1792GB/s, or "
                          "give one of {}",
                          text, fmt::join(hbmDeviceNames(), ", "))});
}

} // namespace lockstep
