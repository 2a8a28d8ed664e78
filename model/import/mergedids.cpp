#include "model/import/mergedids.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>

namespace lockstep {

namespace {

constexpr std::size_t kIdDigits = 10;
constexpr std::size_t kPidsOfPart = 10'000;
constexpr std::string_view kTextPrefix = "rank";

bool allDigits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

} // namespace

std::string mergedId(std::string_view token, std::size_t part) {
    const bool quoted = token.size() >= 2 && token.front() == '"';
    const std::string_view text = quoted ? token.substr(1, token.size() - 2) : token;
    if (text == "0" || text.starts_with('-') || text.empty())
        return std::string(token);
    if (allDigits(text) && text.size() <= kIdDigits && text.front() != '0') {
        const std::string number = fmt::format("{}{:0>{}}", part + 1, text, kIdDigits);
        return quoted ? fmt::format("\"{}\"", number) : number;
    }
    return fmt::format("\"{}{}/{}\"", kTextPrefix, part, text);
}

std::string_view originalId(std::string_view text) {
    if (text.starts_with(kTextPrefix)) {
        const std::size_t slash = text.find('/');
        return slash != std::string_view::npos && allDigits(text.substr(4, slash - 4))
                   ? text.substr(slash + 1)
                   : text;
    }
    if (!allDigits(text) || text.size() <= kIdDigits)
        return text;
    const std::string_view digits = text.substr(text.size() - kIdDigits);
    return digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1));
}

std::string mergedPid(std::size_t part, std::size_t place) {
    return std::to_string((part + 1) * kPidsOfPart + std::min(place, kPidsOfPart - 1));
}

std::optional<std::size_t> partOfPid(std::string_view pid) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(pid.data(), pid.data() + pid.size(), number);
    if (error != std::errc{} || end != pid.data() + pid.size() || number < kPidsOfPart)
        return std::nullopt;
    return static_cast<std::size_t>(number / kPidsOfPart - 1);
}

} // namespace lockstep
