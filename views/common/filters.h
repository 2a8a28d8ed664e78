#pragma once

#include "model/core/timerange.h"

#include <QString>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace lockstep {

struct CategorySet;

/// What is left in all views: an empty set filters nothing out.
struct Filters {
    std::optional<TimeRange> range;    ///< on the run's clock
    std::set<int> ranks;               ///< rank numbers
    std::set<std::uint8_t> categories; ///< indices into CategorySet::categories
    std::set<std::int64_t> streams;
    bool decodeOnly = false;

    [[nodiscard]] bool any() const {
        return range || !ranks.empty() || !categories.empty() || !streams.empty() || decodeOnly;
    }
    [[nodiscard]] bool passesRank(int rank) const { return ranks.empty() || ranks.contains(rank); }
    [[nodiscard]] bool passesCategory(std::uint8_t category) const {
        return categories.empty() || categories.contains(category);
    }
    [[nodiscard]] bool passesStream(std::int64_t stream) const {
        return streams.empty() || streams.contains(stream);
    }
    friend bool operator==(const Filters&, const Filters&) = default;
};

/// One filter as a chip shows it.
struct FilterChip {
    enum class Kind : std::uint8_t { Range, Ranks, Categories, Streams, DecodeOnly };
    Kind kind = Kind::Range;
    QString text;
};

/// A chip for each filter that is set; times are said since `origin`. `set` may be null.
[[nodiscard]] std::vector<FilterChip> chipsOf(const Filters& filters, TimeNs origin, const CategorySet* set);
/// `filters` without the one of `kind`.
[[nodiscard]] Filters without(Filters filters, FilterChip::Kind kind);
/// Numbers as people list them: "0–3, 6".
[[nodiscard]] QString numbersText(const std::vector<std::int64_t>& ascending);

} // namespace lockstep
