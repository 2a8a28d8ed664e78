#include "model/report/mergedevent.h"

#include "model/import/mergedids.h"

#include <algorithm>

namespace lockstep {

namespace {

constexpr std::string_view kSpaces = " \n\r\t";

bool endsValue(char c) {
    return c == ',' || c == '}' || c == ']' || c == ':' || c == '"' || c == '{' || c == '[';
}

/// Whether a value without quotes is one that JSON knows.
bool isJsonWord(std::string_view word) {
    if (word == "true" || word == "false" || word == "null")
        return true;
    const std::size_t first = word.starts_with('-') ? 1 : 0;
    return first < word.size() && word[first] >= '0' && word[first] <= '9' &&
           word.find_first_not_of("0123456789+-.eE") == std::string_view::npos;
}

/// Copies one event from its text, changing what must be.
class Rewriter {
public:
    Rewriter(std::string_view text, const EventChanges& changes, std::string& out)
        : m_text(text)
        , m_changes(changes)
        , m_out(out) {}

    void event() {
        object(Level::Event);
        if (!m_sawPid && m_out.ends_with('}')) {
            m_out.pop_back();
            m_out += m_members > 0 ? ",\"pid\":" : "\"pid\":";
            m_out += m_changes.pid + "}";
        }
    }

private:
    enum class Level { Event, Arguments, Id, Other };

    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    void skipSpaces() { m_at = std::min(m_text.find_first_not_of(kSpaces, m_at), m_text.size()); }

    /// The string at hand, quotes included.
    std::string_view string() {
        const std::size_t begin = m_at++;
        while (!atEnd() && m_text[m_at] != '"')
            m_at += m_text[m_at] == '\\' ? 2 : 1;
        m_at = std::min(m_at + 1, m_text.size());
        return m_text.substr(begin, m_at - begin);
    }

    /// The value without quotes at hand.
    std::string_view word() {
        const std::size_t begin = m_at;
        while (!atEnd() && !endsValue(m_text[m_at]))
            ++m_at;
        std::string_view word = m_text.substr(begin, m_at - begin);
        word.remove_suffix(word.size() - std::min(word.find_last_not_of(kSpaces) + 1, word.size()));
        if (word.empty() && !atEnd())
            ++m_at; // stray text: go on behind it
        return word;
    }

    void object(Level level) {
        ++m_at;
        m_out += '{';
        bool first = true;
        for (skipSpaces(); !atEnd() && m_text[m_at] != '}'; skipSpaces()) {
            if (m_text[m_at] != '"') {
                ++m_at;
                continue;
            }
            const std::string_view key = string();
            skipSpaces();
            if (!atEnd() && m_text[m_at] == ':')
                ++m_at;
            skipSpaces();
            if (!first)
                m_out += ',';
            first = false;
            m_out += key;
            m_out += ':';
            if (level == Level::Event)
                ++m_members;
            member(level, key.size() > 2 ? key.substr(1, key.size() - 2) : std::string_view{});
        }
        ++m_at;
        m_out += '}';
    }

    void array() {
        ++m_at;
        m_out += '[';
        bool first = true;
        for (skipSpaces(); !atEnd() && m_text[m_at] != ']'; skipSpaces()) {
            if (m_text[m_at] == ',') {
                ++m_at;
                continue;
            }
            if (!first)
                m_out += ',';
            first = false;
            value(Level::Other);
        }
        ++m_at;
        m_out += ']';
    }

    void member(Level level, std::string_view key) {
        const bool nested = !atEnd() && (m_text[m_at] == '{' || m_text[m_at] == '[');
        const bool isId = (level == Level::Event && (key == "id" || key == "bind_id")) ||
                          (level == Level::Id && (key == "global" || key == "local")) ||
                          (level == Level::Arguments && (key == "correlation" || key == "External id"));
        if (level == Level::Event && key == "pid") {
            m_sawPid = true;
            replaced(m_changes.pid);
        } else if (level == Level::Event && key == "ts" && !m_changes.time.empty()) {
            replaced(m_changes.time);
        } else if (level == Level::Event && key == "name" && !m_changes.name.empty()) {
            replaced(m_changes.name);
        } else if (isId && !nested) {
            m_out += mergedId(plainToken(), m_changes.part);
        } else {
            value(level != Level::Event ? Level::Other
                  : key == "args"       ? Level::Arguments
                  : key == "id2"        ? Level::Id
                                        : Level::Other);
        }
    }

    /// The string or word at hand.
    std::string_view plainToken() { return !atEnd() && m_text[m_at] == '"' ? string() : word(); }

    /// Writes `token` in place of the value at hand.
    void replaced(std::string_view token) {
        const std::size_t before = m_out.size();
        value(Level::Other);
        m_out.resize(before);
        m_out += token;
    }

    void value(Level level) {
        if (atEnd())
            return;
        const char c = m_text[m_at];
        if (c == '{') {
            object(level);
        } else if (c == '[') {
            array();
        } else if (c == '"') {
            m_out += string();
        } else {
            const std::string_view token = word();
            m_out += isJsonWord(token) ? std::string(token) : "\"" + std::string(token) + "\"";
        }
    }

    std::string_view m_text;
    const EventChanges& m_changes;
    std::string& m_out;
    std::size_t m_at = 0;
    std::size_t m_members = 0;
    bool m_sawPid = false;
};

} // namespace

void appendMergedEvent(std::string_view text, const EventChanges& changes, std::string& out) {
    Rewriter(text, changes, out).event();
}

} // namespace lockstep
