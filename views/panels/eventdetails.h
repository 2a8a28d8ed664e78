#pragma once

#include "views/common/viewstate.h"

#include <QString>
#include <vector>

namespace lockstep {

/// A name and a value.
struct DetailRow {
    QString name;
    QString value;
};

/// Rows that belong together, under a heading.
struct DetailGroup {
    QString heading;
    std::vector<DetailRow> rows;
};

/// All that is kept of an event: times, where it ran, its launch and CPU op, its arguments.
[[nodiscard]] std::vector<DetailGroup> detailsOf(const ShownRun& shown, EventRef event);

} // namespace lockstep
