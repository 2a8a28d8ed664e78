#include "model/trace/rank.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <tuple>

namespace lockstep {

std::int64_t RankTrace::streamOf(EventId id) const {
    if (const GpuArguments* gpu = arguments.gpuOf(id); gpu && gpu->stream >= 0)
        return gpu->stream;
    const std::string& tid = trackOf(id).tid;
    std::int64_t stream = -1;
    const auto [end, error] = std::from_chars(tid.data(), tid.data() + tid.size(), stream);
    return error == std::errc{} && end == tid.data() + tid.size() ? stream : -1;
}

std::string RankTrace::deviceName() const {
    std::map<std::int32_t, std::size_t> uses;
    for (const GpuArguments& gpu : arguments.gpu)
        if (gpu.device >= 0)
            ++uses[gpu.device];
    std::int32_t device = header.devices.size() == 1 ? header.devices.front().id : -1;
    if (!uses.empty())
        device = std::max_element(uses.begin(), uses.end(), [](const auto& a, const auto& b) {
                     return a.second < b.second;
                 })->first;
    for (const DeviceProperties& properties : header.devices)
        if (properties.id == device)
            return properties.name;
    return {};
}

std::vector<EventId> RankTrace::gpuActivities() const {
    std::vector<EventId> activities;
    for (std::size_t i = 0; i < events.size(); ++i)
        if (isGpuActivity(events.kind(EventId{i})))
            activities.push_back(EventId{i});
    std::sort(activities.begin(), activities.end(), [this](EventId a, EventId b) {
        return std::tuple(events.begin(a), a) < std::tuple(events.begin(b), b);
    });
    return activities;
}

TimeRange RankTrace::span() const {
    constexpr TimeNs kLimit = std::numeric_limits<TimeNs>::max();
    // A converter that failed writes ts 0: such events would stretch the span over decades.
    const TimeNs zero = header.baseTimeNs.value_or(0);
    bool hasActivity = false;
    bool hasRealTime = false;
    for (std::size_t i = 0; i < events.size(); ++i) {
        hasActivity =
            hasActivity || (isGpuActivity(events.kind(EventId{i})) && events.begin(EventId{i}) > zero);
        hasRealTime = hasRealTime || events.begin(EventId{i}) > zero;
    }
    TimeRange span{kLimit, std::numeric_limits<TimeNs>::min()};
    for (std::size_t i = 0; i < events.size(); ++i) {
        const EventId id{i};
        if ((hasActivity && !isGpuActivity(events.kind(id))) || (hasRealTime && events.begin(id) <= zero))
            continue;
        span.begin = std::min(span.begin, events.begin(id));
        span.end = std::max(span.end, events.end(id));
    }
    return span.begin == kLimit ? TimeRange{} : span;
}

std::size_t RankTrace::memoryBytes() const {
    return events.memoryBytes() + arguments.memoryBytes() + launches.memoryBytes() +
           flows.capacity() * sizeof(Flow) + counters.capacity() * sizeof(CounterSample) +
           lanes.capacity() * sizeof(Lane) + tracks.capacity() * sizeof(Track);
}

} // namespace lockstep
