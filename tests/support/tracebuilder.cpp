#include "tests/support/tracebuilder.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lockstep::test {

namespace {

void join(std::string& list, std::string_view member) {
    if (member.empty())
        return;
    if (!list.empty())
        list += ", ";
    list += member;
}

std::string argumentsOf(const KernelPlace& place, int device) {
    std::string args;
    if (place.externalId != 0)
        args = fmt::format("\"External id\": {}", place.externalId);
    join(args, fmt::format("\"device\": {}, \"context\": 1, \"stream\": {}", device, place.stream));
    if (place.correlation != 0)
        join(args, fmt::format("\"correlation\": {}", place.correlation));
    join(args, place.args);
    return args;
}

} // namespace

std::string microseconds(Time time) {
    const std::int64_t ns = time.count();
    const std::int64_t size = ns < 0 ? -ns : ns;
    return fmt::format("{}{}.{:03}", ns < 0 ? "-" : "", size / 1000, size % 1000);
}

std::string jsonString(std::string_view text) {
    return nlohmann::json(text).dump();
}

std::string EventText::toJson() const {
    std::string text = fmt::format("  {{\n    \"ph\": {}", jsonString(phase));
    if (!category.empty())
        text += fmt::format(", \"cat\": {}", jsonString(category));
    text += fmt::format(", \"name\": {}, \"pid\": {}, \"tid\": {}", jsonString(name), pid, tid);
    if (begin)
        text += fmt::format(",\n    \"ts\": {}", microseconds(*begin));
    if (duration)
        text += fmt::format(", \"dur\": {}", microseconds(*duration));
    if (!more.empty())
        text += fmt::format(",\n    {}", more);
    if (!args.empty())
        text += fmt::format(",\n    \"args\": {{\n      {}\n    }}", args);
    return text + "\n  }";
}

TraceBuilder::TraceBuilder(int rank, int worldSize)
    : m_rank(rank)
    , m_worldSize(worldSize) {}

TraceBuilder& TraceBuilder::baseTime(TimeNs base) {
    m_base = base;
    return *this;
}

TraceBuilder& TraceBuilder::withoutBaseTime() {
    m_base.reset();
    return *this;
}

TraceBuilder& TraceBuilder::withoutDistributedInfo() {
    m_distributed = false;
    return *this;
}

TraceBuilder& TraceBuilder::headerAfterEvents() {
    m_headerAfter = true;
    return *this;
}

TraceBuilder& TraceBuilder::arrayForm() {
    m_arrayForm = true;
    return *this;
}

TraceBuilder& TraceBuilder::header(std::string_view key, std::string_view json) {
    m_header.emplace_back(key, json);
    return *this;
}

TraceBuilder& TraceBuilder::raw(std::string_view text) {
    m_events.emplace_back(text);
    return *this;
}

TraceBuilder& TraceBuilder::event(const EventText& event) {
    return raw(event.toJson());
}

TraceBuilder& TraceBuilder::cpuOp(std::string_view name, Time begin, Time duration, std::string_view args) {
    return event({.category = "cpu_op",
                  .name = std::string(name),
                  .pid = cpuThread(),
                  .tid = cpuThread(),
                  .begin = begin,
                  .duration = duration,
                  .args = std::string(args)});
}

TraceBuilder& TraceBuilder::annotation(std::string_view name, Time begin, Time duration) {
    return event({.category = "user_annotation",
                  .name = std::string(name),
                  .pid = cpuThread(),
                  .tid = cpuThread(),
                  .begin = begin,
                  .duration = duration});
}

TraceBuilder& TraceBuilder::gpuAnnotation(std::string_view name, Time begin, Time duration,
                                          std::int64_t stream) {
    return event({.category = "gpu_user_annotation",
                  .name = std::string(name),
                  .pid = device(),
                  .tid = fmt::to_string(stream),
                  .begin = begin,
                  .duration = duration});
}

TraceBuilder& TraceBuilder::kernel(std::string_view name, Time begin, Time duration,
                                   const KernelPlace& place) {
    return event({.category = "kernel",
                  .name = std::string(name),
                  .pid = device(),
                  .tid = fmt::to_string(place.stream),
                  .begin = begin,
                  .duration = duration,
                  .args = argumentsOf(place, m_rank)});
}

TraceBuilder& TraceBuilder::memcpy(Time begin, Time duration, std::int64_t bytes, const KernelPlace& place) {
    return event({.category = "gpu_memcpy",
                  .name = "Memcpy DtoD (Device -> Device)",
                  .pid = device(),
                  .tid = fmt::to_string(place.stream),
                  .begin = begin,
                  .duration = duration,
                  .args = fmt::format("{}, \"bytes\": {}", argumentsOf(place, m_rank), bytes)});
}

TraceBuilder& TraceBuilder::runtimeCall(std::string_view name, Time begin, Time duration,
                                        std::uint32_t correlation) {
    m_correlation = std::max(m_correlation, correlation);
    return event({.category = "cuda_runtime",
                  .name = std::string(name),
                  .pid = cpuThread(),
                  .tid = cpuThread(),
                  .begin = begin,
                  .duration = duration,
                  .args = fmt::format("\"cbid\": 211, \"correlation\": {}", correlation)});
}

TraceBuilder& TraceBuilder::launchedKernel(std::string_view name, Time launch, Time begin, Time duration,
                                           KernelPlace place) {
    place.correlation = m_correlation + 1;
    runtimeCall("cudaLaunchKernel", launch, 500ns, place.correlation);
    const std::string id = fmt::format("\"id\": {}", place.correlation);
    event({.phase = "s",
           .category = "ac2g",
           .name = "ac2g",
           .pid = cpuThread(),
           .tid = cpuThread(),
           .begin = launch,
           .more = id});
    kernel(name, begin, duration, place);
    return event({.phase = "f",
                  .category = "ac2g",
                  .name = "ac2g",
                  .pid = device(),
                  .tid = fmt::to_string(place.stream),
                  .begin = begin,
                  .more = id + ", \"bp\": \"e\""});
}

std::string TraceBuilder::text() const {
    std::string events;
    for (const std::string& event : m_events)
        events += (events.empty() ? "" : ",\n") + event;
    if (m_arrayForm)
        return "[\n" + events + "\n]\n";
    const std::string list = "  \"traceEvents\": [\n" + events + "\n  ]";
    const std::string header = headerText();
    if (m_headerAfter)
        return "\n  {\n" + list + ",\n" + header + "  \"traceName\": \"trace.json\"\n}";
    return "\n  {\n" + header + list + ",\n  \"traceName\": \"trace.json\"\n}";
}

std::string TraceBuilder::headerText() const {
    std::string devices;
    for (int device = 0; device < m_worldSize; ++device)
        join(devices,
             fmt::format("\n    {{\"id\": {}, \"name\": \"NVIDIA H200\", \"totalGlobalMem\": 150109880320, "
                         "\"computeMajor\": 9, \"computeMinor\": 0, \"numSms\": 132}}",
                         device));
    std::string header =
        fmt::format("    \"schemaVersion\": 1,\n    \"deviceProperties\": [{}\n    ],\n", devices);
    if (m_distributed) {
        std::string ranks;
        for (int rank = 0; rank < m_worldSize; ++rank)
            join(ranks, fmt::to_string(rank));
        header +=
            fmt::format("    \"distributedInfo\": {{\"backend\": \"nccl\", \"rank\": {}, \"world_size\": {}, "
                        "\"pg_count\": 1, \"pg_config\": [{{\"pg_name\": \"0\", \"pg_desc\": \"default_pg\", "
                        "\"backend_config\": \"cuda:nccl\", \"pg_size\": {}, \"ranks\": [{}]}}], "
                        "\"nccl_version\": \"2.28.9\"}},\n",
                        m_rank, m_worldSize, m_worldSize, ranks);
    }
    for (const auto& [key, json] : m_header)
        header += fmt::format("    {}: {},\n", jsonString(key), json);
    header += "  \"displayTimeUnit\": \"ms\",\n";
    if (m_base)
        header += fmt::format("  \"baseTimeNanoseconds\": {},\n", *m_base);
    return header;
}

std::string TraceBuilder::cpuThread() const {
    return fmt::to_string(1000 + m_rank);
}

std::string TraceBuilder::device() const {
    return fmt::to_string(m_rank);
}

} // namespace lockstep::test
