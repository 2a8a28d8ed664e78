#include "model/import/damagedtext.h"

#include <algorithm>
#include <array>

namespace lockstep {

namespace {

bool isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

std::size_t skipSpace(std::string_view text, std::size_t at) {
    while (at < text.size() && isSpace(text[at]))
        ++at;
    return at;
}

/// Whether an event's own key stands at `at`: what tells the next event from an object inside an argument.
bool startsEventKey(std::string_view text, std::size_t at) {
    static constexpr std::array<std::string_view, 9> kKeys{
        "\"ph\"", "\"cat\"", "\"name\"", "\"pid\"", "\"tid\"", "\"ts\"", "\"dur\"", "\"args\"", "\"id\""};
    return std::any_of(kKeys.begin(), kKeys.end(), [&](std::string_view key) {
        return text.substr(at).starts_with(key);
    });
}

/// Length of the valid UTF-8 sequence at `at`; 0 where there is none.
std::size_t utf8Length(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) {
        return static_cast<unsigned char>(i < text.size() ? text[i] : 0);
    };
    const unsigned lead = byte(at);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(at + i) & 0xC0) != 0x80)
            return 0;
    const unsigned second = byte(at + 1);
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
        (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F))
        return 0; // overlong, surrogate, or past U+10FFFF
    return length;
}

/// Writes an event anew, one byte of the damaged text at a time.
class EventRepair {
public:
    explicit EventRepair(std::string_view text)
        : m_text(text) {
        m_repair.text.reserve(text.size() + 16);
    }

    Repair run() {
        while (m_at < m_text.size()) {
            if (m_inString)
                insideString();
            else
                outsideString();
        }
        return std::move(m_repair);
    }

private:
    void outsideString() {
        const char c = m_text[m_at++];
        if (c == '"') {
            m_inString = true;
        } else if (c == '{' || c == '[') {
            m_brackets.push_back(c);
            m_atKey = c == '{';
        } else if (c == '}' || c == ']') {
            if (!m_brackets.empty())
                m_brackets.pop_back();
            m_atKey = false;
        } else if (c == ':') {
            m_atKey = false;
        } else if (c == ',') {
            const std::size_t next = skipSpace(m_text, m_at);
            if (next < m_text.size() && (m_text[next] == '}' || m_text[next] == ']')) {
                m_repair.strayCommas = true;
                return;
            }
            m_atKey = !m_brackets.empty() && m_brackets.back() == '{';
        } else if (static_cast<unsigned char>(c) < 0x20 && !isSpace(c)) {
            m_repair.text += ' ';
            m_repair.controlCharacters = true;
            return;
        }
        m_repair.text += c;
    }

    void insideString() {
        const char c = m_text[m_at];
        if (c == '\\' && m_at + 1 < m_text.size()) {
            static constexpr std::string_view kEscapes = "\"\\/bfnrtu";
            if (kEscapes.find(m_text[m_at + 1]) == std::string_view::npos) {
                m_repair.text += "\\\\"; // a lone backslash
                m_repair.loneBackslashes = true;
                ++m_at;
                return;
            }
            m_repair.text += m_text.substr(m_at, 2);
            m_at += 2;
            return;
        }
        if (c == '"') {
            ++m_at;
            if (closes()) {
                m_inString = false;
                m_repair.text += c;
            } else {
                m_repair.text += "\\\"";
                m_repair.rawQuotes = true;
            }
            return;
        }
        if (static_cast<unsigned char>(c) < 0x20) {
            m_repair.text += ' ';
            m_repair.controlCharacters = true;
            ++m_at;
            return;
        }
        const std::size_t length = utf8Length(m_text, m_at);
        m_repair.invalidUtf8 = m_repair.invalidUtf8 || length == 0;
        m_repair.text += length == 0 ? std::string_view("\xEF\xBF\xBD") : m_text.substr(m_at, length);
        m_at += std::max<std::size_t>(length, 1);
    }

    /// Whether the quote just passed ends its string: what follows must be what JSON allows there.
    [[nodiscard]] bool closes() const {
        const std::size_t next = skipSpace(m_text, m_at);
        if (next >= m_text.size())
            return true;
        const char c = m_text[next];
        if (m_atKey)
            return c == ':';
        if (c == '}' || c == ']')
            return !m_brackets.empty() && (c == '}') == (m_brackets.back() == '{');
        if (c != ',')
            return false;
        const std::size_t after = skipSpace(m_text, next + 1);
        if (after >= m_text.size() || m_brackets.empty())
            return true;
        if (m_brackets.back() == '[')
            return m_text[after] != ',';
        if (m_text[after] == '}')
            return true; // a comma too many
        if (m_text[after] != '"')
            return false;
        const std::size_t keyEnd = m_text.find('"', after + 1); // keys hold no quotes
        return keyEnd != std::string_view::npos && [&] {
            const std::size_t colon = skipSpace(m_text, keyEnd + 1);
            return colon < m_text.size() && m_text[colon] == ':';
        }();
    }

    std::string_view m_text;
    Repair m_repair;
    std::string m_brackets; ///< the open ones
    std::size_t m_at = 0;
    bool m_inString = false;
    bool m_atKey = false;
};

} // namespace

std::optional<std::size_t> strictEnd(std::string_view text) {
    std::size_t depth = 0;
    bool inString = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (inString) {
            if (c == '\\')
                ++at;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if (c == '}' || c == ']') {
            if (depth <= 1)
                return at + 1;
            --depth;
        }
    }
    return std::nullopt;
}

std::optional<LikelyEnd> likelyEnd(std::string_view text) {
    for (std::size_t at = text.find('}'); at != std::string_view::npos; at = text.find('}', at + 1)) {
        const std::size_t next = skipSpace(text, at + 1);
        if (next >= text.size())
            return std::nullopt;
        if (text[next] == ']' && closesArray(text.substr(next)))
            return LikelyEnd{at + 1, true};
        if (text[next] != ',')
            continue;
        const std::size_t brace = skipSpace(text, next + 1);
        if (brace < text.size() && text[brace] == '{' && startsEventKey(text, skipSpace(text, brace + 1)))
            return LikelyEnd{at + 1, false};
    }
    return std::nullopt;
}

bool closesArray(std::string_view text) {
    if (text.empty() || text.front() != ']')
        return false;
    std::size_t next = skipSpace(text, 1);
    if (next >= text.size())
        return true;
    if (text[next] == '}') // of the outer object: nothing more
        return skipSpace(text, next + 1) >= text.size();
    if (text[next] != ',')
        return false;
    next = skipSpace(text, next + 1);
    if (next >= text.size() || text[next] != '"' || startsEventKey(text, next))
        return false;
    const std::size_t keyEnd = text.find('"', next + 1);
    const std::size_t colon = keyEnd == std::string_view::npos ? text.size() : skipSpace(text, keyEnd + 1);
    return colon < text.size() && text[colon] == ':';
}

std::vector<RepairedDamage> Repair::damage() const {
    std::vector<RepairedDamage> list;
    const auto add = [&](bool happened, RepairedDamage damage) {
        if (happened)
            list.push_back(damage);
    };
    add(rawQuotes, {"raw_quotes", "raw quotes inside strings were escaped"});
    add(controlCharacters,
        {"control_characters", "control characters inside strings were replaced by spaces"});
    add(invalidUtf8, {"invalid_utf8", "bytes that are not UTF-8 were replaced"});
    add(strayCommas, {"stray_commas", "commas before a closing bracket were dropped"});
    add(loneBackslashes, {"lone_backslashes", "backslashes that escape nothing were kept as they are"});
    return list;
}

Repair repairedEvent(std::string_view event) {
    return EventRepair(event).run();
}

} // namespace lockstep
