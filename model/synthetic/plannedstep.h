#pragma once

#include "model/core/ids.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

/// The groups of the case study's table, in its order.
enum class SyntheticGroup : std::uint8_t {
    AllReduce,
    Attention,
    OtherGemm,
    MoeGemm,
    Routing,
    DtypeCast,
    Other
};
constexpr std::size_t kSyntheticGroups = 7;
/// The group's name as the case study writes it ("MoE GEMMs").
[[nodiscard]] std::string_view nameOf(SyntheticGroup group);

/// Which of a rank's streams; the writer gives them numbers.
enum class SyntheticStream : std::uint8_t { Main, Side, Communication };
constexpr std::size_t kSyntheticStreams = 3;

/// What the launch of a kernel looks like on the host: the runtime or driver call, as CUPTI names it.
struct LaunchCall {
    const char* category = "cuda_runtime";
    const char* name = "cudaLaunchKernel";
    int cbid = 211;
};

/// One CPU event around a launch; fractions are of the host time that the whole call takes.
struct HostEvent {
    const char* category = "cpu_op";
    std::string name;
    std::string arguments; ///< JSON members after "Record function id"
    double begin = 0;
    double end = 1;
};

/// A kind of GPU activity: all that its events in a trace share.
struct SyntheticKernel {
    std::string name;
    SyntheticGroup group = SyntheticGroup::Other;
    std::array<int, 3> grid{1, 1, 1};
    std::array<int, 3> block{128, 1, 1};
    int registers = 32;
    int sharedMemory = 0;
    LaunchCall launch;
    std::vector<HostEvent> host; ///< outermost first; the last cpu_op owns the launch
    TimeNs hostNs = 4600;        ///< host time of the whole call
    std::int64_t copyBytes = -1; ///< a device-to-host copy of so many bytes rather than a kernel
    std::int64_t elements = -1;  ///< an NCCL collective over so many elements of bf16
};

/// One GPU activity of a step, in program order.
struct PlannedOp {
    static constexpr std::uint16_t kNoLayer = 0xFFFF;
    std::uint16_t kernel = 0; ///< index into PlannedStep::kernels
    SyntheticStream stream = SyntheticStream::Main;
    std::uint16_t layer = kNoLayer;
    bool collective = false;      ///< all ranks leave it together
    bool outside = false;         ///< launched after the step's marker has closed
    bool stallPoint = false;      ///< where an injected stall of this layer delays its rank
    std::int32_t afterEnd = -1;   ///< an earlier op of the step that must have ended; -1: none
    std::int32_t afterBegin = -1; ///< an earlier op of the step that must have begun; -1: none
    TimeNs latencyNs = 500;       ///< from the moment it may run to its begin
    double durationNs = 0;        ///< of a collective: the mean over all ranks, waiting included
};

/// One decode step of a preset: what every rank runs, and how long.
struct PlannedStep {
    std::string preset;
    std::string model;
    std::string engine; ///< "vllm" or "sglang"
    std::string marker;
    std::string device;
    int layers = 0;
    TimeNs periodNs = 0; ///< begin of a step to begin of the next, as calibrated
    std::vector<SyntheticKernel> kernels;
    std::vector<PlannedOp> ops;

    /// Sum of the planned durations of `group` inside the marker.
    [[nodiscard]] double plannedNs(SyntheticGroup group) const;
    /// Scales the durations of `group` inside the marker so that they add up to `totalNs`.
    void scaleTo(SyntheticGroup group, double totalNs);
};

} // namespace lockstep
