#pragma once

#include "model/analysis/runanalysis.h"

#include <memory>
#include <string>
#include <vector>

namespace lockstep::test {

/// The traces `<set>-rank0`, `-rank1` … in `folder`, loaded as one run; null where there are none.
[[nodiscard]] std::shared_ptr<const Run> loadSet(const std::string& folder, const std::string& set);
/// The folder of the captures with right answers; empty where it is absent.
[[nodiscard]] std::string sharedCaptures(const std::string& folder);

/// Begin and kernel count of each step on each rank, for comparing.
struct StepOutline {
    std::vector<TimeNs> begins;
    std::vector<TimeNs> ends;
    std::vector<std::uint32_t> kernels;
    friend bool operator==(const StepOutline&, const StepOutline&) = default;
};
[[nodiscard]] std::vector<StepOutline> outlineOf(const StepTable& steps);

/// Sums of waits, a rank each.
[[nodiscard]] std::vector<TimeNs> waitsOf(const RunAnalysis& analysis);

} // namespace lockstep::test
