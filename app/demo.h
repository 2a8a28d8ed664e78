#pragma once

#include <QString>

namespace lockstep {

/// The folder of the demo run: beside an installed program, else in the source tree; empty where there is
/// none.
[[nodiscard]] QString demoFolder();

} // namespace lockstep
