#pragma once

#include "model/core/ids.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::test {

using namespace std::chrono_literals;

/// A time as tests write it (10us), after the trace's base time.
using Time = std::chrono::nanoseconds;

/// One event in the fields of the trace format; what is empty is left out of the text.
struct EventText {
    std::string phase = "X";
    std::string category = {};
    std::string name = {};
    std::string pid = "100"; ///< JSON text: a number, or a string with its quotes
    std::string tid = "100"; ///< JSON text
    std::optional<Time> begin = {};
    std::optional<Time> duration = {};
    std::string more = {}; ///< further members as JSON text: `"id": 4, "bp": "e"`
    std::string args = {}; ///< members of `args` as JSON text

    [[nodiscard]] std::string toJson() const;
};

/// Where and by whom a kernel ran; 0 in the ids means that they are left out.
struct KernelPlace {
    std::int64_t stream = 7;
    std::uint32_t correlation = 0;
    std::uint32_t externalId = 0;
    std::string args = {}; ///< further members of `args` as JSON text
};

/// Microseconds with three decimals, as the profiler writes them.
[[nodiscard]] std::string microseconds(Time time);
/// `text` as a JSON string with its quotes.
[[nodiscard]] std::string jsonString(std::string_view text);

/// Builds the text of one rank's trace in the layout that torch.profiler writes.
class TraceBuilder {
public:
    /// 2026-10-01: where the profiler's base stands for captures of that time.
    static constexpr TimeNs kBase = 1'790'857'026'000'000'000;

    explicit TraceBuilder(int rank = 0, int worldSize = 1);

    TraceBuilder& baseTime(TimeNs base);
    TraceBuilder& withoutBaseTime();
    TraceBuilder& withoutDistributedInfo();
    /// Writes the header's keys behind `traceEvents`, as profilers before 2025 did.
    TraceBuilder& headerAfterEvents();
    /// Writes the events alone, as a JSON array.
    TraceBuilder& arrayForm();
    /// Adds a key of the header; `json` is its value as text.
    TraceBuilder& header(std::string_view key, std::string_view json);

    /// Adds an element of `traceEvents` as it stands, well-formed or not.
    TraceBuilder& raw(std::string_view text);
    TraceBuilder& event(const EventText& event);
    TraceBuilder& cpuOp(std::string_view name, Time begin, Time duration, std::string_view args = {});
    /// A range that the program named, on its CPU thread: a step's marker, say.
    TraceBuilder& annotation(std::string_view name, Time begin, Time duration);
    TraceBuilder& gpuAnnotation(std::string_view name, Time begin, Time duration, std::int64_t stream = 7);
    TraceBuilder& kernel(std::string_view name, Time begin, Time duration, const KernelPlace& place = {});
    TraceBuilder& memcpy(Time begin, Time duration, std::int64_t bytes, const KernelPlace& place = {});
    /// A call of the CUDA runtime, such as cudaLaunchKernel.
    TraceBuilder& runtimeCall(std::string_view name, Time begin, Time duration, std::uint32_t correlation);
    /// A kernel with the call that launched it and the arrow between them; the correlation is the next free
    /// one.
    TraceBuilder& launchedKernel(std::string_view name, Time launch, Time begin, Time duration,
                                 KernelPlace place = {});

    [[nodiscard]] std::uint32_t lastCorrelation() const { return m_correlation; }
    [[nodiscard]] std::size_t eventCount() const { return m_events.size(); }
    [[nodiscard]] std::string text() const;

private:
    [[nodiscard]] std::string cpuThread() const;
    [[nodiscard]] std::string device() const;
    [[nodiscard]] std::string headerText() const;

    int m_rank;
    int m_worldSize;
    std::optional<TimeNs> m_base = kBase;
    bool m_distributed = true;
    bool m_headerAfter = false;
    bool m_arrayForm = false;
    std::vector<std::pair<std::string, std::string>> m_header;
    std::vector<std::string> m_events;
    std::uint32_t m_correlation = 0;
};

} // namespace lockstep::test
