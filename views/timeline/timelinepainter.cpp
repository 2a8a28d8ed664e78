#include "views/timeline/timelinepainter.h"

#include "views/common/colouring.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/timeline/columnstrip.h"
#include "views/timeline/stallparts.h"

#include <QPainter>
#include <QSemaphore>
#include <algorithm>
#include <atomic>
#include <cmath>

namespace lockstep {

namespace {
constexpr int kNamedWidth = 22;    ///< bars narrower than this have no name
constexpr int kSeparatedWidth = 3; ///< bars this wide leave a pixel free on their right
constexpr int kTextMargin = 3;
constexpr int kSplitWidth = 5; ///< collectives narrower than this are not drawn in parts

constexpr std::size_t kRowsATask = 4; ///< fewer are not worth a thread
constexpr int kHitMark = 3;           ///< height of the mark above a found event

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
    m_colouring = nullptr;
    m_search = nullptr;
    m_rows.clear();
}

void TimelinePainter::setColouring(std::shared_ptr<const Colouring> colouring) {
    m_colouring = std::move(colouring);
    forgetRows();
}

void TimelinePainter::setSearch(std::shared_ptr<const SearchResult> search) {
    m_search = std::move(search);
    forgetRows();
}

void TimelinePainter::forgetRows() {
    for (PreparedRow& row : m_rows)
        row.ready = false;
}

void TimelinePainter::setFont(const QFont& font) {
    m_text = BarText(font);
}

void TimelinePainter::prepare(const TrackList& tracks, const Palette& palette, TimeRange range, int width,
                              int firstRow, int lastRow) {
    const LaneColours colours = LaneColours::of(palette);
    if (range != m_range || width != m_width || tracks.version() != m_version || colours != m_colours ||
        m_rows.size() != tracks.rows().size()) {
        m_range = range;
        m_width = width;
        m_version = tracks.version();
        m_colours = colours;
        m_rows.resize(tracks.rows().size());
        forgetRows();
    }
    m_firstRow = std::max(firstRow, 0);
    m_lastRow = std::min(lastRow, static_cast<int>(m_rows.size()));
    std::vector<std::size_t> missing;
    for (int i = m_firstRow; i < m_lastRow; ++i)
        if (!m_rows[static_cast<std::size_t>(i)].ready)
            missing.push_back(static_cast<std::size_t>(i));
    prepareRows(tracks, missing);
}

void TimelinePainter::prepareRows(const TrackList& tracks, const std::vector<std::size_t>& rows) {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        ColumnStrip strip;
        for (std::size_t i = next++; i < rows.size(); i = next++)
            prepareRow(tracks, tracks.rows()[rows[i]], m_rows[rows[i]], strip);
    };
    const auto helpers =
        std::min<std::size_t>(rows.size() / kRowsATask, static_cast<std::size_t>(m_threads.maxThreadCount()));
    QSemaphore done;
    int started = 0;
    for (std::size_t i = 1; i < helpers; ++i)
        started += m_threads.tryStart([&] {
            work();
            done.release();
        })
                       ? 1
                       : 0;
    work();
    done.acquire(started);
}

void TimelinePainter::prepareRow(const TrackList& tracks, const TrackRow& row, PreparedRow& prepared,
                                 ColumnStrip& strip) const {
    prepared.ready = true;
    prepared.rank = row.rank;
    prepared.top = row.top;
    prepared.height = row.height;
    prepared.reference = row.reference;
    prepared.shift = row.reference ? tracks.reference()->shift : 0;
    const ShownRank& rank = m_shown->ranks[row.rank];
    std::vector<LaneId> lanes;
    if (row.kind == TrackRow::Kind::Summary)
        lanes = summaryLanes(*rank.trace);
    else if (row.kind == TrackRow::Kind::Lane)
        lanes.push_back(row.lane);
    prepared.lanes.resize(lanes.size());
    prepared.columns = {};
    prepared.hits.clear();
    if (lanes.empty())
        return;
    strip.begin(m_width, static_cast<double>(m_range.length()) / std::max(m_width, 1));
    const TimeRange own = rank.toOwn({m_range.begin + prepared.shift, m_range.end + prepared.shift});
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        prepared.lanes[i].lane = lanes[i];
        visibleSpans(rank.trace->events, rank.trace->lanes[lanes[i].index()],
                     (*rank.pyramids)[lanes[i].index()], own, m_width, prepared.lanes[i].spans);
        if (row.reference)
            cutToStep(*tracks.reference(), row.rank, prepared.lanes[i].spans);
        addColumns(row.rank, prepared.lanes[i], strip);
    }
    prepared.columns = strip.picture(row.height - 2, m_colours);
    if (m_search)
        findHits(prepared);
}

void TimelinePainter::cutToStep(const ReferenceStep& step, std::size_t rank, std::vector<Span>& spans) const {
    const TimeRange range = rank < step.ranges.size() ? step.ranges[rank] : TimeRange{};
    const double perPixel = static_cast<double>(m_range.length()) / m_width;
    const auto pixel = [&](TimeNs at) {
        return static_cast<double>(at - step.shift - m_range.begin) / perPixel;
    };
    std::erase_if(spans, [left = pixel(range.begin), right = pixel(range.end)](const Span& span) {
        return span.right <= left || span.left >= right;
    });
}

EventClass TimelinePainter::classOf(std::size_t rank, EventId event) const {
    if (m_colouring)
        return m_colouring->ranks[rank]->classes[event.index()];
    return {static_cast<std::uint8_t>(roleOf(*m_shown, rank, event)), 0};
}

void TimelinePainter::addColumns(std::size_t rank, const LaneSpans& lane, ColumnStrip& strip) const {
    const EventStore& events = m_shown->ranks[rank].trace->events;
    const RankColours* colours = m_colouring ? m_colouring->ranks[rank].get() : nullptr;
    const LaneMix* mix = colours ? &colours->mixes[lane.lane.index()] : nullptr;
    for (const Span& span : lane.spans) {
        if (span.right - span.left >= kSeparatedWidth)
            continue;
        LaneMix::Times times{};
        if (mix && !mix->empty()) {
            times = mix->timesOf(events, colours->classes, span.first, span.first + span.count);
        } else {
            times[classOf(rank, span.event).own] = events.duration(span.event);
        }
        // Something is there, even if it took no time.
        if (std::all_of(times.begin(), times.end(), [](TimeNs time) {
                return time == 0;
            }))
            times[classOf(rank, span.event).own] = 1;
        strip.add(span.left, span.right, times);
    }
}

void TimelinePainter::findHits(PreparedRow& prepared) const {
    if (prepared.rank >= m_search->byRank.size())
        return;
    const std::vector<EventId>& found = m_search->byRank[prepared.rank];
    for (const LaneSpans& lane : prepared.lanes)
        for (const Span& span : lane.spans) {
            const auto at = std::lower_bound(found.begin(), found.end(), EventId{span.first});
            if (at != found.end() && at->value < span.first + span.count)
                prepared.hits.emplace_back(span.left, span.right);
        }
}

void TimelinePainter::paint(QPainter& painter, const Palette& palette, QPoint origin) const {
    for (int i = m_firstRow; i < m_lastRow; ++i) {
        const PreparedRow& row = m_rows[static_cast<std::size_t>(i)];
        if (row.reference)
            painter.fillRect(origin.x(), origin.y() + row.top - 1, m_width, row.height, palette.shade);
        if (!row.columns.isNull())
            painter.drawImage(origin + QPoint(0, row.top), row.columns);
        for (const LaneSpans& lane : row.lanes)
            paintLane(painter, palette, row, lane, origin);
        for (const auto& [left, right] : row.hits)
            painter.fillRect(origin.x() + left, origin.y() + row.top - 1, std::max(2, right - left - 1),
                             kHitMark, palette.accent);
    }
}

void TimelinePainter::paintLane(QPainter& painter, const Palette& palette, const PreparedRow& row,
                                const LaneSpans& lane, QPoint origin) const {
    const RankTrace& trace = *m_shown->ranks[row.rank].trace;
    const int top = origin.y() + row.top;
    const int height = row.height - 2;
    const double baseline = top + std::round((height + m_text.ascent() - m_text.descent()) / 2);
    const PixelTimes times{m_range.begin + row.shift, static_cast<double>(m_range.length()) / m_width,
                           origin.x()};
    for (const Span& span : lane.spans) {
        const int width = span.right - span.left;
        if (width < kSeparatedWidth)
            continue;
        const EventClass which = classOf(row.rank, span.event);
        const QRect bar(origin.x() + span.left, top, width - 1, height);
        const bool muted = which.own == Colouring::kMutedClass;
        if (width >= kSplitWidth && !muted &&
            paintCollective(painter, palette, {row.rank, span.event}, roleOfClass(which.own), bar, baseline,
                            times))
            continue;
        const QColor fill = QColor::fromRgb(m_colours.fill[which.own]);
        painter.fillRect(bar, fill);
        if (which.own == static_cast<std::uint8_t>(ColourRole::DtypeCast)) {
            // Yellow on white needs an edge.
            painter.setPen(palette.mutedText);
            painter.drawRect(bar.adjusted(0, 0, -1, -1));
        }
        if (width >= kNamedWidth && height >= m_text.ascent())
            paintName(painter, muted ? palette.canvas : fill, trace, span.event, bar, baseline);
    }
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
                                      ColourRole role, QRect bar, double baseline,
                                      const PixelTimes& times) const {
    const std::optional<StallParts> parts = stallPartsOf(*m_shown, event);
    if (!parts)
        return false;
    const auto pixel = [&](TimeNs time) {
        const double at = static_cast<double>(time - times.begin) / times.nsPerPixel;
        return std::clamp(times.left + static_cast<int>(std::floor(std::clamp(at, -1.0, m_width + 1.0))),
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
    if (bar.height() < m_text.ascent())
        return true;
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
