#pragma once

#include "views/common/viewstate.h"

#include <QString>
#include <QStringList>

namespace lockstep {

/// What hovering over an event says: its name, then a few plain lines.
struct EventText {
    QString title;
    QStringList lines;
};

[[nodiscard]] EventText hoverText(const ShownRun& shown, EventRef event);

} // namespace lockstep
