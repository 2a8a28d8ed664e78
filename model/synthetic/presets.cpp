#include "model/synthetic/presets.h"

#include "model/synthetic/stepbuilder.h"

#include <fmt/format.h>

namespace lockstep {

std::vector<std::string_view> syntheticPresets() {
    return {"kimi-k2.5-int4-vllm", "glm-5-nvfp4-sglang"};
}

Result<PlannedStep> plannedStep(std::string_view name) {
    if (name == "kimi-k2.5-int4-vllm")
        return kimiStep();
    if (name == "glm-5-nvfp4-sglang")
        return glmStep();
    return make_unexpected(Error{ErrorCode::BadArgument,
                                 "",
                                 {},
                                 fmt::format("there is no preset \"{}\"; choose one of: {}", name,
                                             fmt::join(syntheticPresets(), ", "))});
}

SyntheticKernel ncclAllReduce(int elements) {
    SyntheticKernel kernel;
    kernel.name = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
    kernel.group = SyntheticGroup::AllReduce;
    kernel.block = {512, 1, 1};
    kernel.registers = 96;
    kernel.sharedMemory = 103808;
    kernel.launch = driverLaunch();
    kernel.elements = elements;
    kernel.hostNs = 9000;
    const std::string input = inputArguments({{1, elements}});
    // record_param_comms gets its arguments from the writer: they hold the rank.
    kernel.host = {{"cpu_op", "c10d::allreduce_", input, 0.02, 0.98},
                   {"cpu_op", "record_param_comms", "", 0.1, 0.94},
                   {"user_annotation", "nccl:all_reduce", input, 0.14, 0.9}};
    return kernel;
}

} // namespace lockstep
