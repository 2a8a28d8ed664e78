#pragma once

#include "model/analysis/runanalysis.h"
#include "model/layout/lanepyramid.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// An event that took part in a matched collective.
struct MatchedEvent {
    EventId event;
    std::uint32_t collective = 0; ///< index into CollectiveTable::matched and StallTable::stalls
};

/// One rank as the views show it: its trace, the clock that puts it beside the others, and what makes its
/// lanes quick to draw.
struct ShownRank {
    std::shared_ptr<const RankTrace> trace;
    RankClock clock; ///< own time → the run's; the own clock until the run is aligned
    std::shared_ptr<const std::vector<LanePyramid>> pyramids; ///< like RankTrace::lanes
    std::shared_ptr<const std::vector<MatchedEvent>> matched; ///< by event; null until analysed
    std::string device;
    TimeRange span; ///< on the run's clock

    /// The matched collective that `event` took part in.
    [[nodiscard]] std::optional<std::uint32_t> collectiveOf(EventId event) const;
    /// `runRange` on this rank's own clock.
    [[nodiscard]] TimeRange toOwn(TimeRange runRange) const;
    /// `ownRange` on the run's clock.
    [[nodiscard]] TimeRange toRun(TimeRange ownRange) const;
};

/// One step as the ruler and the minimap mark it, on the run's clock, over all ranks.
struct StepMark {
    TimeRange range;
    std::string name;
    StepKind kind = StepKind::Unknown;
    bool unusual = false; ///< cut or an outlier: averages leave it out
};

/// What all views show: the ranks read so far, or the whole run and what was found in it. Immutable.
struct ShownRun {
    std::shared_ptr<const Run> run;              ///< null while files are still being read
    std::shared_ptr<const RunAnalysis> analysis; ///< null until it is there
    std::vector<ShownRank> ranks;                ///< by rank
    std::vector<StepMark> steps; ///< like StepTable::steps; from annotations until the analysis is there
    bool loading = false;        ///< opened, but no rank has been read yet
    TimeRange span;              ///< of all ranks on the run's clock; times are shown relative to its begin

    /// The place of `rank` in `ranks`, or `ranks.size()`.
    [[nodiscard]] std::size_t indexOf(int rank) const;
};

/// Prepares one rank, on its own clock; costs a pass over its events, so not on the GUI thread.
[[nodiscard]] ShownRank showRank(std::shared_ptr<const RankTrace> trace);
/// The ranks read so far, on their own clocks.
[[nodiscard]] std::shared_ptr<const ShownRun> showRanks(std::vector<ShownRank> ranks);
/// A whole run, on each rank's own clock; costs a pass over all events.
[[nodiscard]] std::shared_ptr<const ShownRun> showRun(std::shared_ptr<const Run> run);
/// The same run with what was found in it, all ranks on its one clock.
[[nodiscard]] std::shared_ptr<const ShownRun> withAnalysis(const ShownRun& shown,
                                                           std::shared_ptr<const RunAnalysis> analysis);

} // namespace lockstep
