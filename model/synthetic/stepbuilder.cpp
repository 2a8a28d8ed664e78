#include "model/synthetic/stepbuilder.h"

#include <fmt/format.h>

#include <utility>

namespace lockstep {

namespace {

std::string list(const std::vector<std::string>& items) {
    return fmt::format("[{}]", fmt::join(items, ", "));
}

} // namespace

std::string inputArguments(const Shapes& inputs) {
    std::vector<std::string> concrete;
    std::vector<std::string> types;
    std::vector<std::string> strides;
    std::vector<std::string> dims;
    for (const std::vector<int>& shape : inputs) {
        std::vector<int> stride(shape.size(), 1);
        for (std::size_t i = shape.size(); i > 1; --i)
            stride[i - 2] = stride[i - 1] * shape[i - 1];
        concrete.emplace_back("\"\"");
        types.emplace_back("\"c10::BFloat16\"");
        strides.push_back(fmt::format("[{}]", fmt::join(stride, ", ")));
        dims.push_back(fmt::format("[{}]", fmt::join(shape, ", ")));
    }
    return fmt::format(
        "\"Concrete Inputs\": {}, \"Input type\": {}, \"Input Strides\": {}, \"Input Dims\": {}",
        list(concrete), list(types), list(strides), list(dims));
}

std::vector<HostEvent> plainOp(std::string name, const Shapes& inputs) {
    return {{"cpu_op", std::move(name), inputArguments(inputs), 0.02, 0.96}};
}

std::vector<HostEvent> nestedOp(std::string outer, std::string inner, const Shapes& inputs) {
    return {{"cpu_op", std::move(outer), inputArguments(inputs), 0.02, 0.98},
            {"cpu_op", "aten::empty",
             "\"Concrete Inputs\": [\"[1, 7168]\", \"15\", \"0\", \"\", \"\", \"0\"], \"Input type\": "
             "[\"ScalarList\", \"Scalar\", \"Scalar\", \"\", \"\", \"Scalar\"], \"Input Strides\": [[], [], "
             "[], [], "
             "[], []], \"Input Dims\": [[], [], [], [], [], []]",
             0.08, 0.2},
            {"cpu_op", std::move(inner), inputArguments(inputs), 0.24, 0.95}};
}

LaunchCall driverLaunch() {
    return {"cuda_driver", "cuLaunchKernelEx", 652};
}

LaunchCall extendedLaunch() {
    return {"cuda_runtime", "cudaLaunchKernelExC", 430};
}

std::uint16_t StepBuilder::kernel(SyntheticKernel kernel) {
    m_step.kernels.push_back(std::move(kernel));
    return static_cast<std::uint16_t>(m_step.kernels.size() - 1);
}

PlannedOp& StepBuilder::add(std::uint16_t kernel, double microseconds, SyntheticStream stream) {
    PlannedOp op;
    op.kernel = kernel;
    op.stream = stream;
    op.layer = m_layer;
    op.durationNs = microseconds * 1000;
    m_step.ops.push_back(op);
    return m_step.ops.back();
}

} // namespace lockstep
