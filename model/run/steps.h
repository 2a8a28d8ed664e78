#pragma once

#include "model/core/ids.h"
#include "model/core/timerange.h"

#include <cstddef>
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
    std::uint32_t firstActivity = 0; ///< index into RankActivities::events of its first activity
    std::uint32_t endActivity = 0;   ///< behind its last; what lies between may belong to another step too

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

/// From this activity to the next run's first, all belong to one step and layer.
struct ActivityRun {
    std::uint32_t first = 0; ///< index into RankActivities::events
    std::uint32_t step = 0xFFFF'FFFFu;
    std::uint16_t layer = 0xFFFF;
};

/// A rank's GPU activities in time order, and which step and layer each belongs to. Kept as runs: a word for
/// each activity would cost more than all other results together.
struct RankActivities {
    static constexpr std::uint32_t kNone = 0xFFFF'FFFFu;
    static constexpr std::uint16_t kNoLayer = 0xFFFF;
    std::vector<EventId> events;   ///< kernels, copies, memsets by begin, then id
    std::vector<ActivityRun> runs; ///< by first; the first run starts at 0 where there are events
    TimeNs outsideNs = 0;          ///< durations of activities outside all steps, added up

    /// Index of the run that holds activity `index` (a binary search).
    [[nodiscard]] std::size_t runOf(std::size_t index) const;
    /// Index into StepTable::steps, or kNone: outside all steps.
    [[nodiscard]] std::uint32_t stepOf(std::size_t index) const { return runs[runOf(index)].step; }
    /// Layer from 0, or kNoLayer.
    [[nodiscard]] std::uint16_t layerOf(std::size_t index) const { return runs[runOf(index)].layer; }
    /// Behind the last activity of run `run`.
    [[nodiscard]] std::size_t endOfRun(std::size_t run) const {
        return run + 1 < runs.size() ? runs[run + 1].first : events.size();
    }
    /// Calls `visit(index, layer)` for each activity of `step` within [first, end), ascending.
    template <class Visit>
    void forEachOf(std::uint32_t step, std::size_t first, std::size_t end, Visit&& visit) const {
        if (first >= end || end > events.size())
            return;
        for (std::size_t run = runOf(first); run < runs.size() && runs[run].first < end; ++run) {
            if (runs[run].step != step)
                continue;
            const std::size_t last = endOfRun(run) < end ? endOfRun(run) : end;
            for (std::size_t i = runs[run].first < first ? first : runs[run].first; i < last; ++i)
                visit(i, runs[run].layer);
        }
    }
    [[nodiscard]] std::size_t memoryBytes() const;
};

/// A rank's clock against the first rank's before the fine alignment: good to microseconds.
struct RoughClock {
    double offsetNs = 0; ///< add to this rank's clock
    double driftPpm = 0; ///< about midNs
    TimeNs midNs = 0;
    double spreadNs = 0;          ///< median deviation of the ends that agree
    bool fromCollectives = false; ///< false: the clocks as they are
};

struct StepTable {
    StepSource source = StepSource::None;
    std::vector<Step> steps;           ///< in time order; a step's index is its place here
    std::vector<RankActivities> ranks; ///< like Run::ranks
    std::vector<RoughClock> clocks;    ///< like Run::ranks
    std::vector<std::string> notes;

    /// Indices of the steps that analyses average over: decode steps (all where no kind is known), neither
    /// outlier nor cut.
    [[nodiscard]] std::vector<std::uint32_t> typicalSteps() const;
    /// Calls `visit(index, layer)` for each GPU activity of `step` on rank `rank` (index into Run::ranks), in
    /// time order; `index` points into ranks[rank].events.
    template <class Visit>
    void forEachActivity(std::size_t step, std::size_t rank, Visit&& visit) const {
        const RankStep& part = steps[step].ranks[rank];
        if (part.present)
            ranks[rank].forEachOf(static_cast<std::uint32_t>(step), part.firstActivity, part.endActivity,
                                  visit);
    }
    [[nodiscard]] std::size_t memoryBytes() const;
};

/// Finds the steps of all ranks and joins them (definitions.md, Step), layers included.
[[nodiscard]] StepTable findSteps(const Run& run);

} // namespace lockstep
