#include "model/import/decimaltime.h"

#include <charconv>
#include <limits>

namespace lockstep {

namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// mantissa · 10^power, rounded half away from zero.
std::optional<std::int64_t> scaled(std::int64_t mantissa, int power) {
    for (; power > 0 && mantissa != 0; --power) {
        if (mantissa > kMax / 10)
            return std::nullopt;
        mantissa *= 10;
    }
    for (; power < -1 && mantissa != 0; ++power)
        mantissa /= 10;
    if (power < 0)
        mantissa = (mantissa + 5) / 10;
    return mantissa;
}

/// An exponent such as e3 or E-2 and nothing after it; limited, since a mantissa has 19 digits at most.
std::optional<int> parseExponent(std::string_view text) {
    text.remove_prefix(1);
    const bool negative = !text.empty() && text.front() == '-';
    if (!text.empty() && (text.front() == '-' || text.front() == '+'))
        text.remove_prefix(1);
    if (text.empty())
        return std::nullopt;
    int exponent = 0;
    for (const char c : text) {
        if (!isDigit(c))
            return std::nullopt;
        exponent = exponent > 1000 ? exponent : exponent * 10 + (c - '0');
    }
    return negative ? -exponent : exponent;
}

} // namespace

std::optional<TimeNs> parseMicroseconds(std::string_view text) {
    const bool negative = !text.empty() && text.front() == '-';
    if (!text.empty() && (text.front() == '-' || text.front() == '+'))
        text.remove_prefix(1);
    std::int64_t mantissa = 0;
    int power = 3; // microseconds to nanoseconds
    bool anyDigit = false;
    bool inFraction = false;
    std::size_t at = 0;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '.' && !inFraction) {
            inFraction = true;
            continue;
        }
        if (!isDigit(c))
            break;
        anyDigit = true;
        if (mantissa > (kMax - 9) / 10) {
            if (!inFraction)
                return std::nullopt;
            continue; // digits far below a nanosecond
        }
        mantissa = mantissa * 10 + (c - '0');
        power -= inFraction ? 1 : 0;
    }
    if (!anyDigit)
        return std::nullopt;
    if (at < text.size()) {
        if (text[at] != 'e' && text[at] != 'E')
            return std::nullopt;
        const auto exponent = parseExponent(text.substr(at));
        if (!exponent)
            return std::nullopt;
        power += *exponent;
    }
    const auto value = scaled(mantissa, power);
    if (!value)
        return std::nullopt;
    return negative ? -*value : *value;
}

std::optional<std::int64_t> parseInteger(std::string_view text) {
    const bool negative = !text.empty() && text.front() == '-';
    if (negative)
        text.remove_prefix(1);
    int base = 10;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text.remove_prefix(2);
    }
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size() ||
        value > static_cast<std::uint64_t>(kMax))
        return std::nullopt;
    return negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
}

} // namespace lockstep
