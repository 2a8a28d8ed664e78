#pragma once

#include "model/core/ids.h"
#include "model/core/timerange.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct Run;

enum class StepSource : std::uint8_t { CpuAnnotation, GpuAnnotation, GraphLaunch, Period, None };
enum class StepKind : std::uint8_t { Unknown, Prefill, Decode, Mixed, Idle };
[[nodiscard]] std::string_view
nameOf(StepSource source); // "cpu_annotation", "gpu_annotation", "graph_launch", "period", "none"
[[nodiscard]] std::string_view nameOf(StepKind kind); // "unknown", "prefill", "decode", "mixed", "idle"

/// A named part of a step: draft, verify …, or one graph of several.
struct StepPart {
    std::string name;
    std::uint32_t kernels = 0; ///< on the first rank that has it
};

/// One step on one rank, on that rank's own clock.
struct RankStep {
    bool present = false;
    TimeRange range;        ///< from its first GPU activity's begin to its last one's end
    TimeNs busyNs = 0;      ///< union of its GPU activities
    TimeNs kernelSumNs = 0; ///< durations of its kernels added up
    TimeNs exposedCommunicationNs = 0;
    std::optional<TimeNs> periodNs; ///< begin of this rank's next step − begin
    std::uint32_t kernels = 0;      ///< kernels only; copies and memsets are activities but not kernels
    std::uint32_t layers = 0;
    std::vector<std::uint32_t> activities; ///< indices into RankActivities::events, ascending

    [[nodiscard]] TimeNs wallNs() const { return range.length(); }
    [[nodiscard]] TimeNs idleNs() const { return range.length() - busyNs; }
};

/// One execution of the model, over all ranks.
struct Step {
    std::string name;
    StepKind kind = StepKind::Unknown;
    std::optional<std::int64_t> contextTokens;
    std::optional<std::int64_t> generationTokens;
    std::vector<StepPart> parts;
    std::vector<RankStep> ranks; ///< like Run::ranks
    bool outlier = false; ///< far off by period or wall time (first step after the profiler's start, say):
                          ///< left out of averages
    bool cut = false;     ///< the capture began or ended inside it
    std::string remark;   ///< why outlier or cut, which ranks lack it …
};

/// A rank's GPU activities in time order, and which step and layer each belongs to.
struct RankActivities {
    static constexpr std::uint32_t kNone = 0xFFFF'FFFFu;
    std::vector<EventId> events;      ///< kernels, copies, memsets by begin, then id
    std::vector<std::uint32_t> step;  ///< index into StepTable::steps, or kNone: outside all steps
    std::vector<std::uint16_t> layer; ///< from 0; 0xFFFF: none
    TimeNs outsideNs = 0;             ///< durations of activities outside all steps, added up
};

struct StepTable {
    StepSource source = StepSource::None;
    std::vector<Step> steps;           ///< in time order; a step's index is its place here
    std::vector<RankActivities> ranks; ///< like Run::ranks
    std::vector<std::string> notes;

    /// Indices of the steps that analyses average over: decode steps (all where no kind is known), neither
    /// outlier nor cut.
    [[nodiscard]] std::vector<std::uint32_t> typicalSteps() const;
};

/// Finds the steps of all ranks and joins them (definitions.md, Step), layers included.
[[nodiscard]] StepTable findSteps(const Run& run);

} // namespace lockstep
