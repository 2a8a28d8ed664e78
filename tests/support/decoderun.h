#pragma once

#include "tests/support/memorytrace.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::test {

/// Why a rank comes late to one collective.
enum class InjectedCause : std::uint8_t { Kernel, Host, Copy };

struct InjectedStall {
    std::size_t step = 0;
    std::size_t collective = 0; ///< within the step
    std::size_t rank = 0;
    TimeNs late = 0;
    InjectedCause cause = InjectedCause::Kernel;
};

/// A decode run as a tensor-parallel engine would make it, with jitter, clocks apart, and known stalls.
struct DecodeRunOptions {
    std::size_t ranks = 2;
    std::size_t steps = 8;
    std::size_t layers = 6;
    std::uint32_t seed = 1;
    TimeNs jitterNs = 300;   ///< of each kernel's duration
    TimeNs endJitterNs = 60; ///< of each rank's end of a collective
    bool graphs = false;     ///< each step is one replay; else eager
    bool markers = true;
    std::string collective = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
    std::vector<TimeNs> clockOffsetNs = {}; ///< like ranks; empty: none
    std::vector<double> clockDriftPpm = {}; ///< like ranks; empty: none
    std::vector<InjectedStall> stalls = {};
};

[[nodiscard]] std::shared_ptr<const Run> decodeRun(const DecodeRunOptions& options);

} // namespace lockstep::test
