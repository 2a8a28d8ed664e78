#pragma once

#include "model/run/run.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::test {

/// Builds the traces of all ranks as values, without files: for tests over many seeds, ranks or events.
/// Times are nanoseconds on the rank's own clock.
class MemoryRun {
public:
    explicit MemoryRun(std::size_t ranks);

    /// A kernel with its launch `launchLead` before it; returns its correlation.
    std::uint32_t kernel(std::size_t rank, std::string_view name, TimeNs begin, TimeNs duration,
                         TimeNs launchLead = 5'000, int stream = 7);
    /// A copy with its launch.
    void copy(std::size_t rank, std::string_view name, TimeNs begin, TimeNs duration, int stream = 7);
    /// A kernel of a graph replay that the call `correlation` launched.
    void graphKernel(std::size_t rank, std::string_view name, TimeNs begin, TimeNs duration,
                     std::uint32_t correlation, int stream = 7);
    /// A call of the runtime; returns its correlation.
    std::uint32_t call(std::size_t rank, std::string_view name, TimeNs begin, TimeNs duration);
    void annotation(std::size_t rank, std::string_view name, TimeNs begin, TimeNs duration);
    void gpuAnnotation(std::size_t rank, std::string_view name, TimeNs begin, TimeNs duration,
                       int stream = 7);
    /// Metadata of the event that was added to the rank last.
    void collective(std::size_t rank, std::string_view kind, std::string_view group, std::string_view ranks,
                    std::int64_t sequence);
    /// What stands in the rank's header; none unless set.
    void baseTime(std::size_t rank, TimeNs base);

    [[nodiscard]] std::shared_ptr<const Run> build() const;

private:
    struct Built {
        Event event;
        int track = 0; ///< a stream; -1: CPU; -2 − stream: annotations of a stream
        bool hasCollective = false;
        CollectiveArguments arguments;
    };
    struct RankEvents {
        std::vector<Built> events;
        std::optional<TimeNs> base;
        std::uint32_t correlation = 0;
    };
    Built& add(std::size_t rank, EventKind kind, std::string_view name, TimeNs begin, TimeNs duration,
               int track, std::uint32_t correlation);
    [[nodiscard]] RankTrace rankTrace(const RankEvents& rank, int number,
                                      std::shared_ptr<const StringPool> strings) const;

    StringPool m_strings;
    std::vector<RankEvents> m_ranks;
};

} // namespace lockstep::test
