#pragma once

class QCustomPlot;

namespace lockstep {

struct Palette;

/// Gives a plot the program's colours and font; called anew when the theme changes.
void dress(QCustomPlot& plot, const Palette& palette);

} // namespace lockstep
