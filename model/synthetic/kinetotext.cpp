#include "model/synthetic/kinetotext.h"

#include <algorithm>

namespace lockstep {

namespace {

constexpr int kDevicesPerHost = 8;
constexpr int kDeviceRows = 16; ///< Kineto names this many GPUs whatever the host has
constexpr std::array<int, kSyntheticStreams> kStreamNumbers{7, 23, 27};
constexpr int kMultiprocessors = 188;
constexpr int kListedRanks = 30; ///< longer lists are cut

std::string nameEvent(std::string_view what, TimeNs at, int process, int thread, std::string_view argument) {
    fmt::memory_buffer out;
    fmt::format_to(std::back_inserter(out), "  {{\n    \"name\": \"{}\", \"ph\": \"M\", \"ts\": ", what);
    appendTime(out, at);
    fmt::format_to(std::back_inserter(out),
                   ", \"pid\": {}, \"tid\": {},\n    \"args\": {{\n      {}\n    }}\n  }},\n", process,
                   thread, argument);
    return fmt::to_string(out);
}

std::string timeText(TimeNs at) {
    fmt::memory_buffer out;
    appendTime(out, at);
    return fmt::to_string(out);
}

} // namespace

KinetoText::KinetoText(const PlannedStep& plan, const RankTraceText& text)
    : m_plan(plan)
    , m_text(text)
    , m_device(text.rank % kDevicesPerHost)
    , m_process(4211 + 17 * text.rank)
    , m_hostTrack(fmt::format(", \"pid\": {0}, \"tid\": {0},", m_process)) {
    for (std::size_t s = 0; s < kSyntheticStreams; ++s)
        m_streams[s] = {fmt::format(", \"pid\": {}, \"tid\": {},", m_device, kStreamNumbers[s]),
                        fmt::format("\"stream\": {}, ", kStreamNumbers[s])};
    m_marker = hostFragment({"user_annotation", plan.marker, "", 0, 1}, nullptr);
    for (const SyntheticKernel& kernel : plan.kernels) {
        std::vector<HostFragment> host;
        for (const HostEvent& event : kernel.host)
            host.push_back(hostFragment(event, &kernel));
        m_host.push_back(std::move(host));
        m_kernels.push_back(kernelFragment(kernel));
    }
}

std::string KinetoText::processGroupRanks() const {
    std::vector<int> ranks;
    for (int r = 0; r < std::min(m_text.worldSize, kListedRanks); ++r)
        ranks.push_back(r);
    return fmt::format("[{}{}]", fmt::join(ranks, ", "), m_text.worldSize > kListedRanks ? ", ..." : "");
}

HostFragment KinetoText::hostFragment(const HostEvent& event, const SyntheticKernel* kernel) const {
    HostFragment fragment;
    fragment.begin = event.begin;
    fragment.end = event.end;
    fragment.head = fmt::format("  {{\n    \"ph\": \"X\", \"cat\": \"{}\", \"name\": \"{}\"{}\n    \"ts\": ",
                                event.category, event.name, m_hostTrack);
    std::string arguments = event.arguments;
    if (event.name == "record_param_comms" && kernel != nullptr)
        arguments = fmt::format("\"Collective name\": \"allreduce\", \"Process Group Description\": "
                                "\"default_pg\", \"dtype\": \"BFloat16\", "
                                "\"Rank\": {0}, \"Input Strides\": [[[{1}, 1]], [], [], [], [], [], [], [], "
                                "[], []], \"Concrete Inputs\": [\"\", "
                                "\"\", \"\", \"{0}\", \"\", \"[]\", \"[]\", \"0\", \"1\", \"{2}\"], \"Out "
                                "msg nelems\": {1}, \"Process Group Name\": "
                                "\"0\", \"Input type\": [\"TensorList\", \"\", \"\", \"Scalar\", \"\", "
                                "\"ScalarList\", \"ScalarList\", \"Scalar\", "
                                "\"Scalar\", \"Scalar\"], \"Global rank stride\": 1, \"Out split size\": "
                                "\"[]\", \"In split size\": \"[]\", "
                                "\"Process Group Ranks\": \"{3}\", \"Group size\": {2}, \"Input Dims\": "
                                "[[[1, {1}]], [], [], [], [], [], [], [], [], "
                                "[]], \"Global rank start\": 0, \"In msg nelems\": {1}",
                                m_text.rank, kernel->elements, m_text.worldSize, processGroupRanks());
    fragment.arguments = arguments.empty()
                             ? ",\"Record function id\": 0, \"Ev Idx\": "
                             : fmt::format(",\"Record function id\": 0, {}, \"Ev Idx\": ", arguments);
    return fragment;
}

KernelFragment KinetoText::kernelFragment(const SyntheticKernel& kernel) const {
    KernelFragment fragment;
    const bool copy = kernel.copyBytes >= 0;
    fragment.head = fmt::format("  {{\n    \"ph\": \"X\", \"cat\": \"{}\", \"name\": \"{}\"",
                                copy ? "gpu_memcpy" : "kernel", kernel.name);
    fragment.hostEvents = kernel.host.size();
    for (std::size_t i = 0; i < kernel.host.size(); ++i)
        if (std::string_view(kernel.host[i].category) == "cpu_op")
            fragment.launchOwner = i + 1;
    if (copy) {
        fragment.beforeStream = fmt::format("\"device\": {}, \"context\": 1,      ", m_device);
        fragment.afterCorrelation = fmt::format(
            ",      \"bytes\": {}, \"memory bandwidth (GB/s)\": 0.004210526315789474", kernel.copyBytes);
        fragment.afterCorrelationInGraph = fragment.afterCorrelation;
        return fragment;
    }
    fragment.beforeStream = fmt::format("\"queued\": 0, \"device\": {}, \"context\": 1,      ", m_device);
    const double blocks =
        static_cast<double>(kernel.grid[0]) * kernel.grid[1] * kernel.grid[2] / kMultiprocessors;
    const double warps = blocks * kernel.block[0] * kernel.block[1] * kernel.block[2] / 32;
    fragment.afterCorrelationInGraph = fmt::format(
        ",      \"registers per thread\": {},      \"shared memory\": {},      \"blocks per SM\": {:.6f},    "
        "  \"warps per SM\": "
        "{:.6f},      \"grid\": [{}],      \"block\": [{}],      \"est. achieved occupancy %\": {}",
        kernel.registers, kernel.sharedMemory, blocks, warps, fmt::join(kernel.grid, ", "),
        fmt::join(kernel.block, ", "), static_cast<int>(std::min(100.0, warps / 48 * 100)));
    fragment.afterCorrelation = fragment.afterCorrelationInGraph;
    if (kernel.elements > 0)
        fragment.afterCorrelation +=
            fmt::format(", \"Collective name\": \"allreduce\", \"In msg nelems\": {0}, \"Out msg nelems\": "
                        "{0}, \"Group size\": {1}, "
                        "\"dtype\": \"BFloat16\", \"In split size\": \"[]\", \"Out split size\": \"[]\", "
                        "\"Process Group Name\": \"0\", "
                        "\"Process Group Description\": \"default_pg\", \"Process Group Ranks\": \"{2}\"",
                        kernel.elements, m_text.worldSize, processGroupRanks());
    return fragment;
}

std::string KinetoText::header() const {
    std::string devices;
    for (int d = 0; d < kDevicesPerHost; ++d)
        devices += fmt::format("    {{\n      \"id\": {}, \"name\": \"{}\", \"totalGlobalMem\": "
                               "101973491712,\n      \"computeMajor\": 12, "
                               "\"computeMinor\": 0,\n      \"maxThreadsPerBlock\": 1024, "
                               "\"maxThreadsPerMultiprocessor\": 1536,\n      "
                               "\"regsPerBlock\": 65536, \"warpSize\": 32,\n      \"sharedMemPerBlock\": "
                               "49152, \"numSms\": {}\n    , "
                               "\"regsPerMultiprocessor\": 65536, \"sharedMemPerBlockOptin\": 101376, "
                               "\"sharedMemPerMultiprocessor\": 102400\n    "
                               "}}{}\n",
                               d, m_plan.device, kMultiprocessors, d + 1 < kDevicesPerHost ? "," : "");
    std::vector<int> ranks;
    for (int r = 0; r < m_text.worldSize; ++r)
        ranks.push_back(r);
    return fmt::format(
        "\n  {{\n    \"schemaVersion\": 1,\n    \"deviceProperties\": [\n{}    ],\n      \"trace_id\": "
        "\"{:016X}{:016X}\",\n      \"lockstep_synthetic\": {{\"preset\": \"{}\", \"seed\": {}, \"note\": "
        "\"synthetic: computed "
        "by lockstep-cli synth, not measured on any machine\"}},\n      \"record_shapes\": 1,\n      "
        "\"distributedInfo\": "
        "{{\"backend\": \"nccl\", \"rank\": {}, \"world_size\": {}, \"pg_count\": 1, \"pg_config\": "
        "[{{\"pg_name\": \"0\", "
        "\"pg_desc\": \"default_pg\", \"backend_config\": \"cuda:nccl\", \"pg_size\": {}, \"ranks\": "
        "[{}]}}], \"nccl_version\": "
        "\"2.28.9\"}},\n      \"cuda_driver_version\": 13000,\n      \"cuda_runtime_version\": 13000,\n      "
        "\"cupti_version\": "
        "130001,\n  \"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": {},\n  \"traceEvents\": [\n",
        devices, m_text.seed, m_text.rank, m_plan.preset, m_text.seed, m_text.rank, m_text.worldSize,
        m_text.worldSize, fmt::join(ranks, ", "), kSyntheticBaseNs);
}

std::string KinetoText::overhead(TimeNs at) const {
    return fmt::format(
        "  {{\n    \"ph\": \"X\", \"cat\": \"overhead\", \"name\": \"Activity Buffer Request\", \"pid\": -1, "
        "\"tid\": 0,\n    \"ts\": {}, \"dur\": 21.157\n  }},\n",
        timeText(at));
}

std::string KinetoText::names(TimeNs at) const {
    std::string text;
    const auto process = [&](int pid, std::string_view label, int order) {
        text += nameEvent("process_name", at, pid, 0, "\"name\": \"python3\"");
        text += nameEvent("process_labels", at, pid, 0, fmt::format("\"labels\": \"{}\"", label));
        text += nameEvent("process_sort_index", at, pid, 0, fmt::format("\"sort_index\": {}", order));
    };
    process(m_process, "CPU", m_process);
    for (int d = 0; d < kDeviceRows; ++d)
        process(d, fmt::format("GPU {}", d), 5000000 + d);
    for (std::size_t s = 0; s < kSyntheticStreams; ++s) {
        const bool used = std::any_of(m_plan.ops.begin(), m_plan.ops.end(), [s](const PlannedOp& op) {
            return op.stream == static_cast<SyntheticStream>(s);
        });
        if (!used)
            continue;
        const int stream = kStreamNumbers[s];
        text +=
            nameEvent("thread_name", at, m_device, stream, fmt::format("\"name\": \"stream {} \"", stream));
        text +=
            nameEvent("thread_sort_index", at, m_device, stream, fmt::format("\"sort_index\": {}", stream));
    }
    text += nameEvent("thread_name", at, m_process, m_process,
                      fmt::format("\"name\": \"thread {} (python3)\"", m_process));
    text += nameEvent("thread_sort_index", at, m_process, m_process,
                      fmt::format("\"sort_index\": {}", m_process));
    return text;
}

std::string KinetoText::closing(TimeNs begin, TimeNs end) const {
    const std::size_t slash = m_text.path.find_last_of('/');
    std::string name = slash == std::string::npos ? m_text.path : m_text.path.substr(slash + 1);
    if (name.ends_with(".gz"))
        name.resize(name.size() - 3);
    return fmt::format("  {{\n    \"ph\": \"X\", \"cat\": \"Trace\", \"ts\": {0}, \"dur\": {1},\n    "
                       "\"pid\": \"Spans\", \"tid\": \"PyTorch "
                       "Profiler\",\n    \"name\": \"PyTorch Profiler (0)\",\n    \"args\": {{\n      \"Op "
                       "count\": 0\n    }}\n  }},\n  {{\n    "
                       "\"name\": \"process_sort_index\", \"ph\": \"M\", \"ts\": {0},\n    \"pid\": "
                       "\"Spans\", \"tid\": 0,\n    \"args\": {{\n     "
                       " \"sort_index\": 536870912\n    }}\n  }},\n  {{\n    \"name\": \"Iteration Start: "
                       "PyTorch Profiler\", \"ph\": \"i\", "
                       "\"s\": \"g\",\n    \"pid\": \"Traces\", \"tid\": \"Trace PyTorch Profiler\", \"ts\": "
                       "{0}\n  }},\n  {{\n    \"name\": "
                       "\"Record Window End\", \"ph\": \"i\", \"s\": \"g\",\n    \"pid\": \"\", \"tid\": "
                       "\"\", \"ts\": {2}\n  }}\n  ],\n  "
                       "\"traceName\": \"{3}\"\n}}\n",
                       timeText(begin), timeText(end - begin), timeText(end), name);
}

} // namespace lockstep
