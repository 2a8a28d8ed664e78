#include "model/import/tracestream.h"

#include "model/import/bytesource.h"
#include "model/import/damagedtext.h"
#include "model/import/eventreader.h"
#include "model/import/eventsplitter.h"
#include "model/import/headerreader.h"
#include "model/import/headerscanner.h"
#include "model/import/textwindow.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

namespace lockstep {

namespace {

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
class TraceText {
public:
    TraceText(const std::string& path, const StreamOptions& options, TraceHeader& header, EventSink& sink)
        : m_path(path)
        , m_options(options)
        , m_window(options.windowBytes)
        , m_sink(sink)
        , m_header(header)
        , m_headerScanner([this](std::string_view member, std::uint64_t offset) {
            readHeaderMember(member, offset, m_header, m_report);
        }) {}
    Result<ImportReport> read();

private:
    enum class Place { Start, Header, Events, Done };

    tl::expected<void, Error> readText(std::uint64_t skip);
    void refill();
    void report();

    void readStart();
    void readHeader();
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
        return m_window.text(from, to);
    }
    [[nodiscard]] std::size_t skipSeparators(std::size_t at) const;
    [[nodiscard]] bool isBlank(std::size_t from, std::size_t to) const {
        const std::string_view between = text(from, to);
        return std::all_of(between.begin(), between.end(), isSpace);
    }

    std::string m_path;
    const StreamOptions& m_options;
    std::unique_ptr<ByteSource> m_source;
    TextWindow m_window;
    std::size_t m_scanned = 0;   ///< the splitter has seen up to here
    std::size_t m_eventsEnd = 0; ///< past the last complete event that it found
    Place m_place = Place::Start;
    bool m_arrayForm = false;
    bool m_sawEvents = false;
    EventSink& m_sink;
    TraceHeader& m_header;
    HeaderScanner m_headerScanner;
    EventSplitter m_splitter;
    EventReader m_reader;
    ImportReport m_report;
};

Result<ImportReport> TraceText::read() {
    m_report.file = m_path;
    m_report.bytes = fileSize(m_path);
    m_reader.keepText(m_options.keepText);
    if (auto done = readText(0); !done)
        return make_unexpected(done.error());
    if (!m_sawEvents && m_headerScanner.candidate()) {
        m_report.warn("header_damaged", "the header's quotes do not add up; events were found all the same",
                      m_headerScanner.candidate());
        ++m_report.repaired;
        if (auto done = readText(*m_headerScanner.candidate()); !done)
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
    return std::move(m_report);
}

/// Reads the text from `skip` on; past 0 it starts inside the events.
tl::expected<void, Error> TraceText::readText(std::uint64_t skip) {
    auto source = openByteSource(m_path);
    if (!source)
        return make_unexpected(source.error());
    m_source = std::move(*source);
    m_report.compression = m_source->compression();
    m_window = TextWindow(m_options.windowBytes);
    m_place = Place::Start;
    while (m_window.offsetOf(m_window.begin()) < skip && !m_window.sourceEnded()) {
        refill();
        m_window.drop(std::min<std::uint64_t>(
            m_window.end(), m_window.begin() + (skip - m_window.offsetOf(m_window.begin()))));
    }
    if (skip > 0)
        enterArray(m_window.begin());
    while (!m_window.sourceEnded() || m_window.begin() != m_window.end()) {
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
            m_window.drop(m_window.end());
            break;
        }
        report();
    }
    if (m_place == Place::Events)
        finishArray();
    else if (m_place == Place::Header && m_sawEvents)
        cutShort(m_window.end(), "the text ends before its closing bracket: the file may have been cut");
    if (!m_source->damage().empty() && m_sawEvents) {
        m_report.truncated = m_report.truncated || m_place != Place::Done;
        m_report.warn("compression_damaged", m_source->damage(), m_window.offsetOf(m_window.end()));
    }
    m_report.jsonBytes = m_window.offsetOf(m_window.begin());
    return {};
}

void TraceText::refill() {
    const std::size_t moved = m_window.refill(*m_source);
    m_scanned -= std::min(m_scanned, moved);
    m_eventsEnd -= std::min(m_eventsEnd, moved);
}

void TraceText::report() {
    if (m_options.onWindow)
        m_options.onWindow(
            {m_report, m_source->bytesConsumed(), m_window.offsetOf(m_window.begin()), m_sawEvents});
}

void TraceText::readStart() {
    std::size_t at = m_window.begin();
    if (text(at, m_window.end()).starts_with("\xEF\xBB\xBF"))
        at += 3;
    while (at < m_window.end() && isSpace(m_window[at]))
        ++at;
    if (at == m_window.end()) {
        m_window.drop(at);
        return;
    }
    if (m_window[at] == '[') {
        m_arrayForm = true;
        enterArray(at + 1);
    } else if (m_window[at] == '{') {
        m_place = Place::Header;
        m_headerScanner.enter();
        m_window.drop(at + 1);
    } else {
        m_place = Place::Done;
    }
}

void TraceText::readHeader() {
    const auto scanned =
        m_headerScanner.scan(text(m_window.begin(), m_window.end()), m_window.offsetOf(m_window.begin()));
    const std::size_t end = m_window.begin() + scanned.taken;
    if (scanned.found == HeaderScanner::Found::Events) {
        enterArray(end);
        return;
    }
    if (scanned.found == HeaderScanner::Found::End)
        m_place = Place::Done;
    m_window.drop(end);
}

void TraceText::enterArray(std::size_t at) {
    m_place = Place::Events;
    m_sawEvents = true;
    m_window.drop(at);
    m_splitter.reset();
    m_scanned = m_eventsEnd = at;
}

/// `at`: the `]`.
void TraceText::leaveArray(std::size_t at) {
    m_place = m_arrayForm ? Place::Done : Place::Header;
    m_headerScanner.enter();
    m_window.drop(at + 1);
}

std::size_t TraceText::skipSeparators(std::size_t at) const {
    while (at < m_window.end() && (isSpace(m_window[at]) || m_window[at] == ','))
        ++at;
    return at;
}

void TraceText::readEvents() {
    const EventSplitter::Found found =
        m_splitter.scan(text(m_scanned, m_window.end()), m_window.sourceEnded());
    const bool arrayEnds = found.arrayEnd.has_value();
    const std::size_t arrayEnd = m_scanned + found.arrayEnd.value_or(0);
    if (found.lastEventEnd)
        m_eventsEnd = m_scanned + *found.lastEventEnd;
    m_scanned += found.scanned;

    if (m_eventsEnd > m_window.begin()) {
        if (!readWhole(m_eventsEnd))
            return; // damaged: it went on from where it could
        if (!arrayEnds)
            return;
    }
    if (arrayEnds) {
        if (!isBlank(m_window.begin(), arrayEnd)) {
            const std::size_t at = skipSeparators(m_window.begin());
            if (at == arrayEnd) {
                m_report.warn("trailing_comma",
                              "a comma stands before the end of traceEvents; it was ignored",
                              m_window.offsetOf(m_window.begin()));
                ++m_report.repaired;
            } else {
                skip(at, "not_an_event", "what is no object in traceEvents was left out");
            }
        }
        leaveArray(arrayEnd);
    } else if (m_window.sourceEnded()) {
        finishArray();
    } else if (m_window.full() && !readDamagedHead()) {
        if (m_window.room() < m_options.maxEventBytes) {
            m_window.grow();
        } else {
            skip(m_window.begin(), "event_too_large", "an event larger than is read was left out");
            const auto likely = likelyEnd(text(m_window.begin(), m_window.end()));
            m_window.drop(likely ? m_window.begin() + likely->end : m_window.end());
            m_splitter.reset();
            m_scanned = m_eventsEnd = m_window.begin();
        }
    }
}

/// Hands over the events up to `to`; false where damage made it go on differently.
bool TraceText::readWhole(std::size_t to) {
    const std::size_t from = skipSeparators(m_window.begin());
    if (from >= to) {
        m_window.drop(to);
        return true;
    }
    const auto outcome =
        m_reader.readWindow(m_window.data() + from, m_window.data() + to, m_window.offsetOf(from), m_sink);
    if (outcome.whole) {
        m_window.drop(to);
        return true;
    }
    std::size_t start = from;
    if (outcome.lastRead) {
        start = static_cast<std::size_t>(outcome.lastRead - m_window.data());
        start += strictEnd(text(start, to)).value_or(to - start);
    }
    return readDamaged(start, to);
}

void TraceText::skip(std::size_t at, const char* code, const char* message) {
    ++m_report.skipped;
    m_report.warn(code, message, m_window.offsetOf(at));
}

/// Event by event from `from`; true where it came out exactly at `stopAt`, so that the splitter was right.
bool TraceText::readDamaged(std::size_t from, std::size_t stopAt) {
    std::size_t at = from;
    while (at != stopAt) {
        at = skipSeparators(at);
        if (at == stopAt)
            break;
        const bool bracket = at < m_window.end() && m_window[at] == ']';
        const bool canTell = m_window.sourceEnded() || m_window.end() - at > 4 * EventSplitter::kBlock;
        if (bracket && canTell && closesArray(text(at, m_window.end()))) {
            leaveArray(at);
            return false;
        }
        const std::size_t next = at < m_window.end() && (!bracket || canTell) ? readDamagedEvent(at) : at;
        if (next == at) { // the window does not hold the rest of it
            const bool stuck = at == m_window.begin();
            m_window.drop(at);
            m_splitter.reset();
            m_scanned = m_eventsEnd = at;
            if (m_window.sourceEnded())
                finishArray();
            else if (stuck && m_window.full())
                m_window.grow();
            return false;
        }
        at = next;
    }
    m_window.drop(stopAt);
    return true;
}

/// Reads, repairs or skips the one event at `at`; where the next may start, or `at` itself where more text is
/// needed.
std::size_t TraceText::readDamagedEvent(std::size_t at) {
    if (m_window[at] != '{') {
        const bool list = m_window[at] == '[';
        const auto end = list ? strictEnd(text(at, m_window.end())) : std::nullopt;
        if (list && !end && !m_window.sourceEnded() && m_window.end() - at < kLookPastLikelyEnd)
            return at; // its end is still to come
        skip(at, "not_an_event", "what is no object in traceEvents was left out");
        if (end)
            return at + *end;
        while (++at < m_window.end() && m_window[at] != '{' && m_window[at] != ']' && m_window[at] != ',')
            ;
        return at;
    }
    const auto likely = likelyEnd(text(at, m_window.end()));
    const std::size_t searchEnd =
        likely ? std::min(m_window.end(), at + likely->end + kLookPastLikelyEnd) : m_window.end();
    const auto strict = strictEnd(text(at, searchEnd));
    if (strict &&
        m_reader.readOne(m_window.data() + at, m_window.data() + at + *strict, m_window.offsetOf(at), m_sink))
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
bool TraceText::readDamagedHead() {
    const std::size_t at = skipSeparators(m_window.begin());
    const auto likely = at < m_window.end() ? likelyEnd(text(at, m_window.end())) : std::nullopt;
    if (!likely || m_window[at] != '{')
        return false;
    // The splitter takes whole blocks: a sound event may end in the bytes that it has not seen.
    if (const auto strict = strictEnd(text(at, m_window.end())))
        if (m_reader.readOne(m_window.data() + at, m_window.data() + at + *strict, m_window.offsetOf(at),
                             m_sink)) {
            m_window.drop(at + *strict);
            m_splitter.reset();
            m_scanned = m_eventsEnd = m_window.begin();
            return true;
        }
    if (!readRepaired(at, at + likely->end)) {
        if (!soundEventsAt(at + likely->end))
            return false;
        skip(at, "event_skipped", "events that could not be read were left out");
    }
    m_window.drop(at + likely->end);
    m_splitter.reset();
    m_scanned = m_eventsEnd = m_window.begin();
    return true;
}

/// Whether two events that parse, phase and all, follow each other at `at`.
bool TraceText::soundEventsAt(std::size_t at) {
    for (int i = 0; i < 2; ++i) {
        at = skipSeparators(at);
        const auto end = strictEnd(text(at, m_window.end()));
        NoSink sink;
        if (!end || m_window[at] != '{' ||
            !m_reader.readOne(m_window.data() + at, m_window.data() + at + *end, 0, sink) || !sink.hasPhase())
            return false;
        at += *end;
    }
    return true;
}

bool TraceText::readRepaired(std::size_t from, std::size_t to) {
    Repair repair = repairedEvent(text(from, to));
    const std::size_t size = repair.text.size();
    repair.text.append(EventReader::kPadding, ' ');
    if (!m_reader.readOne(repair.text.data(), repair.text.data() + size, m_window.offsetOf(from), m_sink))
        return false;
    ++m_report.repaired;
    for (const RepairedDamage& damage : repair.damage())
        m_report.warn(damage.code, damage.message, m_window.offsetOf(from));
    return true;
}

void TraceText::cutShort(std::size_t at, const char* message) {
    m_report.truncated = true;
    m_report.warn("truncated", message, m_window.offsetOf(at));
}

/// The text ends inside the array: what is complete is taken, the rest is said.
void TraceText::finishArray() {
    std::size_t at = skipSeparators(m_window.begin());
    while (at < m_window.end()) {
        if (m_window[at] == ']' && closesArray(text(at, m_window.end()))) {
            leaveArray(at);
            return;
        }
        const std::size_t next = readDamagedEvent(at);
        if (next == at)
            break;
        at = skipSeparators(next);
    }
    if (at < m_window.end()) {
        cutShort(at, "the text ends inside an event: the file was cut; all before it was read");
        ++m_report.skipped;
    } else if (!m_report.truncated) {
        cutShort(at, "the text ends before the end of traceEvents: the file may have been cut");
    }
    m_window.drop(m_window.end());
    m_place = Place::Done;
}

} // namespace

Result<ImportReport> streamTrace(const std::string& path, const StreamOptions& options, TraceHeader& header,
                                 EventSink& sink) {
    return TraceText(path, options, header, sink).read();
}

} // namespace lockstep
