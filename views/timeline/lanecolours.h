#pragma once

#include "model/layout/lanemix.h"

#include <QRgb>
#include <array>

namespace lockstep {

struct Palette;

/// The colours that the classes of a Colouring have on the canvas of a palette, opaque.
struct LaneColours {
    std::array<QRgb, LaneMix::kClasses> fill{};
    QRgb hatch = 0; ///< the lines over the fill of waiting

    [[nodiscard]] static LaneColours of(const Palette& palette);
    friend bool operator==(const LaneColours&, const LaneColours&) = default;
};

} // namespace lockstep
