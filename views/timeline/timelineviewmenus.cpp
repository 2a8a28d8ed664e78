// The menus of a TimelineView, and the moving of ranks by their headers.
#include "views/common/format.h"
#include "views/timeline/hovercard.h"
#include "views/timeline/navigation.h"
#include "views/timeline/timelineview.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QRegularExpression>
#include <QScrollBar>
#include <algorithm>

namespace lockstep {

namespace {

/// A name in a menu: short, and with no letter taken for a shortcut.
QString menuText(std::string_view name) {
    constexpr qsizetype kLongest = 40;
    QString text = traceText(shortName(name));
    if (text.size() > kLongest)
        text = text.left(kLongest) + QStringLiteral("…");
    return text.replace(QLatin1Char('&'), QLatin1String("&&"));
}

} // namespace

void TimelineView::contextMenuEvent(QContextMenuEvent* event) {
    const ShownRun& shown = *m_state.shown();
    if (shown.ranks.empty())
        return;
    m_card->hide();
    const QPoint position = event->pos();
    const EventRef hit = eventAt(position);
    const int group = m_tracks.groupAt(position.y() + scrolled());
    const int row = m_tracks.rowAt(position.y() + scrolled());
    QMenu menu(this);
    if (hit.valid())
        addEventEntries(menu, hit);
    if (overLanes(position))
        addRangeEntries(menu);
    if (group >= 0)
        addRankEntries(menu, m_tracks.groups()[static_cast<std::size_t>(group)].rank);
    if (row >= 0 && m_tracks.rows()[static_cast<std::size_t>(row)].kind == TrackRow::Kind::Lane) {
        const TrackRow& lane = m_tracks.rows()[static_cast<std::size_t>(row)];
        const RankTrace& trace = *shown.ranks[lane.rank].trace;
        addTrackEntries(menu, traceText(trace.tracks[trace.lanes[lane.lane.index()].track.index()].label()));
    }
    if (m_tracks.changed()) {
        menu.addSeparator();
        menu.addAction(tr("Show all ranks and lanes"), this, &TimelineView::resetTracks);
    }
    menu.exec(event->globalPos());
}

void TimelineView::addEventEntries(QMenu& menu, EventRef event) {
    const RankTrace& trace = *m_state.shown()->ranks[event.rank].trace;
    const QString name = traceText(trace.name(event.event));
    const EventKind kind = trace.events.kind(event.event);
    menu.addAction(tr("Find all “%1”").arg(menuText(trace.name(event.event))), this, [this, name] {
        Q_EMIT searchRequested(QLatin1Char('^') + QRegularExpression::escape(name) + QLatin1Char('$'));
    });
    menu.addAction(tr("Copy the name"), this, [name] {
        QGuiApplication::clipboard()->setText(name);
    });
    if (causeOfEvent(*m_state.shown(), event).valid())
        menu.addAction(tr("Show what launched it"), this, [this, event] {
            m_state.setSelection(causeOfEvent(*m_state.shown(), event));
        });
    if (effectOfEvent(*m_state.shown(), event).valid())
        menu.addAction(tr("Show what it launched"), this, [this, event] {
            m_state.setSelection(effectOfEvent(*m_state.shown(), event));
        });
    if (!isGpuActivity(kind))
        return;
    const std::int64_t stream = trace.streamOf(event.event);
    menu.addAction(tr("Only stream %1").arg(stream), this, [this, stream] {
        Filters filters = m_state.filters();
        filters.streams = {stream};
        m_state.setFilters(std::move(filters));
    });
    const std::shared_ptr<const ShownCategories>& categories = m_state.categories();
    if (!categories || categories->analysis != m_state.shown()->analysis)
        return;
    const std::vector<EventId>& activities = categories->analysis->steps.ranks[event.rank].events;
    const auto at = std::find(activities.begin(), activities.end(), event.event);
    if (at == activities.end())
        return;
    const std::uint8_t category =
        categories->table.category[event.rank][static_cast<std::size_t>(at - activities.begin())];
    menu.addAction(tr("Only %1").arg(traceText(categories->rules.set.categories[category].label)), this,
                   [this, category] {
                       Filters filters = m_state.filters();
                       filters.categories = {category};
                       m_state.setFilters(std::move(filters));
                   });
}

void TimelineView::addRangeEntries(QMenu& menu) {
    const std::optional<TimeRange> range = m_state.selectedRange();
    if (!range)
        return;
    menu.addSeparator();
    menu.addAction(tr("Only the selected range"), this, [this, range] {
        Filters filters = m_state.filters();
        filters.range = range;
        m_state.setFilters(std::move(filters));
    });
    menu.addAction(tr("Zoom to the selected range"), this, [this, range] {
        m_state.setVisibleRange(*range);
    });
}

void TimelineView::addRankEntries(QMenu& menu, std::size_t rank) {
    const int number = m_state.shown()->ranks[rank].trace->rank;
    menu.addSeparator();
    const bool folded = m_tracks.rankFolded(number);
    menu.addAction(folded ? tr("Unfold rank %1").arg(number) : tr("Fold rank %1").arg(number), this,
                   [this, number, folded] {
                       setRankFolded(number, !folded);
                   });
    menu.addAction(tr("Hide rank %1").arg(number), this, [this, number] {
        m_tracks.setRankHidden(number, true);
        relayTracks();
    });
    menu.addAction(tr("Only rank %1").arg(number), this, [this, number] {
        Filters filters = m_state.filters();
        filters.ranks = {number};
        m_state.setFilters(std::move(filters));
    });
    const std::vector<RankGroup>& groups = m_tracks.groups();
    for (std::size_t place = 0; place < groups.size(); ++place) {
        if (groups[place].rank != rank)
            continue;
        if (place > 0)
            menu.addAction(tr("Move rank %1 up").arg(number), this, [this, number, place] {
                m_tracks.moveRank(number, place - 1);
                relayTracks();
            });
        if (place + 1 < groups.size())
            menu.addAction(tr("Move rank %1 down").arg(number), this, [this, number, place] {
                m_tracks.moveRank(number, place + 1);
                relayTracks();
            });
        break;
    }
}

void TimelineView::addTrackEntries(QMenu& menu, const QString& label) {
    menu.addSeparator();
    QString text = label;
    text.replace(QLatin1Char('&'), QLatin1String("&&"));
    menu.addAction(tr("Hide %1 on all ranks").arg(text), this, [this, label] {
        m_tracks.setTrackHidden(label, true);
        relayTracks();
    });
    for (const int direction : {-1, 1})
        menu.addAction(direction < 0 ? tr("Move %1 up").arg(text) : tr("Move %1 down").arg(text), this,
                       [this, label, direction] {
                           m_tracks.moveTrack(label, direction);
                           relayTracks();
                       });
}

std::size_t TimelineView::placeAt(int y) const {
    const std::vector<RankGroup>& groups = m_tracks.groups();
    std::size_t place = 0;
    while (place < groups.size() && y + scrolled() > groups[place].top + groups[place].height / 2)
        ++place;
    return place;
}

void TimelineView::dropRank(int y) {
    const std::vector<RankGroup>& groups = m_tracks.groups();
    std::size_t place = placeAt(y);
    // The place is counted with the rank still where it was.
    for (std::size_t i = 0; i < place && i < groups.size(); ++i)
        if (m_state.shown()->ranks[groups[i].rank].trace->rank == m_draggedRank) {
            --place;
            break;
        }
    m_tracks.moveRank(m_draggedRank, place);
    relayTracks();
}

} // namespace lockstep
