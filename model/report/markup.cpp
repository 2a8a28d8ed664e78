#include "model/report/markup.h"

#include <algorithm>
#include <cstdint>

namespace lockstep {

namespace {

/// Bytes of the UTF-8 sequence at the front of `text`; 0 where it is none, or one that XML forbids.
std::size_t sequenceAt(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return static_cast<unsigned char>(text[i]);
    };
    if (byte(0) < 0x80)
        return byte(0) >= 0x20 || byte(0) == '\t' || byte(0) == '\n' ? (byte(0) == 0x7F ? 0 : 1) : 0;
    const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
    if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < length)
        return 0;
    std::uint32_t code = byte(0) & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0u) != 0x80u)
            return 0;
        code = code << 6 | (byte(i) & 0x3Fu);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool forbidden =
        (code >= 0xD800 && code <= 0xDFFF) || code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF;
    return overlong || forbidden ? 0 : length;
}

} // namespace

std::string validText(std::string_view text) {
    std::string valid;
    valid.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = sequenceAt(text);
        valid += length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return valid;
}

std::string escapedMarkup(std::string_view text) {
    std::string escaped;
    escaped.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = sequenceAt(text);
        const char c = text.front();
        if (length == 0)
            escaped += "\xEF\xBF\xBD";
        else if (c == '&')
            escaped += "&amp;";
        else if (c == '<')
            escaped += "&lt;";
        else if (c == '>')
            escaped += "&gt;";
        else if (c == '"')
            escaped += "&quot;";
        else if (c == '\'')
            escaped += "&#39;";
        else
            escaped += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return escaped;
}

} // namespace lockstep
