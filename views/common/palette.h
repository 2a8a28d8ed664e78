#pragma once

#include "views/common/colourrole.h"

#include <QColor>
#include <QPalette>
#include <array>

namespace lockstep {

/// The colours of one theme: Okabe–Ito for categories, told apart by all colour-blind eyes, and quiet ones
/// around.
struct Palette {
    std::array<QColor, kColourRoles> roles;
    QColor window; ///< behind panels and headers
    QColor canvas; ///< behind lanes and charts
    QColor text;
    QColor mutedText;
    QColor line;       ///< separators and grid
    QColor accent;     ///< selection and the current item
    QColor accentFill; ///< translucent, over the canvas
    QColor shade;      ///< a band behind every other step

    [[nodiscard]] const QColor& of(ColourRole role) const { return roles[static_cast<std::size_t>(role)]; }

    [[nodiscard]] static const Palette& light();
    [[nodiscard]] static const Palette& dark();
    /// The one that goes with a widget's palette: dark where its window is.
    [[nodiscard]] static const Palette& of(const QPalette& palette);
    /// Black or white, whichever reads better on `background`.
    [[nodiscard]] static QColor textOn(const QColor& background);
};

} // namespace lockstep
