#include "model/core/intervals.h"

namespace lockstep {

std::vector<TimeRange> unionOf(std::vector<TimeRange> ranges) {
    std::erase_if(ranges, [](TimeRange r) {
        return r.empty();
    });
    std::sort(ranges.begin(), ranges.end(), [](TimeRange a, TimeRange b) {
        return a.begin < b.begin;
    });
    std::vector<TimeRange> merged;
    for (const TimeRange range : ranges) {
        if (!merged.empty() && range.begin <= merged.back().end)
            merged.back().end = std::max(merged.back().end, range.end);
        else
            merged.push_back(range);
    }
    return merged;
}

TimeNs lengthOf(std::span<const TimeRange> disjoint) {
    TimeNs total = 0;
    for (const TimeRange range : disjoint)
        total += range.length();
    return total;
}

std::vector<TimeRange> difference(std::span<const TimeRange> a, std::span<const TimeRange> b) {
    std::vector<TimeRange> left;
    std::size_t j = 0;
    for (TimeRange range : a) {
        while (j < b.size() && b[j].end <= range.begin)
            ++j;
        for (std::size_t k = j; k < b.size() && b[k].begin < range.end; ++k) {
            if (b[k].begin > range.begin)
                left.push_back({range.begin, b[k].begin});
            range.begin = std::max(range.begin, b[k].end);
        }
        if (!range.empty())
            left.push_back(range);
    }
    return left;
}

} // namespace lockstep
