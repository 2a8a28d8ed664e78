#include "views/common/filters.h"

#include "model/analysis/categoryrules.h"
#include "views/common/format.h"

#include <QStringList>

namespace lockstep {

namespace {

/// A group whose categories are all chosen by its name, the others one by one.
QString categoriesText(const std::set<std::uint8_t>& chosen, const CategorySet* set) {
    if (!set)
        return countedText(chosen.size(), QStringLiteral("category"), QStringLiteral("categories"));
    QStringList names;
    for (std::size_t group = 0; group < set->groups.size(); ++group) {
        QStringList own;
        bool whole = true;
        for (std::size_t i = 0; i < set->categories.size(); ++i) {
            if (set->categories[i].group != group)
                continue;
            if (chosen.contains(static_cast<std::uint8_t>(i)))
                own << traceText(set->categories[i].label);
            else
                whole = false;
        }
        if (own.isEmpty())
            continue;
        names << (whole ? QStringList{traceText(set->groups[group].label)} : own);
    }
    return names.size() <= 2
               ? names.join(QStringLiteral(", "))
               : countedText(chosen.size(), QStringLiteral("category"), QStringLiteral("categories"));
}

} // namespace

QString numbersText(const std::vector<std::int64_t>& ascending) {
    QStringList parts;
    for (std::size_t i = 0; i < ascending.size();) {
        std::size_t last = i;
        while (last + 1 < ascending.size() && ascending[last + 1] == ascending[last] + 1)
            ++last;
        parts << (last == i       ? QString::number(ascending[i])
                  : last == i + 1 ? QStringLiteral("%1, %2").arg(ascending[i]).arg(ascending[last])
                                  : QStringLiteral("%1–%2").arg(ascending[i]).arg(ascending[last]));
        i = last + 1;
    }
    return parts.join(QStringLiteral(", "));
}

std::vector<FilterChip> chipsOf(const Filters& filters, TimeNs origin, const CategorySet* set) {
    std::vector<FilterChip> chips;
    if (filters.range)
        chips.push_back({FilterChip::Kind::Range, durationText(filters.range->begin - origin) +
                                                      QStringLiteral(" – ") +
                                                      durationText(filters.range->end - origin)});
    if (!filters.ranks.empty())
        chips.push_back({FilterChip::Kind::Ranks,
                         (filters.ranks.size() == 1 ? QStringLiteral("rank ") : QStringLiteral("ranks ")) +
                             numbersText({filters.ranks.begin(), filters.ranks.end()})});
    if (!filters.categories.empty())
        chips.push_back({FilterChip::Kind::Categories, categoriesText(filters.categories, set)});
    if (!filters.streams.empty())
        chips.push_back(
            {FilterChip::Kind::Streams,
             (filters.streams.size() == 1 ? QStringLiteral("stream ") : QStringLiteral("streams ")) +
                 numbersText({filters.streams.begin(), filters.streams.end()})});
    if (filters.decodeOnly)
        chips.push_back({FilterChip::Kind::DecodeOnly, QStringLiteral("decode steps only")});
    return chips;
}

Filters without(Filters filters, FilterChip::Kind kind) {
    switch (kind) {
    case FilterChip::Kind::Range:
        filters.range.reset();
        break;
    case FilterChip::Kind::Ranks:
        filters.ranks.clear();
        break;
    case FilterChip::Kind::Categories:
        filters.categories.clear();
        break;
    case FilterChip::Kind::Streams:
        filters.streams.clear();
        break;
    case FilterChip::Kind::DecodeOnly:
        filters.decodeOnly = false;
        break;
    }
    return filters;
}

} // namespace lockstep
