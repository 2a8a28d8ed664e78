#pragma once

#include "model/core/result.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// A category group as the case study's team reported it.
struct ReportedGroup {
    std::string group; ///< its label
    double perStepMs = 0;
    double percent = 0;
};

/// What the case study reports of one model; never computed, never mixed with what is measured.
struct ReportedRun {
    std::string model; ///< as in resources/models
    std::string title;
    std::optional<double> tpotMs;
    std::optional<double> kernelSumMs;
    std::vector<ReportedGroup> breakdown;
    std::optional<double> castPercent;
    std::optional<double> hbmPercent;
    std::string remark;

    [[nodiscard]] const ReportedGroup* find(std::string_view groupLabel) const;
};

/// The reported runs in `resources/case_study.json`.
[[nodiscard]] Result<std::vector<ReportedRun>> reportedRuns();

} // namespace lockstep
