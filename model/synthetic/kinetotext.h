#pragma once

#include "model/synthetic/kinetowriter.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// Decimal digits of `value`.
inline void appendInteger(fmt::memory_buffer& out, std::uint64_t value) {
    std::array<char, 20> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    out.append(digits.data(), end);
}

/// Microseconds with exactly three decimals, as Kineto writes nanoseconds.
inline void appendTime(fmt::memory_buffer& out, TimeNs ns) {
    appendInteger(out, static_cast<std::uint64_t>(ns / 1000));
    const auto rest = static_cast<int>(ns % 1000);
    const std::array<char, 4> decimals{'.', static_cast<char>('0' + rest / 100),
                                       static_cast<char>('0' + rest / 10 % 10),
                                       static_cast<char>('0' + rest % 10)};
    out.append(decimals.data(), decimals.data() + decimals.size());
}

/// `BEGIN, "dur": DURATION`.
inline void appendTimes(fmt::memory_buffer& out, TimeNs begin, TimeNs duration) {
    constexpr std::string_view kDuration = ", \"dur\": ";
    appendTime(out, begin);
    out.append(kDuration.data(), kDuration.data() + kDuration.size());
    appendTime(out, duration);
}

/// The constant text of a CPU event, and where in its call it lies.
struct HostFragment {
    std::string head;      ///< up to the time
    std::string arguments; ///< between External id and Ev Idx
    double begin = 0;
    double end = 1;
};

/// The constant text of a GPU activity.
struct KernelFragment {
    std::string head; ///< up to the track
    std::string beforeStream;
    std::string afterCorrelation;
    std::string afterCorrelationInGraph; ///< a graph's kernels carry no collective metadata
    std::uint64_t hostEvents = 0;        ///< CPU events of its call
    std::uint64_t launchOwner = 0;       ///< which of them, from 1, owns the launch
};

/// The constant text of a stream.
struct StreamFragment {
    std::string track;    ///< `, "pid": 0, "tid": 7,`
    std::string argument; ///< `"stream": 7, `
};

/// All text of one rank's trace that does not change from event to event.
class KinetoText {
public:
    KinetoText(const PlannedStep& plan, const RankTraceText& text);

    [[nodiscard]] std::string header() const;
    [[nodiscard]] std::string overhead(TimeNs at) const;
    /// Process and thread names.
    [[nodiscard]] std::string names(TimeNs at) const;
    /// The capture's span, its marks, and the end of the file.
    [[nodiscard]] std::string closing(TimeNs begin, TimeNs end) const;

    [[nodiscard]] const HostFragment& marker() const { return m_marker; }
    [[nodiscard]] const std::vector<HostFragment>& host(std::size_t kernel) const { return m_host[kernel]; }
    [[nodiscard]] const KernelFragment& kernel(std::size_t kernel) const { return m_kernels[kernel]; }
    [[nodiscard]] const StreamFragment& stream(SyntheticStream stream) const {
        return m_streams[static_cast<std::size_t>(stream)];
    }
    /// `, "pid": P, "tid": P,`.
    [[nodiscard]] std::string_view hostTrack() const { return m_hostTrack; }

private:
    [[nodiscard]] HostFragment hostFragment(const HostEvent& event, const SyntheticKernel* kernel) const;
    [[nodiscard]] KernelFragment kernelFragment(const SyntheticKernel& kernel) const;
    [[nodiscard]] std::string processGroupRanks() const;

    const PlannedStep& m_plan;
    const RankTraceText& m_text;
    int m_device = 0;
    int m_process = 0;
    std::string m_hostTrack;
    std::array<StreamFragment, kSyntheticStreams> m_streams;
    HostFragment m_marker;
    std::vector<std::vector<HostFragment>> m_host;
    std::vector<KernelFragment> m_kernels;
};

} // namespace lockstep
