#pragma once

#include "model/layout/lanemix.h"
#include "views/common/colourrole.h"
#include "views/common/filters.h"
#include "views/common/showncategories.h"
#include "views/common/shownrun.h"

#include <memory>
#include <vector>

namespace lockstep {

/// The colours of one rank's events, and how each of its GPU lanes divides among them.
struct RankColours {
    std::vector<EventClass> classes; ///< by event: a ColourRole, or Colouring::kMutedClass
    std::vector<LaneMix> mixes;      ///< like RankTrace::lanes; empty ones for lanes that are not of a GPU
};

/// What colour every event of a run has, its categories and the filters taken together. Immutable.
struct Colouring {
    static constexpr std::uint8_t kMutedClass = kColourRoles; ///< filtered out: drawn, but pale
    std::vector<std::shared_ptr<const RankColours>> ranks;    ///< like ShownRun::ranks
};
static_assert(kColourRoles + 1 == LaneMix::kClasses);

/// The colour role of an event by its kind alone.
[[nodiscard]] ColourRole roleOfKind(EventKind kind);
/// The role that a class of a Colouring stands for; EverythingElse for a muted one.
[[nodiscard]] ColourRole roleOfClass(std::uint8_t eventClass);

/// The colour role of an event of rank `rank` (index) where no colouring is there yet.
[[nodiscard]] ColourRole roleOf(const ShownRun& shown, std::size_t rank, EventId event);

/// Colours the events of `shown`; `categories` may be null, or of another analysis: then kernels are plain
/// but for collectives. Costs a pass over all GPU events, so not on the GUI thread.
[[nodiscard]] std::shared_ptr<const Colouring>
colour(const ShownRun& shown, const ShownCategories* categories, const Filters& filters);

} // namespace lockstep
