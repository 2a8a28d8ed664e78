#pragma once

#include "model/import/mergedlayout.h"
#include "model/import/traceassembler.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// Takes the events of one file and makes one trace of each rank in it: of an ordinary file one, of a file
/// that Lockstep or SGLang (`[TP00-DP00] pid`) merged as many as went into it.
class RankSplitter final : public EventSink {
public:
    /// `header`: that of the file, read as far as it stands before the events.
    explicit RankSplitter(const TraceHeader& header)
        : m_header(header) {}

    void event(const ParsedEvent& event) override;
    [[nodiscard]] std::uint64_t eventCount() const { return m_eventCount; }
    /// What has been read so far of a file of one rank; nothing of a merged one.
    [[nodiscard]] std::optional<RankTrace> soFar(TraceHeader header, ImportReport report) const;
    /// A trace for each rank that has events, by part; at least one. All carry the file's own report.
    [[nodiscard]] std::vector<RankTrace> finish(const TraceHeader& header, const ImportReport& report) &&;

private:
    struct Part {
        TraceAssembler assembler;
        std::string label; ///< "TP00-DP00"; empty where the file has no labels
        std::uint64_t events = 0;
    };
    void start();
    void mergedEvent(const ParsedEvent& event);
    void labelledEvent(const ParsedEvent& event, std::size_t labelEnd);
    Part& partAt(std::size_t part);
    Part& partOf(std::string_view label);
    [[nodiscard]] std::vector<int> ranksOfLabels() const;

    const TraceHeader& m_header;
    bool m_started = false;
    std::optional<MergedLayout> m_layout;
    std::vector<Part> m_parts;
    std::map<std::string, std::size_t, std::less<>> m_byLabel;
    std::uint64_t m_eventCount = 0;
    std::uint64_t m_unlabelled = 0; ///< events without a label in a file that has labels
    ParsedEvent m_own;              ///< the event at hand with its rank's own ids and time
};

/// Length of the label at the front of an SGLang process id, the `] ` behind it included; 0: none.
[[nodiscard]] std::size_t lengthOfRankLabel(std::string_view pid);

} // namespace lockstep
