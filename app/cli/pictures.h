#pragma once

#include "model/core/result.h"

#include <string>
#include <string_view>

namespace lockstep::cli {

/// The file's ending in lower case, without its dot.
[[nodiscard]] std::string endingOf(std::string_view path);

/// Where the `lockstep` program is: beside this one, else on the PATH; empty where it is not installed.
[[nodiscard]] std::string pictureProgram();

/// Has `lockstep`, started without a display, draw the SVG text as PNG or PDF into `file`. `scale`: pixels of
/// a PNG for one of the picture. Errors: the program is not installed, or could not draw.
[[nodiscard]] Result<void> drawPicture(const std::string& svg, const std::string& file, double scale);

} // namespace lockstep::cli
