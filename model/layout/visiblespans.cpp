#include "model/layout/visiblespans.h"

#include <algorithm>
#include <cmath>

namespace lockstep {

namespace {

/// Linear map of a time range to pixel columns. Doubles hold the differences exactly for ranges under 104
/// days.
class Columns {
public:
    Columns(TimeRange range, int width)
        : m_range(range)
        , m_width(width)
        , m_pixelsPerNs(width / static_cast<double>(range.length())) {}

    [[nodiscard]] int columnOf(TimeNs time) const {
        const double column = std::floor(static_cast<double>(time - m_range.begin) * m_pixelsPerNs);
        return static_cast<int>(std::clamp(column, 0.0, static_cast<double>(m_width)));
    }
    /// The first moment that lies right of column `column`.
    [[nodiscard]] TimeNs endOf(int column) const {
        return m_range.begin + static_cast<TimeNs>(std::ceil((column + 1) / m_pixelsPerNs));
    }
    [[nodiscard]] bool fillsPixel(TimeNs duration) const {
        return static_cast<double>(duration) * m_pixelsPerNs >= 1.0;
    }

private:
    TimeRange m_range;
    int m_width;
    double m_pixelsPerNs;
};

/// The first index in [at, last) whose begin is at or after `time`, found by steps that double: most are
/// near.
std::size_t gallopTo(std::span<const TimeNs> begins, std::size_t at, std::size_t last, TimeNs time) {
    std::size_t step = 1;
    std::size_t low = at;
    while (at + step < last && begins[at + step] < time) {
        low = at + step;
        step *= 2;
    }
    const std::size_t high = std::min(last, at + step + 1);
    const auto begin = begins.begin();
    return static_cast<std::size_t>(std::lower_bound(begin + static_cast<std::ptrdiff_t>(low),
                                                     begin + static_cast<std::ptrdiff_t>(high), time) -
                                    begin);
}

/// Adds `span` right of the last one; where that holds its pixels already, the longer event stays.
void place(const EventStore& events, Span span, std::vector<Span>& into) {
    if (!into.empty() && span.left < into.back().right) {
        Span& before = into.back();
        span.left = before.right;
        if (span.left >= span.right) {
            before.count = span.first + span.count - before.first;
            if (events.duration(span.event) > events.duration(before.event))
                before.event = span.event;
            return;
        }
    }
    into.push_back(span);
}

} // namespace

void visibleSpans(const EventStore& events, const Lane& lane, const LanePyramid& pyramid, TimeRange range,
                  int width, std::vector<Span>& into) {
    into.clear();
    if (width <= 0 || range.empty() || lane.count == 0)
        return;
    const Columns columns(range, width);
    const std::span<const TimeNs> begins = events.begins();
    const std::span<const TimeNs> durations = events.durations();
    const auto indexOf = [&](TimeNs time) {
        const auto first = begins.begin() + static_cast<std::ptrdiff_t>(lane.beginIndex());
        const auto last = begins.begin() + static_cast<std::ptrdiff_t>(lane.endIndex());
        return static_cast<std::size_t>(std::lower_bound(first, last, time) - begins.begin());
    };
    std::size_t at = indexOf(range.begin);
    const std::size_t last = indexOf(range.end);
    if (at > lane.beginIndex() && begins[at - 1] + durations[at - 1] > range.begin)
        --at;
    while (at < last) {
        const int left = std::min(columns.columnOf(begins[at]), width - 1);
        const auto index = static_cast<std::uint32_t>(at);
        if (columns.fillsPixel(durations[at])) {
            const int right = std::max(left + 1, columns.columnOf(begins[at] + durations[at]));
            place(events, {left, std::min(right, width), EventId{index}, index, 1}, into);
            ++at;
            continue;
        }
        std::size_t next = std::max(at + 1, gallopTo(begins, at, last, columns.endOf(left)));
        // Only the last event of a column can be wide: the others end before it begins.
        if (next - at > 1 && columns.fillsPixel(durations[next - 1]))
            --next;
        place(
            events,
            {left, left + 1, pyramid.longest(events, at, next), index, static_cast<std::uint32_t>(next - at)},
            into);
        at = next;
    }
}

const Span* spanAt(const std::vector<Span>& spans, int x, int slop) {
    const auto after = std::upper_bound(spans.begin(), spans.end(), x, [](int at, const Span& span) {
        return at < span.left;
    });
    const Span* best = nullptr;
    int bestDistance = slop + 1;
    const auto consider = [&](const Span& span) {
        const int distance = x < span.left ? span.left - x : std::max(0, x - span.right + 1);
        if (distance < bestDistance) {
            best = &span;
            bestDistance = distance;
        }
    };
    if (after != spans.begin())
        consider(*(after - 1));
    if (after != spans.end())
        consider(*after);
    return best;
}

} // namespace lockstep
