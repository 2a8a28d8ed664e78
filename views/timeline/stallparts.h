#pragma once

#include "views/common/viewstate.h"

#include <QString>
#include <QStringList>
#include <optional>

namespace lockstep {

/// The parts of one rank's collective, on the run's clock: before `arrival` it had started early, up to
/// `released` it waited for the last rank, then it moved data.
struct StallParts {
    TimeNs begin = 0;
    TimeNs arrival = 0;
    TimeNs released = 0;
    TimeNs end = 0;
};

/// The parts of `event`; nothing where it is no matched collective.
[[nodiscard]] std::optional<StallParts> stallPartsOf(const ShownRun& shown, EventRef event);
/// Whether `event` is a matched collective that waits for longer than half of its time.
[[nodiscard]] bool waitsMostly(const ShownRun& shown, EventRef event);
/// When the last rank arrived at matched collective `collective`, on the run's clock.
[[nodiscard]] TimeNs lastArrivalOf(const ShownRun& shown, std::uint32_t collective);
/// Two or three letters for a kind of collective, to stand in a bar: "AR".
[[nodiscard]] std::string_view abbreviationOf(CollectiveKind kind);
/// What is to be said of the collective `event` took part in, in plain sentences: who came last, what it
/// waited.
[[nodiscard]] QStringList stallLines(const ShownRun& shown, EventRef event);

} // namespace lockstep
