#include "views/timeline/lanecolours.h"

#include "views/common/colouring.h"
#include "views/common/palette.h"

#include <QColor>
#include <cmath>

namespace lockstep {

namespace {

constexpr double kWaitingFill = 0.18; ///< opacity below the hatching
constexpr double kMutedFill = 0.22;   ///< of what the filters leave out

QRgb blended(const QColor& colour, const QColor& ground, double part) {
    const auto channel = [&](int over, int under) {
        return static_cast<int>(std::lround(over * part + under * (1 - part)));
    };
    return qRgb(channel(colour.red(), ground.red()), channel(colour.green(), ground.green()),
                channel(colour.blue(), ground.blue()));
}

} // namespace

LaneColours LaneColours::of(const Palette& palette) {
    LaneColours colours;
    for (std::size_t role = 0; role < kColourRoles; ++role)
        colours.fill[role] = palette.roles[role].rgb();
    const QColor& waiting = palette.of(ColourRole::Waiting);
    colours.hatch = waiting.rgb();
    colours.fill[static_cast<std::size_t>(ColourRole::Waiting)] =
        blended(waiting, palette.canvas, kWaitingFill);
    colours.fill[Colouring::kMutedClass] =
        blended(palette.of(ColourRole::EverythingElse), palette.canvas, kMutedFill);
    return colours;
}

} // namespace lockstep
