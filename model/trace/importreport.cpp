#include "model/trace/importreport.h"

#include <algorithm>

namespace lockstep {

void ImportReport::warn(std::string_view code, std::string_view message,
                        std::optional<std::uint64_t> offset) {
    const auto at = std::find_if(warnings.begin(), warnings.end(), [&](const auto& w) {
        return w.code == code;
    });
    if (at != warnings.end())
        ++at->count;
    else
        warnings.push_back({std::string(code), std::string(message), 1, offset});
}

} // namespace lockstep
