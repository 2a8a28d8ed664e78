#include "model/import/tracereader.h"

#include "model/import/bytesource.h"
#include "model/import/damagedtext.h"
#include "model/import/eventreader.h"
#include "model/import/eventsplitter.h"
#include "model/import/headerreader.h"
#include "model/import/loadprogress.h"
#include "model/import/traceassembler.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <vector>

namespace lockstep {

namespace {

constexpr std::size_t kSmallestWindow = 4 * EventSplitter::kBlock;
constexpr std::size_t kMaxHeaderMember = 64u << 20;
constexpr std::size_t kLookPastLikelyEnd = 64u
                                           << 10; ///< how far a damaged event's strict end is searched for

bool isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// Takes events and forgets them: to see whether text parses.
class NoSink final : public EventSink {
public:
    void event(const ParsedEvent& event) override { m_hasPhase = !event.phase.empty(); }
    [[nodiscard]] bool hasPhase() const { return m_hasPhase; }

private:
    bool m_hasPhase = false;
};

/// Reads one file from its first byte to its last.
class TraceReader {
public:
    TraceReader(const std::string& path, const ReadOptions& options)
        : m_path(path)
        , m_options(options) {}
    Result<RankTrace> read();

private:
    enum class Place { Start, Header, Events, Done };

    tl::expected<void, Error> readText(std::uint64_t skip);
    void refill();
    void grow();
    void drop(std::size_t upTo);
    void report();

    void readStart();
    void readHeader();
    void finishMember();
    [[nodiscard]] bool memberIsEvents() const;
    void enterArray(std::size_t at);
    void leaveArray(std::size_t at);

    void readEvents();
    bool readWhole(std::size_t to);
    bool readDamaged(std::size_t from, std::size_t stopAt);
    std::size_t readDamagedEvent(std::size_t at);
    bool readDamagedHead();
    bool readRepaired(std::size_t from, std::size_t to);
    [[nodiscard]] bool soundEventsAt(std::size_t at);
    void finishArray();
    void cutShort(std::size_t at, const char* message);
    void skip(std::size_t at, const char* code, const char* message);

    [[nodiscard]] std::string_view text(std::size_t from, std::size_t to) const {
        return {m_data + from, to - from};
    }
    [[nodiscard]] std::uint64_t offsetOf(std::size_t at) const { return m_offset + (at - m_begin); }
    [[nodiscard]] std::size_t skipSeparators(std::size_t at) const;
    [[nodiscard]] bool isBlank(std::size_t from, std::size_t to) const {
        return std::all_of(m_data + from, m_data + to, isSpace);
    }
    RankTrace finish(TraceAssembler&& assembler, ImportReport report) const;

    std::string m_path;
    const ReadOptions& m_options;
    std::unique_ptr<ByteSource> m_source;
    std::vector<char> m_buffer; ///< a byte before the text, and padding after it
    char* m_data = nullptr;     ///< m_buffer past its first byte
    std::size_t m_room = 0;     ///< bytes of text that fit
    std::size_t m_begin = 0;    ///< text not yet taken is [m_begin, m_end)
    std::size_t m_end = 0;
    std::size_t m_scanned = 0;   ///< the splitter has seen up to here
    std::size_t m_eventsEnd = 0; ///< past the last complete event that it found
    std::uint64_t m_offset = 0;  ///< of m_begin in the decompressed text
    bool m_sourceEnded = false;

    Place m_place = Place::Start;
    bool m_arrayForm = false;
    bool m_sawEvents = false;
    std::string m_member; ///< the header entry being read
    std::uint64_t m_memberOffset = 0;
    std::size_t m_depth = 0;
    bool m_inString = false;
    bool m_escaped = false;
    std::optional<std::uint64_t>
        m_candidate; ///< past a `"traceEvents": [` that stood inside what seemed a string

    EventSplitter m_splitter;
    EventReader m_reader;
    TraceAssembler m_assembler;
    TraceHeader m_header;
    ImportReport m_report;
    std::chrono::steady_clock::time_point m_lastPartial;
    std::uint64_t m_partialBytes = 0;
};

Result<RankTrace> TraceReader::read() {
    m_report.file = m_path;
    m_report.bytes = fileSize(m_path);
    m_lastPartial = std::chrono::steady_clock::now();
    if (auto done = readText(0); !done)
        return make_unexpected(done.error());
    if (!m_sawEvents && m_candidate) {
        m_report.warn("header_damaged", "the header's quotes do not add up; events were found all the same",
                      m_candidate);
        ++m_report.repaired;
        if (auto done = readText(*m_candidate); !done)
            return make_unexpected(done.error());
    }
    if (!m_sawEvents) {
        const bool empty = m_report.jsonBytes == 0;
        const std::string damage = m_source->damage();
        return make_unexpected(Error{
            empty ? ErrorCode::NoEvents : ErrorCode::NotATrace,
            m_path,
            {},
            !damage.empty() ? damage
            : empty
                ? "the file is empty"
                : "this is no trace: it holds no traceEvents array; open the files that the profiler wrote"});
    }
    return finish(std::move(m_assembler), std::move(m_report));
}

RankTrace TraceReader::finish(TraceAssembler&& assembler, ImportReport report) const {
    RankTrace trace = std::move(assembler).finish(m_header, std::move(report));
    if (trace.header.distributed && trace.header.distributed->rank) {
        trace.rank = *trace.header.distributed->rank;
        trace.rankSource = RankSource::Content;
    }
    return trace;
}

/// Reads the text from `skip` on; past 0 it starts inside the events.
tl::expected<void, Error> TraceReader::readText(std::uint64_t skip) {
    auto source = openByteSource(m_path);
    if (!source)
        return make_unexpected(source.error());
    m_source = std::move(*source);
    m_report.compression = m_source->compression();
    m_room = std::max(m_options.windowBytes, kSmallestWindow);
    m_buffer.resize(m_room + EventReader::kPadding + 8);
    m_data = m_buffer.data() + 1;
    m_begin = m_end = 0;
    m_offset = 0;
    m_sourceEnded = false;
    m_place = Place::Start;
    while (m_offset < skip && !m_sourceEnded) {
        refill();
        drop(std::min<std::uint64_t>(m_end, m_begin + (skip - m_offset)));
    }
    if (skip > 0)
        enterArray(m_begin);
    while (!m_sourceEnded || m_begin != m_end) {
        if (m_options.stop.stop_requested())
            return make_unexpected(Error{ErrorCode::Cancelled, m_path, {}, "reading was cancelled"});
        refill();
        switch (m_place) {
        case Place::Start:
            readStart();
            break;
        case Place::Header:
            readHeader();
            break;
        case Place::Events:
            readEvents();
            break;
        case Place::Done:
            drop(m_end);
            break;
        }
        report();
    }
    if (m_place == Place::Events)
        finishArray();
    else if (m_place == Place::Header && m_sawEvents)
        cutShort(m_end, "the text ends before its closing bracket: the file may have been cut");
    if (!m_source->damage().empty() && m_sawEvents) {
        m_report.truncated = m_report.truncated || m_place != Place::Done;
        m_report.warn("compression_damaged", m_source->damage(), offsetOf(m_end));
    }
    m_report.jsonBytes = m_offset;
    return {};
}

void TraceReader::drop(std::size_t upTo) {
    m_offset += upTo - m_begin;
    m_begin = upTo;
}

/// Moves what is left to the front and reads on until the window is full or the source ends.
void TraceReader::refill() {
    if (m_sourceEnded)
        return;
    const std::size_t left = m_end - m_begin;
    std::memmove(m_data, m_data + m_begin, left);
    m_scanned -= std::min(m_scanned, m_begin);
    m_eventsEnd -= std::min(m_eventsEnd, m_begin);
    m_begin = 0;
    m_end = left;
    const std::size_t wanted = m_room - m_end;
    const std::size_t got = m_source->read({m_data + m_end, wanted});
    m_end += got;
    m_sourceEnded = got < wanted;
}

void TraceReader::grow() {
    m_room *= 2;
    m_buffer.resize(m_room + EventReader::kPadding + 8);
    m_data = m_buffer.data() + 1;
}

void TraceReader::report() {
    if (FileProgress* progress = m_options.progress) {
        progress->bytesRead = m_source->bytesConsumed();
        progress->jsonBytes = m_offset;
        progress->events = m_assembler.eventCount();
    }
    if (!m_options.onPartial)
        return;
    // First soon, then each time that twice as much has come: all copies together cost no more than one
    // whole.
    const auto now = std::chrono::steady_clock::now();
    const bool due = now - m_lastPartial > std::chrono::milliseconds(m_partialBytes == 0 ? 50 : 200);
    if (due && m_sawEvents && m_offset >= 2 * m_partialBytes) {
        m_partialBytes = m_offset;
        ImportReport soFar = m_report;
        soFar.jsonBytes = m_offset;
        m_options.onPartial(
            std::make_shared<const RankTrace>(finish(TraceAssembler(m_assembler), std::move(soFar))));
        m_lastPartial = std::chrono::steady_clock::now();
    }
}

void TraceReader::readStart() {
    std::size_t at = m_begin;
    if (text(at, m_end).starts_with("\xEF\xBB\xBF"))
        at += 3;
    while (at < m_end && isSpace(m_data[at]))
        ++at;
    if (at == m_end) {
        drop(at);
        return;
    }
    if (m_data[at] == '[') {
        m_arrayForm = true;
        enterArray(at + 1);
    } else if (m_data[at] == '{') {
        m_place = Place::Header;
        m_depth = 1;
        m_inString = m_escaped = false;
        m_member.clear();
        drop(at + 1);
    } else {
        m_place = Place::Done;
    }
}

/// Whether the entry read so far is `"traceEvents":`; a `[` follows.
bool TraceReader::memberIsEvents() const {
    constexpr std::string_view kKey = "\"traceEvents\"";
    const std::size_t start = m_member.find_first_not_of(" \n\r\t");
    if (start == std::string::npos || m_member.compare(start, kKey.size(), kKey) != 0)
        return false;
    const std::size_t colon = m_member.find_first_not_of(" \n\r\t", start + kKey.size());
    return colon != std::string::npos && m_member[colon] == ':' &&
           m_member.find_first_not_of(" \n\r\t", colon + 1) == std::string::npos;
}

void TraceReader::finishMember() {
    if (m_member.find_first_not_of(" \n\r\t") != std::string::npos)
        readHeaderMember(m_member, m_memberOffset, m_header, m_report);
    m_member.clear();
}

void TraceReader::readHeader() {
    for (std::size_t at = m_begin; at < m_end; ++at) {
        const char c = m_data[at];
        if (c == '[' && (m_inString || m_depth != 1) && !m_candidate) {
            const std::size_t colon = m_member.find_last_not_of(" \n\r\t");
            constexpr std::string_view kKey = "\"traceEvents\":";
            if (colon != std::string::npos && colon + 1 > kKey.size() &&
                m_member.compare(colon + 1 - kKey.size(), kKey.size(), kKey) == 0)
                m_candidate = offsetOf(at) + 1;
        }
        if (m_inString) {
            m_inString = c != '"' || m_escaped;
            m_escaped = c == '\\' && !m_escaped;
        } else if (c == '"') {
            m_inString = true;
        } else if (c == '[' && m_depth == 1 && memberIsEvents()) {
            m_member.clear();
            enterArray(at + 1);
            return;
        } else if (c == '{' || c == '[') {
            ++m_depth;
        } else if (c == '}' || c == ']') {
            if (--m_depth == 0) {
                finishMember();
                m_place = Place::Done;
                drop(at + 1);
                return;
            }
        } else if (c == ',' && m_depth == 1) {
            finishMember();
            continue;
        }
        if (m_member.empty())
            m_memberOffset = offsetOf(at);
        if (m_member.size() < kMaxHeaderMember)
            m_member += c;
    }
    drop(m_end);
}

void TraceReader::enterArray(std::size_t at) {
    m_place = Place::Events;
    m_sawEvents = true;
    drop(at);
    m_splitter.reset();
    m_scanned = m_eventsEnd = at;
}

/// `at`: the `]`.
void TraceReader::leaveArray(std::size_t at) {
    m_place = m_arrayForm ? Place::Done : Place::Header;
    m_depth = 1;
    m_inString = m_escaped = false;
    m_member.clear();
    drop(at + 1);
}

std::size_t TraceReader::skipSeparators(std::size_t at) const {
    while (at < m_end && (isSpace(m_data[at]) || m_data[at] == ','))
        ++at;
    return at;
}

void TraceReader::readEvents() {
    const EventSplitter::Found found = m_splitter.scan(text(m_scanned, m_end), m_sourceEnded);
    const bool arrayEnds = found.arrayEnd.has_value();
    const std::size_t arrayEnd = m_scanned + found.arrayEnd.value_or(0);
    if (found.lastEventEnd)
        m_eventsEnd = m_scanned + *found.lastEventEnd;
    m_scanned += found.scanned;

    if (m_eventsEnd > m_begin) {
        if (!readWhole(m_eventsEnd))
            return; // damaged: it went on from where it could
        if (!arrayEnds)
            return;
    }
    if (arrayEnds) {
        if (!isBlank(m_begin, arrayEnd)) {
            const std::size_t at = skipSeparators(m_begin);
            if (at == arrayEnd) {
                m_report.warn("trailing_comma",
                              "a comma stands before the end of traceEvents; it was ignored",
                              offsetOf(m_begin));
                ++m_report.repaired;
            } else {
                skip(at, "not_an_event", "what is no object in traceEvents was left out");
            }
        }
        leaveArray(arrayEnd);
    } else if (m_sourceEnded) {
        finishArray();
    } else if (m_end - m_begin == m_room && !readDamagedHead()) {
        if (m_room < m_options.maxEventBytes) {
            grow();
        } else {
            skip(m_begin, "event_too_large", "an event larger than is read was left out");
            const auto likely = likelyEnd(text(m_begin, m_end));
            drop(likely ? m_begin + likely->end : m_end);
            m_splitter.reset();
            m_scanned = m_eventsEnd = m_begin;
        }
    }
}

/// Hands over the events up to `to`; false where damage made it go on differently.
bool TraceReader::readWhole(std::size_t to) {
    const std::size_t from = skipSeparators(m_begin);
    if (from >= to) {
        drop(to);
        return true;
    }
    const auto outcome = m_reader.readWindow(m_data + from, m_data + to, offsetOf(from), m_assembler);
    if (outcome.whole) {
        drop(to);
        return true;
    }
    std::size_t start = from;
    if (outcome.lastRead) {
        start = static_cast<std::size_t>(outcome.lastRead - m_data);
        start += strictEnd(text(start, to)).value_or(to - start);
    }
    return readDamaged(start, to);
}

void TraceReader::skip(std::size_t at, const char* code, const char* message) {
    ++m_report.skipped;
    m_report.warn(code, message, offsetOf(at));
}

/// Event by event from `from`; true where it came out exactly at `stopAt`, so that the splitter was right.
bool TraceReader::readDamaged(std::size_t from, std::size_t stopAt) {
    std::size_t at = from;
    while (at != stopAt) {
        at = skipSeparators(at);
        if (at == stopAt)
            break;
        const bool bracket = at < m_end && m_data[at] == ']';
        const bool canTell = m_sourceEnded || m_end - at > 4 * EventSplitter::kBlock;
        if (bracket && canTell && closesArray(text(at, m_end))) {
            leaveArray(at);
            return false;
        }
        const std::size_t next = at < m_end && (!bracket || canTell) ? readDamagedEvent(at) : at;
        if (next == at) { // the window does not hold the rest of it
            const bool stuck = at == m_begin;
            drop(at);
            m_splitter.reset();
            m_scanned = m_eventsEnd = at;
            if (m_sourceEnded)
                finishArray();
            else if (stuck && m_end - m_begin == m_room)
                grow();
            return false;
        }
        at = next;
    }
    drop(stopAt);
    return true;
}

/// Reads, repairs or skips the one event at `at`; where the next may start, or `at` itself where more text is
/// needed.
std::size_t TraceReader::readDamagedEvent(std::size_t at) {
    if (m_data[at] != '{') {
        const bool list = m_data[at] == '[';
        const auto end = list ? strictEnd(text(at, m_end)) : std::nullopt;
        if (list && !end && !m_sourceEnded && m_end - at < kLookPastLikelyEnd)
            return at; // its end is still to come
        skip(at, "not_an_event", "what is no object in traceEvents was left out");
        if (end)
            return at + *end;
        while (++at < m_end && m_data[at] != '{' && m_data[at] != ']' && m_data[at] != ',')
            ;
        return at;
    }
    const auto likely = likelyEnd(text(at, m_end));
    const std::size_t searchEnd = likely ? std::min(m_end, at + likely->end + kLookPastLikelyEnd) : m_end;
    const auto strict = strictEnd(text(at, searchEnd));
    if (strict && m_reader.readOne(m_data + at, m_data + at + *strict, offsetOf(at), m_assembler))
        return at + *strict;
    if (!strict && !likely)
        return at;
    const std::size_t end = strict && (!likely || *strict < likely->end) ? at + *strict : at + likely->end;
    if (!readRepaired(at, end))
        skip(at, "event_skipped", "events that could not be read were left out");
    return end;
}

/// No event of a full window ends by strict rules: a very large event, or quotes that do not add up. True
/// where it was the latter.
bool TraceReader::readDamagedHead() {
    const std::size_t at = skipSeparators(m_begin);
    const auto likely = at < m_end ? likelyEnd(text(at, m_end)) : std::nullopt;
    if (!likely || m_data[at] != '{')
        return false;
    // The splitter takes whole blocks: a sound event may end in the bytes that it has not seen.
    if (const auto strict = strictEnd(text(at, m_end)))
        if (m_reader.readOne(m_data + at, m_data + at + *strict, offsetOf(at), m_assembler)) {
            drop(at + *strict);
            m_splitter.reset();
            m_scanned = m_eventsEnd = m_begin;
            return true;
        }
    if (!readRepaired(at, at + likely->end)) {
        if (!soundEventsAt(at + likely->end))
            return false;
        skip(at, "event_skipped", "events that could not be read were left out");
    }
    drop(at + likely->end);
    m_splitter.reset();
    m_scanned = m_eventsEnd = m_begin;
    return true;
}

/// Whether two events that parse, phase and all, follow each other at `at`.
bool TraceReader::soundEventsAt(std::size_t at) {
    for (int i = 0; i < 2; ++i) {
        at = skipSeparators(at);
        const auto end = strictEnd(text(at, m_end));
        NoSink sink;
        if (!end || m_data[at] != '{' || !m_reader.readOne(m_data + at, m_data + at + *end, 0, sink) ||
            !sink.hasPhase())
            return false;
        at += *end;
    }
    return true;
}

bool TraceReader::readRepaired(std::size_t from, std::size_t to) {
    Repair repair = repairedEvent(text(from, to));
    const std::size_t size = repair.text.size();
    repair.text.append(EventReader::kPadding, ' ');
    if (!m_reader.readOne(repair.text.data(), repair.text.data() + size, offsetOf(from), m_assembler))
        return false;
    ++m_report.repaired;
    for (const RepairedDamage& damage : repair.damage())
        m_report.warn(damage.code, damage.message, offsetOf(from));
    return true;
}

void TraceReader::cutShort(std::size_t at, const char* message) {
    m_report.truncated = true;
    m_report.warn("truncated", message, offsetOf(at));
}

/// The text ends inside the array: what is complete is taken, the rest is said.
void TraceReader::finishArray() {
    std::size_t at = skipSeparators(m_begin);
    while (at < m_end) {
        if (m_data[at] == ']' && closesArray(text(at, m_end))) {
            leaveArray(at);
            return;
        }
        const std::size_t next = readDamagedEvent(at);
        if (next == at)
            break;
        at = skipSeparators(next);
    }
    if (at < m_end) {
        cutShort(at, "the text ends inside an event: the file was cut; all before it was read");
        ++m_report.skipped;
    } else if (!m_report.truncated) {
        cutShort(at, "the text ends before the end of traceEvents: the file may have been cut");
    }
    drop(m_end);
    m_place = Place::Done;
}

} // namespace

Result<RankTrace> readTrace(const std::string& path, const ReadOptions& options) {
    return TraceReader(path, options).read();
}

} // namespace lockstep
