#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep {

/// Arguments that go to columns or side tables; the rest of an event stays in the file, findable by its
/// offset.
enum class Argument : std::uint8_t {
    Correlation,
    ExternalId,
    Stream,
    Device,
    Context,
    Grid,
    Block,
    RegistersPerThread,
    SharedMemory,
    GraphNodeId,
    Bytes,
    InputDims,
    CallStack,
    CollectiveName,
    InElements,
    OutElements,
    GroupSize,
    Dtype,
    InSplit,
    OutSplit,
    ProcessGroup,
    ProcessGroupDescription,
    ProcessGroupRanks,
    Rank,
    SourceRank,
    DestinationRank,
    Sequence,
    CommsId,
    GlobalRankStart,
    GlobalRankStride,
    Async,
    Name,
    Labels,
    SortIndex,
    Count
};

/// One event as text: views into the window, valid during the call that hands it over. Strings come without
/// quotes and unescaped.
struct ParsedEvent {
    std::string_view phase;    ///< empty: none
    std::string_view category; ///< empty: none
    std::string_view name;
    std::string_view pid;
    std::string_view tid;
    std::string_view time;     ///< decimal microseconds; empty: none
    std::string_view duration; ///< likewise
    std::string_view id;       ///< of a flow or async event, `id2` included
    bool idIsLocal = false;    ///< the id counts within its process only
    std::string_view bindingPoint;
    std::uint64_t offset = 0; ///< of the event's `{` in the decompressed text
    std::string_view text;    ///< the whole event as JSON; only where EventReader::keepText asked for it
    std::uint64_t argumentsPresent = 0;
    std::array<std::string_view, static_cast<std::size_t>(Argument::Count)>
        arguments; ///< read through argument()
    std::vector<std::pair<std::string_view, std::string_view>>
        samples; ///< of a counter: series and value, as text

    [[nodiscard]] bool has(Argument a) const { return argumentsPresent >> static_cast<unsigned>(a) & 1; }
    /// Text of an argument; empty where it is not there.
    [[nodiscard]] std::string_view argument(Argument a) const {
        return has(a) ? arguments[static_cast<std::size_t>(a)] : std::string_view{};
    }
};

/// Takes events in the order of the file.
class EventSink {
public:
    virtual void event(const ParsedEvent& event) = 0;

protected:
    ~EventSink() = default;
};

/// Parses events out of JSON text; hides the parser.
class EventReader {
public:
    /// Bytes that must be readable (not meaningful) after any text that is parsed.
    static constexpr std::size_t kPadding = 64;

    EventReader();
    ~EventReader();
    EventReader(const EventReader&) = delete;
    EventReader& operator=(const EventReader&) = delete;

    /// Whether events are handed over with their text.
    void keepText(bool keep) { m_keepText = keep; }

    struct Outcome {
        bool whole = false;             ///< every element was handed over
        const char* lastRead = nullptr; ///< the `{` of the last event that was; null: none
    };
    /// Hands over the events of `[first, last)`, comma-separated objects, in order, until one fails.
    /// Writes one byte before `first` and one at `last`: both must be writable; the latter is put back.
    Outcome readWindow(char* first, char* last, std::uint64_t offsetOfFirst, EventSink& sink);
    /// Hands over the one object in `[first, last)`; false, and nothing handed over, where it cannot be
    /// parsed.
    bool readOne(const char* first, const char* last, std::uint64_t offset, EventSink& sink);

private:
    struct Parser;
    std::unique_ptr<Parser> m_parser;
    bool m_keepText = false;
};

} // namespace lockstep
