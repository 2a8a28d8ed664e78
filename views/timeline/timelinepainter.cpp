#include "views/timeline/timelinepainter.h"

#include "views/common/colouring.h"
#include "views/common/format.h"
#include "views/common/palette.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace lockstep {

namespace {
constexpr int kNamedWidth = 22;    ///< bars narrower than this have no name
constexpr int kSeparatedWidth = 3; ///< bars this wide leave a pixel free on their right
constexpr int kTextMargin = 3;
} // namespace

std::vector<LaneId> summaryLanes(const RankTrace& trace) {
    std::vector<LaneId> lanes;
    for (std::size_t i = 0; i < trace.lanes.size(); ++i)
        if (trace.tracks[trace.lanes[i].track.index()].kind == TrackKind::GpuStream)
            lanes.push_back(LaneId{i});
    return lanes;
}

void TimelinePainter::setShown(std::shared_ptr<const ShownRun> shown) {
    m_shown = std::move(shown);
    m_rows.clear();
    m_roleOf = [run = m_shown](std::size_t rank, EventId event) {
        return roleOfKind(run->ranks[rank].trace->events.kind(event));
    };
}

void TimelinePainter::setRoles(RoleOf roleOf) {
    m_roleOf = std::move(roleOf);
}

void TimelinePainter::setFont(const QFont& font) {
    m_text = BarText(font);
}

void TimelinePainter::prepare(const TrackList& tracks, TimeRange range, int width, int firstRow,
                              int lastRow) {
    if (range != m_range || width != m_width || tracks.version() != m_version ||
        m_rows.size() != tracks.rows().size()) {
        m_range = range;
        m_width = width;
        m_version = tracks.version();
        m_rows.resize(tracks.rows().size());
        for (PreparedRow& row : m_rows)
            row.ready = false;
    }
    m_firstRow = std::max(firstRow, 0);
    m_lastRow = std::min(lastRow, static_cast<int>(m_rows.size()));
    for (int i = m_firstRow; i < m_lastRow; ++i) {
        PreparedRow& row = m_rows[static_cast<std::size_t>(i)];
        if (!row.ready)
            prepareRow(tracks.rows()[static_cast<std::size_t>(i)], row);
    }
}

void TimelinePainter::prepareRow(const TrackRow& row, PreparedRow& prepared) {
    prepared.ready = true;
    prepared.rank = row.rank;
    prepared.top = row.top;
    prepared.height = row.height;
    const ShownRank& rank = m_shown->ranks[row.rank];
    std::vector<LaneId> lanes;
    if (row.kind == TrackRow::Kind::Summary)
        lanes = summaryLanes(*rank.trace);
    else if (row.kind == TrackRow::Kind::Lane)
        lanes.push_back(row.lane);
    prepared.lanes.resize(lanes.size());
    const TimeRange own = rank.toOwn(m_range);
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        prepared.lanes[i].lane = lanes[i];
        visibleSpans(rank.trace->events, rank.trace->lanes[lanes[i].index()],
                     (*rank.pyramids)[lanes[i].index()], own, m_width, prepared.lanes[i].spans);
    }
}

void TimelinePainter::paint(QPainter& painter, const Palette& palette, QPoint origin) const {
    for (int i = m_firstRow; i < m_lastRow; ++i) {
        const PreparedRow& row = m_rows[static_cast<std::size_t>(i)];
        for (const LaneSpans& lane : row.lanes)
            paintLane(painter, palette, row, lane, origin);
    }
}

void TimelinePainter::paintLane(QPainter& painter, const Palette& palette, const PreparedRow& row,
                                const LaneSpans& lane, QPoint origin) const {
    const RankTrace& trace = *m_shown->ranks[row.rank].trace;
    const int top = origin.y() + row.top;
    const int height = row.height - 2;
    const double baseline = top + std::round((height + m_text.ascent() - m_text.descent()) / 2);
    // Neighbouring columns of one colour go into one rectangle.
    int left = 0;
    int right = 0;
    ColourRole role = ColourRole::Other;
    const auto flush = [&] {
        if (right > left)
            painter.fillRect(origin.x() + left, top, right - left, height, palette.of(role));
        left = right;
    };
    for (const Span& span : lane.spans) {
        const ColourRole own = m_roleOf(row.rank, span.event);
        const int width = span.right - span.left;
        if (span.left != right || own != role || width >= kSeparatedWidth) {
            flush();
            left = span.left;
            role = own;
        }
        right = width >= kSeparatedWidth ? span.right - 1 : span.right;
        if (width >= kSeparatedWidth) {
            flush();
            right = span.right;
            left = right;
        }
        if (width >= kNamedWidth) {
            painter.setPen(Palette::textOn(palette.of(own)));
            const std::string_view name = trace.name(span.event);
            const bool kernel = trace.events.kind(span.event) == EventKind::Kernel;
            m_text.draw(painter, kernel ? shortName(name) : name, origin.x() + span.left + kTextMargin,
                        baseline, width - 2 * kTextMargin);
        }
    }
    flush();
}

EventRef TimelinePainter::eventAt(int row, int x, int slop) const {
    if (row < m_firstRow || row >= m_lastRow)
        return {};
    const PreparedRow& prepared = m_rows[static_cast<std::size_t>(row)];
    // The lane drawn last lies on top; an exact hit on any goes before a near miss.
    for (const int within : {0, slop})
        for (auto lane = prepared.lanes.rbegin(); lane != prepared.lanes.rend(); ++lane)
            if (const Span* span = spanAt(lane->spans, x, within))
                return {prepared.rank, span->event};
    return {};
}

QRect TimelinePainter::rectOf(const TrackList& tracks, EventRef event) const {
    if (!event.valid() || !m_shown || event.rank >= m_shown->ranks.size() || m_width <= 0)
        return {};
    const ShownRank& rank = m_shown->ranks[event.rank];
    const int index = tracks.rowOf(event.rank, rank.trace->events.lane(event.event));
    if (index < 0)
        return {};
    const TrackRow& row = tracks.rows()[static_cast<std::size_t>(index)];
    const TimeRange range = rank.toRun(rank.trace->events.range(event.event));
    const double perPixel = static_cast<double>(m_range.length()) / m_width;
    const auto pixel = [&](TimeNs time) {
        const double at = static_cast<double>(time - m_range.begin) / perPixel;
        return static_cast<int>(std::floor(std::clamp(at, -10.0, m_width + 10.0)));
    };
    const int left = pixel(range.begin);
    const int right = std::max(pixel(range.end), left + 1);
    if (right < 0 || left > m_width)
        return {};
    return {left, row.top, right - left, row.height - 2};
}

} // namespace lockstep
