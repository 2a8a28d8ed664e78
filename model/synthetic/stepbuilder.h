#pragma once

#include "model/synthetic/plannedstep.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// Tensor shapes, as `Input Dims` lists them.
using Shapes = std::vector<std::vector<int>>;

/// The JSON members that describe a CPU op's inputs, all of them bf16 and contiguous.
[[nodiscard]] std::string inputArguments(const Shapes& inputs);
/// The host side of one op that launches a kernel itself.
[[nodiscard]] std::vector<HostEvent> plainOp(std::string name, const Shapes& inputs);
/// The host side of an op that allocates its output and calls another op, which launches.
[[nodiscard]] std::vector<HostEvent> nestedOp(std::string outer, std::string inner, const Shapes& inputs);
/// cuLaunchKernelEx, as cuBLAS, NCCL and Triton call it.
[[nodiscard]] LaunchCall driverLaunch();
/// cudaLaunchKernelExC, as kernels with launch attributes are called.
[[nodiscard]] LaunchCall extendedLaunch();

/// Lays the ops of a step one after the other.
class StepBuilder {
public:
    explicit StepBuilder(PlannedStep& step)
        : m_step(step) {}

    std::uint16_t kernel(SyntheticKernel kernel);
    /// Appends an op that takes `microseconds`; the returned reference holds until the next call.
    PlannedOp& add(std::uint16_t kernel, double microseconds, SyntheticStream stream = SyntheticStream::Main);
    void layer(std::uint16_t layer) { m_layer = layer; }
    /// Index of the op added last.
    [[nodiscard]] std::int32_t last() const { return static_cast<std::int32_t>(m_step.ops.size()) - 1; }

private:
    PlannedStep& m_step;
    std::uint16_t m_layer = PlannedOp::kNoLayer;
};

} // namespace lockstep
