#pragma once

#include "model/run/kernelnames.h"
#include "model/run/stepmarkers.h"
#include "model/run/steps.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lockstep {

struct RankTrace;

/// One step as one rank alone shows it.
struct LocalStep {
    std::string name;
    StepKind kind = StepKind::Unknown;
    std::optional<std::int64_t> contextTokens;
    std::optional<std::int64_t> generationTokens;
    std::vector<StepPart> parts;
    TimeRange range; ///< of its GPU activities, on the rank's own clock
    std::uint32_t firstActivity = 0;
    std::uint32_t endActivity = 0;
    std::uint32_t kernels = 0;
};

/// A rank's steps by one source, in order of begin.
struct LocalSteps {
    StepSource source = StepSource::None;
    std::vector<LocalStep> steps;
    std::vector<std::uint32_t> stepOf; ///< for each activity: index into steps, or RankActivities::kNone
    std::size_t claimedKernels = 0;    ///< kernels that belong to a step
    StringId boundary;                 ///< by period: the activity that ends a step
};

/// What the sources look at: one rank and its GPU activities by begin, with the calls that launched them.
struct RankView {
    const RankTrace& rank;
    std::span<const EventId> activities;
    std::span<const EventId> launches; ///< like activities; invalid where none was captured
    const KernelNames& names;

    [[nodiscard]] bool kernel(std::size_t index) const;
    [[nodiscard]] TimeNs begin(std::size_t index) const;
    [[nodiscard]] TimeNs end(std::size_t index) const;
    [[nodiscard]] StringId name(std::size_t index) const;
};

/// The launch of each activity.
[[nodiscard]] std::vector<EventId> launchesOf(const RankTrace& rank, std::span<const EventId> activities);

/// Steps by annotations on the CPU: an activity belongs to the one in which its launch began.
[[nodiscard]] LocalSteps stepsByCpuAnnotation(const RankView& view, const StepMarkers& markers);
/// Steps by annotations on the GPU: an activity belongs to the one in which it begins.
[[nodiscard]] LocalSteps stepsByGpuAnnotation(const RankView& view, const StepMarkers& markers);
/// Steps by graph launches: a replay of many layers is a step, with the kernels launched around it.
[[nodiscard]] LocalSteps stepsByGraphLaunch(const RankView& view);
/// Steps by the period of the kernel sequence: what occurs once a step parts them. `boundary` is what ended
/// the steps of another rank, to be preferred; may be invalid.
[[nodiscard]] LocalSteps stepsByPeriod(const RankView& view, StringId boundary);

/// Sets range, bounds and kernel count of each step from `stepOf`, drops steps without activities and puts
/// the rest in order of begin.
void finishSteps(const RankView& view, LocalSteps& steps);

} // namespace lockstep
