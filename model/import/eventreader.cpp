#include "model/import/eventreader.h"

#include <algorithm>
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

// By length, so that a look-up compares few of them.
constexpr ArgumentKey kArgumentKeys[] = {
    {"Seq", Argument::Sequence},
    {"grid", Argument::Grid},
    {"Rank", Argument::Rank},
    {"name", Argument::Name},
    {"block", Argument::Block},
    {"bytes", Argument::Bytes},
    {"dtype", Argument::Dtype},
    {"device", Argument::Device},
    {"stream", Argument::Stream},
    {"labels", Argument::Labels},
    {"context", Argument::Context},
    {"Comms Id", Argument::CommsId},
    {"Src Rank", Argument::SourceRank},
    {"Dst Rank", Argument::DestinationRank},
    {"Group size", Argument::GroupSize},
    {"Input Dims", Argument::InputDims},
    {"Call stack", Argument::CallStack},
    {"sort_index", Argument::SortIndex},
    {"External id", Argument::ExternalId},
    {"external id", Argument::ExternalId},
    {"correlation", Argument::Correlation},
    {"Input dims", Argument::InputDims},
    {"In split size", Argument::InSplit},
    {"graph node id", Argument::GraphNodeId},
    {"In msg nelems", Argument::InElements},
    {"shared memory", Argument::SharedMemory},
    {"Out msg nelems", Argument::OutElements},
    {"Out split size", Argument::OutSplit},
    {"Collective name", Argument::CollectiveName},
    {"Global rank start", Argument::GlobalRankStart},
    {"Global rank stride", Argument::GlobalRankStride},
    {"Process Group Name", Argument::ProcessGroup},
    {"Process Group Ranks", Argument::ProcessGroupRanks},
    {"registers per thread", Argument::RegistersPerThread},
    {"Is asynchronized op", Argument::Async},
    {"Process Group Description", Argument::ProcessGroupDescription},
};

constexpr std::size_t kLongestKey = 25;

/// For each length, the keys of that length as one stretch of kArgumentKeys (sorted at start-up).
struct ArgumentTable {
    std::array<ArgumentKey, std::size(kArgumentKeys)> keys;
    std::array<std::uint8_t, kLongestKey + 2> first{};

    ArgumentTable() {
        std::copy(std::begin(kArgumentKeys), std::end(kArgumentKeys), keys.begin());
        std::stable_sort(keys.begin(), keys.end(), [](const ArgumentKey& a, const ArgumentKey& b) {
            return a.key.size() < b.key.size();
        });
        for (std::size_t length = 0; length <= kLongestKey + 1; ++length)
            first[length] = static_cast<std::uint8_t>(std::find_if(keys.begin(), keys.end(),
                                                                   [&](const auto& k) {
                                                                       return k.key.size() >= length;
                                                                   }) -
                                                      keys.begin());
    }
    [[nodiscard]] std::optional<Argument> find(std::string_view key) const {
        if (key.size() > kLongestKey)
            return std::nullopt;
        for (std::size_t i = first[key.size()]; i < first[key.size() + 1]; ++i)
            if (std::memcmp(keys[i].key.data(), key.data(), key.size()) == 0)
                return keys[i].argument;
        return std::nullopt;
    }
};

/// Whether one value of an argument is text that people will read, and so must be unescaped.
bool isText(Argument argument) {
    return argument == Argument::Name || argument == Argument::Labels || argument == Argument::CallStack;
}

std::string_view trimmed(std::string_view token) {
    while (!token.empty() &&
           (token.back() == ' ' || token.back() == '\n' || token.back() == '\r' || token.back() == '\t'))
        token.remove_suffix(1);
    return token;
}

/// The text of a value as it stands: a string without its quotes, a number, an array or object whole.
/// Sets `escaped` where a string holds a backslash.
std::optional<std::string_view> rawText(ondemand::value& value, bool& escaped) {
    const std::string_view token = value.raw_json_token();
    escaped = false;
    if (token.empty())
        return std::nullopt;
    if (token.front() == '[') {
        ondemand::array array;
        std::string_view raw;
        if (value.get_array().get(array) || array.raw_json().get(raw))
            return std::nullopt;
        return raw;
    }
    if (token.front() == '{') {
        ondemand::object object;
        std::string_view raw;
        if (value.get_object().get(object) || object.raw_json().get(raw))
            return std::nullopt;
        return raw;
    }
    std::string_view text = trimmed(token);
    if (text.front() == '"') {
        if (text.size() < 2 || text.back() != '"')
            return std::nullopt;
        text = text.substr(1, text.size() - 2);
        escaped = std::memchr(text.data(), '\\', text.size()) != nullptr;
    }
    return text;
}

std::optional<std::string_view> plainText(ondemand::value& value) {
    bool escaped = false;
    auto text = rawText(value, escaped);
    if (!escaped)
        return text;
    std::string_view unescaped;
    if (value.get_string().get(unescaped))
        return std::nullopt;
    return unescaped;
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

Field fieldOf(std::string_view key) {
    using enum Field;
    switch (key.size()) {
    case 2:
        return key == "ph"   ? Phase
               : key == "ts" ? Time
               : key == "id" ? Id
               : key == "bp" ? BindingPoint
                             : Other;
    case 3:
        return key == "cat"   ? Category
               : key == "pid" ? Pid
               : key == "tid" ? Tid
               : key == "dur" ? Duration
               : key == "id2" ? Id2
                              : Other;
    case 4:
        return key == "name" ? Name : key == "args" ? Args : Other;
    default:
        return Other;
    }
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
    for (auto result : object) {
        ondemand::field field;
        if (std::move(result).get(field))
            return false;
        const std::string_view key = keyText(field.key());
        ondemand::value inner = field.value();
        const auto argument = argumentTable.find(key);
        if (argument) {
            const auto text = isText(*argument) ? plainText(inner) : [&] {
                bool escaped = false;
                return rawText(inner, escaped);
            }();
            if (!text)
                return false;
            event.arguments[static_cast<std::size_t>(*argument)] = *text;
            event.argumentsPresent |= 1ull << static_cast<unsigned>(*argument);
        }
        if (event.phase == "C") {
            // A counter's series may have any name; its value's text is read here only if it was not above.
            bool escaped = false;
            const auto text = argument ? std::optional(event.argument(*argument)) : rawText(inner, escaped);
            if (!text)
                return false;
            event.samples.emplace_back(key, *text);
        }
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
        ondemand::value inner = field.value();
        const auto text = plainText(inner);
        if (!text)
            return false;
        event.id = *text;
        event.idIsLocal = local;
    }
    return true;
}

bool EventReader::Parser::readField(Field field, ondemand::value& value) {
    if (field == Field::Other)
        return true;
    if (field == Field::Args)
        return readArguments(value);
    if (field == Field::Id2)
        return readId2(value);
    const auto text = plainText(value);
    if (!text)
        return false;
    switch (field) {
    case Field::Phase:
        event.phase = *text;
        break;
    case Field::Category:
        event.category = *text;
        break;
    case Field::Name:
        event.name = *text;
        break;
    case Field::Pid:
        event.pid = *text;
        break;
    case Field::Tid:
        event.tid = *text;
        break;
    case Field::Time:
        event.time = *text;
        break;
    case Field::Duration:
        event.duration = *text;
        break;
    case Field::Id:
        event.id = *text;
        break;
    case Field::BindingPoint:
        event.bindingPoint = *text;
        break;
    default:
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
        const Field kind = fieldOf(keyText(field.key()));
        argumentsBeforePhase = argumentsBeforePhase || (kind == Field::Args && event.phase.empty());
        ondemand::value value = field.value();
        if (!readField(kind, value))
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
    sink.event(m_parser->event);
    return true;
}

} // namespace lockstep
