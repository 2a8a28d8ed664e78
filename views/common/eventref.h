#pragma once

#include "model/core/ids.h"

namespace lockstep {

/// An event of one rank of the shown run.
struct EventRef {
    std::size_t rank = 0; ///< index into ShownRun::ranks
    EventId event;

    [[nodiscard]] bool valid() const { return event.valid(); }
    friend bool operator==(const EventRef&, const EventRef&) = default;
};

} // namespace lockstep
