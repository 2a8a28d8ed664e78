#include "model/core/result.h"

#include <fmt/format.h>

namespace lockstep {

std::string Error::toLine() const {
    if (file.empty())
        return message;
    if (offset)
        return fmt::format("{}: at byte {}: {}", file, *offset, message);
    return fmt::format("{}: {}", file, message);
}

} // namespace lockstep
