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

/// All that is kept of an event: times, its category and the rule that chose it (where `categories` are those
/// of the run), its collective on every rank, where it ran, its launch and CPU op.
[[nodiscard]] std::vector<DetailGroup> detailsOf(const ShownRun& shown, const ShownCategories* categories,
                                                 EventRef event);

} // namespace lockstep
