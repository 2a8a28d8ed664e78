#include "views/timeline/timelinepainter.h"

#include "views/common/colouring.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/timeline/stallparts.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace lockstep {

namespace {
constexpr int kNamedWidth = 22;    ///< bars narrower than this have no name
constexpr int kSeparatedWidth = 3; ///< bars this wide leave a pixel free on their right
constexpr int kTextMargin = 3;
constexpr int kSplitWidth = 5; ///< collectives narrower than this are not drawn in parts

/// Fills with a role's colour; waiting is hatched, so that it is told from work without colour too.
void fillColumns(QPainter& painter, const Palette& palette, ColourRole role, QRect area) {
    const QColor& colour = palette.of(role);
    if (role != ColourRole::Waiting) {
        painter.fillRect(area, colour);
        return;
    }
    QColor fill = colour;
    fill.setAlphaF(0.18F);
    painter.fillRect(area, fill);
    painter.fillRect(area, QBrush(colour, Qt::BDiagPattern));
}

} // namespace

std::vector<LaneId> summaryLanes(const RankTrace& trace) {
    std::vector<LaneId> lanes;
    for (std::size_t i = 0; i < trace.lanes.size(); ++i)
        if (trace.tracks[trace.lanes[i].track.index()].kind == TrackKind::GpuStream)
            lanes.push_back(LaneId{i});
    // What overlaps lies below: a stream's first lane holds its long kernels, collectives among them.
    std::stable_sort(lanes.begin(), lanes.end(), [&](LaneId a, LaneId b) {
        return trace.lanes[a.index()].depth > trace.lanes[b.index()].depth;
    });
    return lanes;
}

void TimelinePainter::setShown(std::shared_ptr<const ShownRun> shown) {
    m_shown = std::move(shown);
    m_rows.clear();
    m_roleOf = [run = m_shown](std::size_t rank, EventId event) {
        return roleOf(*run, rank, event);
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
            fillColumns(painter, palette, role, QRect(origin.x() + left, top, right - left, height));
        left = right;
    };
    for (const Span& span : lane.spans) {
        const int width = span.right - span.left;
        ColourRole own = m_roleOf(row.rank, span.event);
        if (width < kSplitWidth && waitsMostly(*m_shown, {row.rank, span.event}))
            own = ColourRole::Waiting;
        if (span.left != right || own != role || width >= kSeparatedWidth) {
            flush();
            left = span.left;
            role = own;
        }
        if (width < kSeparatedWidth) {
            right = span.right;
            continue;
        }
        const QRect bar(origin.x() + span.left, top, width - 1, height);
        left = right = span.right;
        if (width >= kSplitWidth &&
            paintCollective(painter, palette, {row.rank, span.event}, own, bar, baseline, origin.x()))
            continue;
        fillColumns(painter, palette, own, bar);
        if (width >= kNamedWidth)
            paintName(painter, palette.of(own), trace, span.event, bar, baseline);
    }
    flush();
}

void TimelinePainter::paintName(QPainter& painter, const QColor& ground, const RankTrace& trace,
                                EventId event, QRect bar, double baseline) const {
    const std::string_view name = trace.name(event);
    const bool kernel = trace.events.kind(event) == EventKind::Kernel;
    painter.setPen(Palette::textOn(ground));
    m_text.draw(painter, kernel ? shortName(name) : name, bar.left() + kTextMargin, baseline,
                bar.width() - 2 * kTextMargin + 1);
}

bool TimelinePainter::paintCollective(QPainter& painter, const Palette& palette, EventRef event,
                                      ColourRole role, QRect bar, double baseline, int left) const {
    const std::optional<StallParts> parts = stallPartsOf(*m_shown, event);
    if (!parts)
        return false;
    const double perPixel = static_cast<double>(m_range.length()) / m_width;
    const auto pixel = [&](TimeNs time) {
        const double at = static_cast<double>(time - m_range.begin) / perPixel;
        return std::clamp(left + static_cast<int>(std::floor(std::clamp(at, -1.0, m_width + 1.0))),
                          bar.left(), bar.right() + 1);
    };
    const int arrival = pixel(parts->arrival);
    const int released = pixel(parts->released);
    const QColor& solid = palette.of(role);
    QColor fill = solid;
    fill.setAlphaF(0.18F);
    painter.fillRect(QRect(bar.left(), bar.top(), released - bar.left(), bar.height()), fill);
    // Hatched, so that waiting is told from work without colour too; an early start before the arrival is
    // not.
    painter.fillRect(QRect(arrival, bar.top(), released - arrival, bar.height()),
                     QBrush(solid, Qt::BDiagPattern));
    const QRect transfer(released, bar.top(), bar.right() + 1 - released, bar.height());
    painter.fillRect(transfer, solid);
    const CollectiveTable& collectives = m_shown->analysis->collectives;
    const std::optional<std::uint32_t> index = m_shown->ranks[event.rank].collectiveOf(event.event);
    const std::string_view name =
        abbreviationOf(collectives.groups[collectives.matched[index.value_or(0)].group].kind);
    if (transfer.width() >= kNamedWidth) {
        painter.setPen(Palette::textOn(solid));
        m_text.draw(painter, name, transfer.left() + kTextMargin, baseline, transfer.width() - kTextMargin);
    } else if (released - arrival >= kNamedWidth) {
        const double width = m_text.width(name) + 4;
        painter.fillRect(QRectF(bar.left() + 2, bar.top() + 2, width, bar.height() - 4), palette.canvas);
        painter.setPen(palette.text);
        m_text.draw(painter, name, bar.left() + 4, baseline, width);
    }
    return true;
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
