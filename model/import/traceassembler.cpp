#include "model/import/traceassembler.h"

#include "model/import/decimaltime.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace lockstep {

namespace {

TrackKind trackKindOf(EventKind kind) {
    switch (kind) {
    case EventKind::Kernel:
    case EventKind::Memcpy:
    case EventKind::Memset:
        return TrackKind::GpuStream;
    case EventKind::GpuAnnotation:
        return TrackKind::GpuAnnotations;
    case EventKind::CpuOp:
    case EventKind::Annotation:
    case EventKind::Runtime:
    case EventKind::Driver:
    case EventKind::PythonFunction:
        return TrackKind::CpuThread;
    case EventKind::Overhead:
        return TrackKind::Overhead;
    case EventKind::Span:
        return TrackKind::Spans;
    case EventKind::Async:
        return TrackKind::Async;
    case EventKind::Instant:
        return TrackKind::Instants;
    case EventKind::Sync:
    case EventKind::Other:
        break;
    }
    return TrackKind::Other;
}

/// "stream 7", as traces of 2021 write it, is 7.
std::string_view withoutStreamWord(std::string_view tid) {
    constexpr std::string_view kWord = "stream ";
    return tid.starts_with(kWord) && tid.size() > kWord.size() ? tid.substr(kWord.size()) : tid;
}

template <class Integer>
Integer integerOr(std::string_view text, Integer fallback) {
    const auto value = parseInteger(text);
    return value && *value >= static_cast<std::int64_t>(std::numeric_limits<Integer>::min()) &&
                   (sizeof(Integer) == sizeof(std::int64_t) ||
                    *value <= static_cast<std::int64_t>(std::numeric_limits<Integer>::max()))
               ? static_cast<Integer>(*value)
               : fallback;
}

/// Up to three whole numbers out of text such as "[1, 2, 3]".
std::array<std::uint32_t, 3> tripleOf(std::string_view text) {
    std::array<std::uint32_t, 3> triple{};
    std::size_t found = 0;
    const char* p = text.data();
    const char* end = p + text.size();
    while (p < end && found < triple.size()) {
        if (*p < '0' || *p > '9') {
            ++p;
            continue;
        }
        p = std::from_chars(p, end, triple[found++]).ptr;
    }
    return triple;
}

} // namespace

TraceAssembler::TraceAssembler() = default;

void TraceAssembler::event(const ParsedEvent& event) {
    count(event);
    const char phase = event.phase.size() == 1 ? event.phase.front() : '\0';
    if (phase == 'M') {
        metadata(event);
        return;
    }
    if (phase == '\0' || std::string_view("XBEbeniIRCstf").find(phase) == std::string_view::npos) {
        if (!event.phase.empty())
            warn("unknown_phase", "events of a phase that is not drawn were counted only", event);
        return;
    }
    const auto at = parseMicroseconds(event.time);
    if (!at) {
        warn("bad_time", "events without a usable ts were counted but cannot be drawn", event);
        return;
    }
    switch (phase) {
    case 'X':
        complete(event, *at);
        break;
    case 'B':
        begin(event, *at);
        break;
    case 'E':
        end(event, *at);
        break;
    case 'b':
        asyncBegin(event, *at);
        break;
    case 'e':
        asyncEnd(event, *at);
        break;
    case 'n':
        instant(event, *at, true);
        break;
    case 'C':
        counter(event, *at);
        break;
    case 's':
    case 't':
    case 'f':
        flow(event, *at);
        break;
    default:
        instant(event, *at, false);
        break;
    }
}

void TraceAssembler::count(const ParsedEvent& event) {
    ++m_eventCount;
    const auto letter = event.phase.size() == 1 ? static_cast<unsigned char>(event.phase.front()) : 0u;
    if (letter > 0 && letter < m_byLetter.size())
        ++m_byLetter[letter];
    else
        ++m_byOddPhase[event.phase.empty() ? "None" : std::string(event.phase)];
    findCategory(event.category);
    if (m_category < m_categories.size())
        ++m_categories[m_category].count;
}

void TraceAssembler::findCategory(std::string_view text) {
    if (m_category < m_categories.size() && m_categories[m_category].text == text)
        return;
    if (text.empty()) {
        m_category = std::numeric_limits<std::size_t>::max();
        return;
    }
    // Real traces have a dozen; a look through the first few beats hashing.
    const std::size_t few = std::min<std::size_t>(m_categories.size(), 16);
    for (m_category = 0; m_category < few; ++m_category)
        if (m_categories[m_category].text == text)
            return;
    const auto [found, isNew] = m_categoryByText.try_emplace(std::string(text), m_categories.size());
    m_category = found->second;
    if (isNew)
        m_categories.push_back({std::string(text), m_strings.intern(text), kindOfCategory(text), 0});
}

void TraceAssembler::warn(std::string_view code, std::string_view message, const ParsedEvent& event) {
    m_report.warn(code, message, event.offset);
}

void TraceAssembler::complete(const ParsedEvent& event, TimeNs begin) {
    TimeNs duration = 0;
    if (event.duration.empty()) {
        warn("no_duration", "complete events without dur were taken as 0 long", event);
    } else if (const auto parsed = parseMicroseconds(event.duration)) {
        duration = std::max<TimeNs>(*parsed, 0);
    } else {
        warn("bad_duration", "complete events without a usable dur were taken as 0 long", event);
    }
    const EventKind kind = kindAtHand();
    add(event, kind, trackKindOf(kind), begin, duration);
}

void TraceAssembler::begin(const ParsedEvent& event, TimeNs at) {
    const EventKind kind = kindAtHand();
    const std::uint32_t raw = add(event, kind, trackKindOf(kind), at, kOpen);
    m_open[placeOf(event.pid, event.tid)].push_back(raw);
}

void TraceAssembler::end(const ParsedEvent& event, TimeNs at) {
    auto& open = m_open[placeOf(event.pid, event.tid)];
    if (open.empty()) {
        warn("end_without_begin", "E events without a B before them were counted only", event);
        return;
    }
    RawEvent& begun = raw(open.back());
    begun.duration = std::max<TimeNs>(at - begun.begin, 0);
    open.pop_back();
}

std::string TraceAssembler::asyncKey(const ParsedEvent& event) const {
    std::string key(event.category);
    key += '\x1f';
    key += event.id;
    if (event.idIsLocal) {
        key += '\x1f';
        key += event.pid;
    }
    return key;
}

std::uint32_t TraceAssembler::asyncTrackOf(const ParsedEvent& event) {
    const auto [found, isNew] =
        m_asyncTracks.try_emplace(asyncKey(event), static_cast<std::uint32_t>(m_tracks.size()));
    if (isNew) {
        Track track;
        track.kind = TrackKind::Async;
        track.pid = event.pid;
        track.tid = event.id;
        track.threadName = std::string(event.category) + " " + std::string(event.id);
        m_tracks.push_back(std::move(track));
        m_trackPlaces.push_back(kNone);
    }
    return found->second;
}

void TraceAssembler::asyncBegin(const ParsedEvent& event, TimeNs at) {
    const std::uint32_t index = add(event, EventKind::Async, TrackKind::Async, at, kOpen);
    m_openAsync[asyncKey(event)].push_back(index);
}

void TraceAssembler::asyncEnd(const ParsedEvent& event, TimeNs at) {
    auto& open = m_openAsync[asyncKey(event)];
    // The innermost one of the same name, else (an end may leave its name out) the innermost.
    auto found = open.rbegin();
    while (found != open.rend() && m_strings.view(StringId{raw(*found).name}) != event.name)
        ++found;
    if (found == open.rend())
        found = open.rbegin();
    if (open.empty()) {
        warn("end_without_begin", "async ends without a begin before them were counted only", event);
        return;
    }
    RawEvent& begun = raw(*found);
    begun.duration = std::max<TimeNs>(at - begun.begin, 0);
    open.erase(std::next(found).base());
}

void TraceAssembler::instant(const ParsedEvent& event, TimeNs at, bool async) {
    add(event, EventKind::Instant, async ? TrackKind::Async : TrackKind::Instants, at, 0);
}

void TraceAssembler::counter(const ParsedEvent& event, TimeNs at) {
    for (const auto& [series, text] : event.samples) {
        double value = 0;
        const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc{} || end != digits.data() + digits.size()) {
            warn("bad_counter", "counter values that are no numbers were left out", event);
            continue;
        }
        m_counters.push_back({m_strings.intern(event.name), m_strings.intern(series), at, value});
    }
}

void TraceAssembler::flow(const ParsedEvent& event, TimeNs at) {
    if (event.id.empty()) {
        warn("flow_without_id", "flow events without an id were counted only", event);
        return;
    }
    const auto number = parseInteger(event.id);
    const std::uint64_t id = number && *number >= 0 && !event.idIsLocal
                                 ? static_cast<std::uint64_t>(*number)
                                 : 1ull << 63 | m_strings.intern(asyncKey(event)).value;
    m_flowPoints.push_back({at, id,
                            m_strings.intern(event.category.empty() ? event.name : event.category).value,
                            placeOf(event.pid, event.tid), event.phase.front(), event.bindingPoint == "e"});
}

void TraceAssembler::metadata(const ParsedEvent& event) {
    const std::string pid(event.pid);
    const std::string tid(withoutStreamWord(event.tid));
    if (event.name == "process_name")
        m_processes[pid].name = trimmedName(event.argument(Argument::Name));
    else if (event.name == "process_sort_index")
        m_processes[pid].sortIndex = integerOr<std::int64_t>(event.argument(Argument::SortIndex), 0);
    else if (event.name == "thread_name")
        m_threads[{pid, tid}].name = trimmedName(event.argument(Argument::Name));
    else if (event.name == "thread_sort_index")
        m_threads[{pid, tid}].sortIndex = integerOr<std::int64_t>(event.argument(Argument::SortIndex), 0);
}

std::string_view TraceAssembler::trimmedName(std::string_view name) {
    while (!name.empty() && name.back() == ' ')
        name.remove_suffix(1);
    return name;
}

std::uint32_t TraceAssembler::placeOf(std::string_view pid, std::string_view tid) {
    tid = withoutStreamWord(tid);
    for (const std::uint32_t recent : m_recentPlaces)
        if (recent != kNone && m_places[recent].tid == tid && m_places[recent].pid == pid)
            return recent;
    std::string key(pid);
    key += '\x1f';
    key += tid;
    const auto [found, isNew] =
        m_placeByKey.try_emplace(std::move(key), static_cast<std::uint32_t>(m_places.size()));
    if (isNew) {
        Place place{std::string(pid), std::string(tid), {}};
        place.tracks.fill(kNone);
        m_places.push_back(std::move(place));
    }
    m_recentPlaces[m_recentAt++ % m_recentPlaces.size()] = found->second;
    return found->second;
}

std::uint32_t TraceAssembler::trackOf(std::uint32_t place, TrackKind kind) {
    std::uint32_t& track = m_places[place].tracks[static_cast<std::size_t>(kind)];
    if (track == kNone) {
        track = static_cast<std::uint32_t>(m_tracks.size());
        Track made;
        made.kind = kind;
        made.pid = m_places[place].pid;
        made.tid = m_places[place].tid;
        m_tracks.push_back(std::move(made));
        m_trackPlaces.push_back(place);
    }
    return track;
}

/// 32 bits of an id for joins: itself where it fits, else a number of its own from the top down.
std::uint32_t TraceAssembler::joinId(std::string_view text) {
    if (text.empty())
        return 0;
    const auto value = parseInteger(text);
    if (value && *value >= 0 && *value < (std::int64_t{1} << 31))
        return static_cast<std::uint32_t>(*value);
    const auto next = static_cast<std::uint32_t>(0xFFFF'FFFEu - m_wideIds.size());
    return m_wideIds.try_emplace(std::string(text), next).first->second;
}

std::uint32_t TraceAssembler::add(const ParsedEvent& event, EventKind kind, TrackKind trackKind, TimeNs begin,
                                  TimeNs duration) {
    if (m_chunks.empty() || m_chunks.back().size() == kChunkEvents) {
        m_chunks.emplace_back();
        m_chunks.back().reserve(kChunkEvents);
    }
    const auto index = static_cast<std::uint32_t>(rawCount());
    RawEvent made;
    made.begin = begin;
    made.duration = duration;
    made.offset = event.offset;
    made.name = m_strings.intern(event.name).value;
    made.track = trackKind == TrackKind::Async ? asyncTrackOf(event)
                                               : trackOf(placeOf(event.pid, event.tid), trackKind);
    made.correlation = joinId(event.argument(Argument::Correlation));
    made.externalId = joinId(event.argument(Argument::ExternalId));
    made.category = m_category < m_categories.size() ? m_categories[m_category].id.value : kNone;
    made.kind = kind;
    m_chunks.back().push_back(made);
    if (event.argumentsPresent != 0)
        keepArguments(event, kind, index);
    return index;
}

StringId TraceAssembler::internOrNone(std::string_view text) {
    return text.empty() ? StringId{} : m_strings.intern(text);
}

std::uint32_t TraceAssembler::shapeOf(const ParsedEvent& event) {
    if (!event.has(Argument::Grid) && !event.has(Argument::Block))
        return kNone;
    LaunchShape shape;
    shape.grid = tripleOf(event.argument(Argument::Grid));
    shape.block = tripleOf(event.argument(Argument::Block));
    shape.registersPerThread = integerOr<std::uint32_t>(event.argument(Argument::RegistersPerThread), 0);
    shape.sharedMemoryBytes = integerOr<std::uint32_t>(event.argument(Argument::SharedMemory), 0);
    const auto [found, isNew] =
        m_shapeIds.try_emplace(shape, static_cast<std::uint32_t>(m_arguments.shapes.size()));
    if (isNew)
        m_arguments.shapes.push_back(shape);
    return found->second;
}

void TraceAssembler::keepArguments(const ParsedEvent& event, EventKind kind, std::uint32_t raw) {
    if (isGpuActivity(kind)) {
        GpuArguments gpu;
        gpu.event = EventId{raw};
        gpu.device = integerOr(event.argument(Argument::Device), -1);
        gpu.context = integerOr(event.argument(Argument::Context), -1);
        gpu.shape = shapeOf(event);
        gpu.stream = integerOr<std::int64_t>(event.argument(Argument::Stream), -1);
        gpu.graphNodeId =
            static_cast<std::uint64_t>(integerOr<std::int64_t>(event.argument(Argument::GraphNodeId), 0));
        gpu.bytes = integerOr<std::int64_t>(event.argument(Argument::Bytes), -1);
        m_arguments.gpu.push_back(gpu);
    } else if (event.has(Argument::InputDims) || event.has(Argument::CallStack)) {
        m_arguments.cpuOps.push_back({EventId{raw}, internOrNone(event.argument(Argument::InputDims)),
                                      internOrNone(event.argument(Argument::CallStack))});
    }
    if (event.has(Argument::CollectiveName))
        keepCollective(event, raw);
}

void TraceAssembler::keepCollective(const ParsedEvent& event, std::uint32_t raw) {
    const auto text = [&](Argument a) {
        return internOrNone(event.argument(a));
    };
    const auto number = [&](Argument a) {
        return integerOr<std::int64_t>(event.argument(a), -1);
    };
    const auto small = [&](Argument a) {
        return integerOr<std::int32_t>(event.argument(a), -1);
    };
    CollectiveArguments collective;
    collective.event = EventId{raw};
    collective.collective = text(Argument::CollectiveName);
    collective.dtype = text(Argument::Dtype);
    collective.processGroup = text(Argument::ProcessGroup);
    collective.processGroupDescription = text(Argument::ProcessGroupDescription);
    collective.processGroupRanks = text(Argument::ProcessGroupRanks);
    collective.inSplit = text(Argument::InSplit);
    collective.outSplit = text(Argument::OutSplit);
    collective.commsId = text(Argument::CommsId);
    collective.inElements = number(Argument::InElements);
    collective.outElements = number(Argument::OutElements);
    collective.sequence = number(Argument::Sequence);
    collective.groupSize = small(Argument::GroupSize);
    collective.rank = small(Argument::Rank);
    collective.sourceRank = small(Argument::SourceRank);
    collective.destinationRank = small(Argument::DestinationRank);
    collective.globalRankStart = small(Argument::GlobalRankStart);
    collective.globalRankStride = small(Argument::GlobalRankStride);
    const std::string_view async = event.argument(Argument::Async);
    collective.async = static_cast<std::int8_t>(async.empty() ? -1 : async == "true" || async == "1" ? 1 : 0);
    m_arguments.collectives.push_back(collective);
}

} // namespace lockstep
