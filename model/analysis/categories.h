#pragma once

#include "model/analysis/categoryrules.h"
#include "model/core/ids.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

struct Run;
struct RunAnalysis;
struct StepTable;

/// The category of every GPU activity; per rank, parallel to RankActivities::events.
struct CategoryTable {
    static constexpr std::uint16_t kNoRule = 0xFFFF;
    std::vector<std::vector<std::uint8_t>> category;
    std::vector<std::vector<std::uint16_t>> rule; ///< index into CategoryRules::rules, or kNoRule
};

/// Which rule decided, and why, in a sentence.
struct CategoryVerdict {
    std::uint8_t category = 0;
    std::string ruleId; ///< empty: no rule matched
    std::string reason;
};

/// A kernel name that no rule matched.
struct UnmatchedName {
    StringId name;
    std::uint64_t count = 0;
    TimeNs totalNs = 0;
    double share = 0; ///< of the GPU time of all ranks, 0 to 1
};

/// Assigns every GPU activity its category. A kernel's name is looked at once; per activity only the
/// conditions of its few candidate rules are left.
[[nodiscard]] CategoryTable categorise(const Run& run, const StepTable& steps, const CategoryRules& rules);
[[nodiscard]] CategoryTable categorise(const RunAnalysis& analysis, const CategoryRules& rules);

/// Why activity `activity` of rank index `rank` has its category.
[[nodiscard]] CategoryVerdict verdictOf(const Run& run, const StepTable& steps, const CategoryRules& rules,
                                        std::size_t rank, std::uint32_t activity);
/// The verdict on a kernel that is known by name alone, as in a summary table.
[[nodiscard]] CategoryVerdict verdictOfName(const CategoryRules& rules, std::string_view kernelName);

/// The names in category "unclassified", longest total first.
[[nodiscard]] std::vector<UnmatchedName> unmatchedNames(const Run& run, const StepTable& steps,
                                                        const CategoryRules& rules,
                                                        const CategoryTable& table);
/// The category of each event of a rank by EventId; 0xFF where it is no GPU activity.
[[nodiscard]] std::vector<std::uint8_t> categoryByEvent(const Run& run, const StepTable& steps,
                                                        const CategoryTable& table, std::size_t rank);

} // namespace lockstep
