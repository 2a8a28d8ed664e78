#include "model/import/headerscanner.h"

namespace lockstep {

namespace {
constexpr std::size_t kMaxMember = 64u << 20;
constexpr std::string_view kSpaces = " \n\r\t";
constexpr std::string_view kEventsKey = "\"traceEvents\"";
} // namespace

void HeaderScanner::enter() {
    m_depth = 1;
    m_inString = m_escaped = false;
    m_member.clear();
}

/// Whether the member read so far is `"traceEvents":`.
bool HeaderScanner::memberIsEvents() const {
    const std::size_t start = m_member.find_first_not_of(kSpaces);
    if (start == std::string::npos || m_member.compare(start, kEventsKey.size(), kEventsKey) != 0)
        return false;
    const std::size_t colon = m_member.find_first_not_of(kSpaces, start + kEventsKey.size());
    return colon != std::string::npos && m_member[colon] == ':' &&
           m_member.find_first_not_of(kSpaces, colon + 1) == std::string::npos;
}

/// Whether `"traceEvents":` is the last that was read, wherever that is.
bool HeaderScanner::endsLikeEvents() const {
    const std::size_t colon = m_member.find_last_not_of(kSpaces);
    return colon != std::string::npos && m_member[colon] == ':' && colon >= kEventsKey.size() &&
           m_member.compare(colon - kEventsKey.size(), kEventsKey.size(), kEventsKey) == 0;
}

void HeaderScanner::finishMember() {
    if (m_member.find_first_not_of(kSpaces) != std::string::npos)
        m_take(m_member, m_memberOffset);
    m_member.clear();
}

HeaderScanner::Scanned HeaderScanner::scan(std::string_view piece, std::uint64_t offset) {
    for (std::size_t at = 0; at < piece.size(); ++at) {
        const char c = piece[at];
        if (c == '[' && (m_inString || m_depth != 1) && !m_candidate && endsLikeEvents())
            m_candidate = offset + at + 1;
        if (m_inString) {
            m_inString = c != '"' || m_escaped;
            m_escaped = c == '\\' && !m_escaped;
        } else if (c == '"') {
            m_inString = true;
        } else if (c == '[' && m_depth == 1 && memberIsEvents()) {
            m_member.clear();
            return {Found::Events, at + 1};
        } else if (c == '{' || c == '[') {
            ++m_depth;
        } else if ((c == '}' || c == ']') && --m_depth == 0) {
            finishMember();
            return {Found::End, at + 1};
        } else if (c == ',' && m_depth == 1) {
            finishMember();
            continue;
        }
        if (m_member.empty())
            m_memberOffset = offset + at;
        if (m_member.size() < kMaxMember)
            m_member += c;
    }
    return {Found::Nothing, piece.size()};
}

} // namespace lockstep
