#pragma once

#include "model/analysis/layerphase.h"
#include "model/analysis/namepattern.h"
#include "model/core/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// A group of categories, as the case study's table lists them.
struct CategoryGroup {
    std::string id;
    std::string label;
};

/// One category of GPU time; `tag` tells the parts of AllReduce apart ("nccl", "custom", "fused").
struct Category {
    std::string id;
    std::string label;
    std::uint8_t group = 0; ///< index into CategorySet::groups
    std::string tag;
    KernelRole role = KernelRole::None; ///< of kernels whose rule names no role of its own
};

/// All categories in the order of display; the last group is "everything_else".
struct CategorySet {
    static constexpr std::size_t kMaxCategories = 31;
    std::vector<CategoryGroup> groups;
    std::vector<Category> categories;

    [[nodiscard]] std::optional<std::uint8_t> find(std::string_view id) const;
    [[nodiscard]] std::optional<std::uint8_t> findGroup(std::string_view id) const;
    [[nodiscard]] const CategoryGroup& groupOf(std::uint8_t category) const {
        return groups[categories[category].group];
    }
    /// All-reduce, all-to-all or another collective.
    [[nodiscard]] bool communicates(std::uint8_t category) const;
    /// In the AllReduce group.
    [[nodiscard]] bool allReduce(std::uint8_t category) const;
};

enum class ActivityKind : std::uint8_t { Kernel, Copy, Memset };

/// One rule: all conditions that it has must hold.
struct CategoryRule {
    enum class Phase : std::uint8_t { Any, Moe, MoeGeneric };

    std::string id;
    std::uint8_t category = 0;
    ActivityKind kind = ActivityKind::Kernel;
    std::optional<NamePattern> name;
    std::optional<NamePattern> notName;
    std::optional<NamePattern> op;         ///< the CPU op that launched it; not asked inside a graph replay
    std::optional<NamePattern> collective; ///< `Collective name` of its metadata
    Phase phase = Phase::Any;
    std::optional<KernelRole> next;         ///< what decides next on its stream
    std::optional<KernelRole> nextSelector; ///< likewise, with a top-k in between
    bool afterAttention = false;
    std::optional<KernelRole> role; ///< what such kernels tell about the layer; else their category's
    std::string why;
    bool user = false; ///< from a user's file

    /// Whether more than the name must be looked at.
    [[nodiscard]] bool conditional() const {
        return op || collective || phase != Phase::Any || next || nextSelector || afterAttention;
    }
};

/// The categories, and the ordered rules that assign them: the first that matches wins.
struct CategoryRules {
    CategorySet set;
    std::vector<CategoryRule> rules;
    std::uint8_t unclassified = 0; ///< what no rule matches

    /// The rules in `resources/categories.json`.
    [[nodiscard]] static Result<CategoryRules> builtin();
    /// Rules from the text of a file of the same form; `name` is for errors.
    [[nodiscard]] static Result<CategoryRules> parse(std::string_view text, const std::string& name);
    /// These rules with a user's over them: the user's rules come first; a rule or category of the same id
    /// replaces the one it names (a rule in its new place); ids in "disable" are dropped.
    [[nodiscard]] Result<CategoryRules> extendedBy(std::string_view text, const std::string& name) const;
    /// The built-in rules, extended by the file at `path` if it is not empty.
    [[nodiscard]] static Result<CategoryRules> load(const std::string& path);
};

} // namespace lockstep
