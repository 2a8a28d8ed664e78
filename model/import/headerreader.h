#pragma once

#include "model/trace/header.h"
#include "model/trace/importreport.h"

#include <cstdint>
#include <string_view>

namespace lockstep {

/// Takes one member of the trace's outer object (`"key": value` as text) into `header`; what cannot be read
/// is warned of, with `offset`.
void readHeaderMember(std::string_view member, std::uint64_t offset, TraceHeader& header,
                      ImportReport& report);

} // namespace lockstep
