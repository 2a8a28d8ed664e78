#pragma once

#include "model/core/result.h"

#include <QString>

namespace lockstep {

/// An error as one sentence for people: what is wrong, in which file and where, and what to do.
[[nodiscard]] QString errorText(const Error& error);

} // namespace lockstep
