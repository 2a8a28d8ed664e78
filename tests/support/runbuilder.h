#pragma once

#include "tests/support/temporaryfolder.h"
#include "tests/support/tracebuilder.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::test {

/// Builds the traces of all ranks of a run: `RunBuilder(2).step(7).allReduce({{0, 10us}, {1, 45us}})`.
/// Each rank works through its kernels back to back on one stream; a collective ends on all ranks at once.
class RunBuilder {
public:
    /// An amount of time for each rank; a rank that is not named has none.
    using PerRank = std::map<int, Time>;

    explicit RunBuilder(int ranks);

    /// Ends the step before, and begins one: a marker on the CPU of each rank (of vLLM's form unless `marker`
    /// is given).
    RunBuilder& step(int number, std::string_view marker = {});
    /// Ends the step: what follows lies outside all steps.
    RunBuilder& endStep();
    /// A kernel on each rank, as long as said for all, or for each (ranks that are not named have no such
    /// kernel).
    RunBuilder& compute(std::string_view kernel, Time duration);
    RunBuilder& compute(std::string_view kernel, const PerRank& durations);
    /// GPUs stand idle: the next launch comes late by so much after the work before.
    RunBuilder& hostDelay(const PerRank& delays);
    /// An all-reduce that rank r enters `late[r]` after its work before, and that all leave `transfer` after
    /// the last has come.
    RunBuilder& allReduce(const PerRank& late = {}, Time transfer = 5us);
    /// The same of any collective kernel; `kernel` is its name, `args` its metadata as JSON members.
    RunBuilder& collective(std::string_view kernel, std::string_view args, const PerRank& late,
                           Time transfer);
    /// What this rank's clock shows beside the true one; for all that is built after.
    RunBuilder& clock(int rank, Time offset, double driftPpm = 0);

    /// One rank's trace, to add to or to change.
    [[nodiscard]] TraceBuilder& rank(int rank) { return m_ranks[static_cast<std::size_t>(rank)].trace; }
    /// When the rank's work so far ends, on the true clock.
    [[nodiscard]] Time now(int rank) const { return m_ranks[static_cast<std::size_t>(rank)].gpu; }
    /// Ends the last step and returns the trace as text.
    [[nodiscard]] std::string text(int rank);
    /// Writes all ranks as `rank<r>.json` and returns the paths.
    std::vector<std::string> writeTo(const TemporaryFolder& folder);

private:
    struct RankState {
        TraceBuilder trace;
        Time cpu{};       ///< true time of the next launch
        Time gpu{};       ///< true time at which the work so far ends
        Time stepBegin{}; ///< of the open step's marker
        Time offset{};
        double driftPpm = 0;
    };
    [[nodiscard]] static Time shown(const RankState& rank, Time trueTime);
    static void addKernel(RankState& rank, std::string_view name, Time begin, Time duration,
                          std::string_view args);

    std::vector<RankState> m_ranks;
    std::string m_marker; ///< of the open step; empty: none is open
    int m_sequence = 0;
};

} // namespace lockstep::test
