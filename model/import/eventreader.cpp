#include "model/import/eventreader.h"

#include "model/import/damagedtext.h"

#include <bit>
#include <cstring>
#include <optional>
#include <simdjson.h>

namespace lockstep {

namespace ondemand = simdjson::ondemand;

namespace {

struct ArgumentKey {
    std::string_view key;
    Argument argument;
};

// Each with its closing quote, so that one comparison also checks the length.
constexpr ArgumentKey kArgumentKeys[] = {
    {"Seq\"", Argument::Sequence},
    {"grid\"", Argument::Grid},
    {"Rank\"", Argument::Rank},
    {"name\"", Argument::Name},
    {"block\"", Argument::Block},
    {"bytes\"", Argument::Bytes},
    {"dtype\"", Argument::Dtype},
    {"device\"", Argument::Device},
    {"stream\"", Argument::Stream},
    {"labels\"", Argument::Labels},
    {"context\"", Argument::Context},
    {"Comms Id\"", Argument::CommsId},
    {"Src Rank\"", Argument::SourceRank},
    {"Dst Rank\"", Argument::DestinationRank},
    {"Group size\"", Argument::GroupSize},
    {"Input Dims\"", Argument::InputDims},
    {"Call stack\"", Argument::CallStack},
    {"sort_index\"", Argument::SortIndex},
    {"External id\"", Argument::ExternalId},
    {"external id\"", Argument::ExternalId},
    {"correlation\"", Argument::Correlation},
    {"Input dims\"", Argument::InputDims},
    {"In split size\"", Argument::InSplit},
    {"graph node id\"", Argument::GraphNodeId},
    {"In msg nelems\"", Argument::InElements},
    {"shared memory\"", Argument::SharedMemory},
    {"Out msg nelems\"", Argument::OutElements},
    {"Out split size\"", Argument::OutSplit},
    {"Collective name\"", Argument::CollectiveName},
    {"Global rank start\"", Argument::GlobalRankStart},
    {"Global rank stride\"", Argument::GlobalRankStride},
    {"Process Group Name\"", Argument::ProcessGroup},
    {"Process Group Ranks\"", Argument::ProcessGroupRanks},
    {"registers per thread\"", Argument::RegistersPerThread},
    {"Is asynchronized op\"", Argument::Async},
    {"Process Group Description\"", Argument::ProcessGroupDescription},
};

std::uint32_t firstFour(const char* text) {
    std::uint32_t four = 0;
    std::memcpy(&four, text, sizeof four);
    return four;
}

/// Finds an argument by its key's first four bytes: most keys that are not kept fail there.
class ArgumentTable {
public:
    ArgumentTable() {
        m_first.fill(kEnd);
        for (std::size_t i = 0; i < std::size(kArgumentKeys); ++i) {
            const std::size_t bucket = bucketOf(firstFour(kArgumentKeys[i].key.data()));
            m_next[i] = m_first[bucket];
            m_first[bucket] = static_cast<std::uint8_t>(i);
        }
    }
    /// `key`: just past its opening quote; kPadding bytes may be read there.
    [[nodiscard]] std::optional<Argument> find(const char* key) const {
        for (std::uint8_t i = m_first[bucketOf(firstFour(key))]; i != kEnd; i = m_next[i])
            if (std::memcmp(kArgumentKeys[i].key.data(), key, kArgumentKeys[i].key.size()) == 0)
                return kArgumentKeys[i].argument;
        return std::nullopt;
    }

private:
    static constexpr std::uint8_t kEnd = 0xFF;
    static std::size_t bucketOf(std::uint32_t four) { return (four * 2654435761u) >> 24; }
    std::array<std::uint8_t, 256> m_first{};
    std::array<std::uint8_t, std::size(kArgumentKeys)> m_next{};
};

/// Whether one value of an argument is text that people will read, and so must be unescaped.
bool isText(Argument argument) {
    return argument == Argument::Name || argument == Argument::Labels || argument == Argument::CallStack;
}

std::string_view trimmed(std::string_view token) {
    while (!token.empty() && static_cast<unsigned char>(token.back()) <= ' ')
        token.remove_suffix(1);
    return token;
}

/// The text of an array or object, whole.
bool nestedText(ondemand::value& value, std::string_view& text) {
    ondemand::array array;
    ondemand::object object;
    if (text.front() == '[')
        return !value.get_array().get(array) && !array.raw_json().get(text);
    return !value.get_object().get(object) && !object.raw_json().get(text);
}

/// The text of a value as it stands: a string without its quotes, a number, an array or object whole. False
/// where it is damaged.
inline bool rawText(ondemand::value& value, std::string_view& text) {
    text = value.raw_json_token();
    if (text.empty())
        return false;
    if (text.front() == '"') {
        text = trimmed(text);
        if (text.size() < 2 || text.back() != '"')
            return false;
        text = text.substr(1, text.size() - 2);
        return true;
    }
    if (text.front() == '[' || text.front() == '{')
        return nestedText(value, text);
    text = trimmed(text);
    return true;
}

/// The same, unescaped.
inline bool plainText(ondemand::value& value, std::string_view& text) {
    if (!rawText(value, text))
        return false;
    if (!text.empty() && text.data()[-1] == '"' && std::memchr(text.data(), '\\', text.size()))
        return !value.get_string().get(text);
    return true;
}

std::string_view keyText(ondemand::raw_json_string key) {
    const char* begin = key.raw();
    const char* end = begin;
    while (*end != '"') // the parser has checked that it is there
        end += *end == '\\' ? 2 : 1;
    return {begin, static_cast<std::size_t>(end - begin)};
}

enum class Field : std::uint8_t {
    Phase,
    Category,
    Name,
    Pid,
    Tid,
    Time,
    Duration,
    Id,
    Id2,
    BindingPoint,
    Args,
    Other
};

constexpr std::uint32_t fourOf(const char (&text)[5]) {
    std::uint32_t four = 0;
    for (int i = 3; i >= 0; --i)
        four = four << 8 | static_cast<unsigned char>(text[i]);
    return four;
}

/// `key`: just past its opening quote.
Field fieldOf(const char* key) {
    using enum Field;
    static_assert(std::endian::native == std::endian::little);
    const std::uint32_t four = firstFour(key);
    switch (four) {
    case fourOf("cat\""):
        return Category;
    case fourOf("pid\""):
        return Pid;
    case fourOf("tid\""):
        return Tid;
    case fourOf("dur\""):
        return Duration;
    case fourOf("id2\""):
        return Id2;
    case fourOf("name"):
        return key[4] == '"' ? Name : Other;
    case fourOf("args"):
        return key[4] == '"' ? Args : Other;
    default:
        break;
    }
    if (key[2] != '"')
        return Other;
    const auto is = [key](const char(&two)[3]) {
        return key[0] == two[0] && key[1] == two[1];
    };
    return is("ph") ? Phase : is("ts") ? Time : is("id") ? Id : is("bp") ? BindingPoint : Other;
}

} // namespace

struct EventReader::Parser {
    ondemand::parser parser;
    ParsedEvent event;
    ArgumentTable argumentTable;

    bool readEvent(ondemand::object& object);
    bool readField(Field field, ondemand::value& value);
    bool readArguments(ondemand::value& value);
    bool readId2(ondemand::value& value);
};

bool EventReader::Parser::readArguments(ondemand::value& value) {
    ondemand::json_type type{};
    if (value.type().get(type))
        return false;
    if (type != ondemand::json_type::object)
        return true; // args of another type say nothing that is kept
    ondemand::object object;
    if (value.get_object().get(object))
        return false;
    const bool isCounter = event.phase == "C";
    for (auto result : object) {
        ondemand::field field;
        if (std::move(result).get(field))
            return false;
        const char* key = field.key().raw();
        const auto argument = argumentTable.find(key);
        if (!argument && !isCounter)
            continue;
        std::string_view text;
        if (argument && isText(*argument) ? !plainText(field.value(), text) : !rawText(field.value(), text))
            return false;
        if (argument) {
            event.arguments[static_cast<std::size_t>(*argument)] = text;
            event.argumentsPresent |= 1ull << static_cast<unsigned>(*argument);
        }
        if (isCounter) // whose series may have any name
            event.samples.emplace_back(keyText(field.key()), text);
    }
    return true;
}

bool EventReader::Parser::readId2(ondemand::value& value) {
    ondemand::object object;
    if (value.get_object().get(object))
        return true;
    for (auto result : object) {
        ondemand::field field;
        if (std::move(result).get(field))
            return false;
        const bool local = keyText(field.key()) == "local";
        if (!plainText(field.value(), event.id))
            return false;
        event.idIsLocal = local;
    }
    return true;
}

bool EventReader::Parser::readField(Field field, ondemand::value& value) {
    switch (field) {
    case Field::Phase:
        return plainText(value, event.phase);
    case Field::Category:
        return plainText(value, event.category);
    case Field::Name:
        return plainText(value, event.name);
    case Field::Pid:
        return plainText(value, event.pid);
    case Field::Tid:
        return plainText(value, event.tid);
    case Field::Time:
        return rawText(value, event.time);
    case Field::Duration:
        return rawText(value, event.duration);
    case Field::Id:
        return plainText(value, event.id);
    case Field::BindingPoint:
        return rawText(value, event.bindingPoint);
    case Field::Id2:
        return readId2(value);
    case Field::Args:
        return readArguments(value);
    case Field::Other:
        break;
    }
    return true;
}

bool EventReader::Parser::readEvent(ondemand::object& object) {
    const std::uint64_t offset = event.offset;
    event.phase = event.category = event.name = event.pid = event.tid = {};
    event.time = event.duration = event.id = event.bindingPoint = {};
    event.idIsLocal = false;
    event.argumentsPresent = 0;
    event.samples.clear();
    event.offset = offset;
    // A counter's args may come before its phase: such samples are read in a second pass.
    bool argumentsBeforePhase = false;
    for (auto result : object) {
        ondemand::field field;
        if (std::move(result).get(field))
            return false;
        const Field kind = fieldOf(field.key().raw());
        argumentsBeforePhase = argumentsBeforePhase || (kind == Field::Args && event.phase.empty());
        if (!readField(kind, field.value()))
            return false;
    }
    if (event.phase == "C" && argumentsBeforePhase) {
        ondemand::value value;
        if (object.reset().error() || object["args"].get(value) || !readArguments(value))
            return false;
    }
    return true;
}

EventReader::EventReader()
    : m_parser(std::make_unique<Parser>()) {}

EventReader::~EventReader() = default;

EventReader::Outcome EventReader::readWindow(char* first, char* last, std::uint64_t offsetOfFirst,
                                             EventSink& sink) {
    const char saved = *last;
    first[-1] = '[';
    *last = ']';
    const auto length = static_cast<std::size_t>(last - first) + 2;
    const simdjson::padded_string_view text(first - 1, length, length + simdjson::SIMDJSON_PADDING);
    Outcome outcome;
    ondemand::document document;
    ondemand::array array;
    outcome.whole = !m_parser->parser.iterate(text).get(document) && !document.get_array().get(array);
    if (outcome.whole) {
        for (auto element : array) {
            ondemand::value value;
            ondemand::object object;
            outcome.whole = !std::move(element).get(value);
            if (!outcome.whole)
                break;
            const char* at = value.raw_json_token().data();
            m_parser->event.offset = offsetOfFirst + static_cast<std::uint64_t>(at - first);
            outcome.whole = *at == '{' && !value.get_object().get(object) && m_parser->readEvent(object);
            if (!outcome.whole)
                break;
            if (m_keepText)
                m_parser->event.text = {at, *strictEnd({at, static_cast<std::size_t>(last - at)})};
            sink.event(m_parser->event);
            outcome.lastRead = at;
        }
    }
    *last = saved;
    return outcome;
}

bool EventReader::readOne(const char* first, const char* last, std::uint64_t offset, EventSink& sink) {
    const auto length = static_cast<std::size_t>(last - first);
    const simdjson::padded_string_view text(first, length, length + simdjson::SIMDJSON_PADDING);
    ondemand::document document;
    ondemand::object object;
    m_parser->event.offset = offset;
    if (m_parser->parser.iterate(text).get(document) || document.get_object().get(object) ||
        !m_parser->readEvent(object))
        return false;
    if (m_keepText)
        m_parser->event.text = {first, length};
    sink.event(m_parser->event);
    return true;
}

} // namespace lockstep
