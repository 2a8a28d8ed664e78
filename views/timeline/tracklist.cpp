#include "views/timeline/tracklist.h"

#include "views/common/format.h"

#include <algorithm>

namespace lockstep {

TrackSection sectionOf(TrackKind kind) {
    if (kind == TrackKind::GpuStream)
        return TrackSection::Gpu;
    return kind == TrackKind::CpuThread ? TrackSection::CpuThreads : TrackSection::Rest;
}

void TrackList::setMetrics(const RowMetrics& metrics) {
    m_metrics = metrics;
    layOut();
}

void TrackList::setShown(std::shared_ptr<const ShownRun> shown) {
    m_shown = std::move(shown);
    layOut();
}

void TrackList::setRankFolded(int rank, bool folded) {
    if (folded)
        m_by.foldedRanks.insert(rank);
    else
        m_by.foldedRanks.erase(rank);
    layOut();
}

void TrackList::setAllRanksFolded(bool folded) {
    m_by.foldedRanks.clear();
    if (folded && m_shown)
        for (const ShownRank& rank : m_shown->ranks)
            m_by.foldedRanks.insert(rank.trace->rank);
    layOut();
}

void TrackList::setSectionOpen(int rank, TrackSection section, bool open) {
    if (open)
        m_by.openSections.emplace(rank, section);
    else
        m_by.openSections.erase({rank, section});
    layOut();
}

bool TrackList::sectionOpen(int rank, TrackSection section) const {
    return section == TrackSection::Gpu || m_by.openSections.contains({rank, section});
}

bool TrackList::allFolded() const {
    return !m_groups.empty() && std::all_of(m_groups.begin(), m_groups.end(), [](const RankGroup& group) {
        return group.folded;
    });
}

void TrackList::setRankHidden(int rank, bool hidden) {
    if (hidden)
        m_by.hiddenRanks.insert(rank);
    else
        m_by.hiddenRanks.erase(rank);
    layOut();
}

void TrackList::setRanksLeft(std::set<int> ranks) {
    if (ranks == m_ranksLeft)
        return;
    m_ranksLeft = std::move(ranks);
    layOut();
}

void TrackList::moveRank(int rank, std::size_t place) {
    std::vector<int> order;
    for (const std::size_t index : shownRanks())
        order.push_back(m_shown->ranks[index].trace->rank);
    if (std::erase(order, rank) == 0)
        return;
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(std::min(place, order.size())), rank);
    m_by.rankOrder = std::move(order);
    layOut();
}

void TrackList::setTrackHidden(const QString& label, bool hidden) {
    if (hidden)
        m_by.hiddenTracks.insert(label);
    else
        m_by.hiddenTracks.erase(label);
    layOut();
}

void TrackList::moveTrack(const QString& label, int direction) {
    QStringList order;
    for (const ShownRank& rank : m_shown->ranks)
        for (const TrackSection section : {TrackSection::Gpu, TrackSection::CpuThreads, TrackSection::Rest}) {
            const std::vector<const Track*> tracks = shownTracks(*rank.trace, section);
            QStringList own;
            for (const Track* track : tracks)
                own << traceText(track->label());
            const qsizetype at = own.indexOf(label);
            const qsizetype to = at + (direction < 0 ? -1 : 1);
            if (at < 0 || to < 0 || to >= own.size())
                continue;
            own.swapItemsAt(at, to);
            for (const QString& one : own)
                m_by.trackOrder.removeAll(one);
            order = own;
            m_by.trackOrder << order;
            layOut();
            return;
        }
}

void TrackList::setReference(std::optional<ReferenceStep> reference) {
    if (reference == m_reference)
        return;
    m_reference = std::move(reference);
    layOut();
}

void TrackList::setArrangement(TrackArrangement arrangement) {
    m_by = std::move(arrangement);
    layOut();
}

void TrackList::reset() {
    m_by.hiddenRanks.clear();
    m_by.rankOrder.clear();
    m_by.hiddenTracks.clear();
    m_by.trackOrder.clear();
    layOut();
}

bool TrackList::changed() const {
    return hiddenCount() > 0 || !m_by.rankOrder.empty() || !m_by.trackOrder.isEmpty();
}

std::vector<std::size_t> TrackList::shownRanks() const {
    std::vector<std::size_t> ranks;
    for (std::size_t i = 0; i < m_shown->ranks.size(); ++i) {
        const int number = m_shown->ranks[i].trace->rank;
        if (!m_by.hiddenRanks.contains(number) && (m_ranksLeft.empty() || m_ranksLeft.contains(number)))
            ranks.push_back(i);
    }
    const auto place = [&](std::size_t index) {
        return std::find(m_by.rankOrder.begin(), m_by.rankOrder.end(), m_shown->ranks[index].trace->rank);
    };
    std::stable_sort(ranks.begin(), ranks.end(), [&](std::size_t a, std::size_t b) {
        return place(a) < place(b);
    });
    return ranks;
}

std::vector<const Track*> TrackList::shownTracks(const RankTrace& trace, TrackSection section) const {
    std::vector<std::pair<qsizetype, const Track*>> tracks;
    for (const Track& track : trace.tracks) {
        if (sectionOf(track.kind) != section || track.laneCount == 0)
            continue;
        const QString label = traceText(track.label());
        if (m_by.hiddenTracks.contains(label))
            continue;
        const qsizetype place = m_by.trackOrder.indexOf(label);
        tracks.emplace_back(place < 0 ? m_by.trackOrder.size() : place, &track);
    }
    std::stable_sort(tracks.begin(), tracks.end(), [](const auto& a, const auto& b) {
        return a.first < b.first;
    });
    std::vector<const Track*> ordered;
    for (const auto& [place, track] : tracks)
        ordered.push_back(track);
    return ordered;
}

void TrackList::layOut() {
    m_rows.clear();
    m_groups.clear();
    m_height = 0;
    ++m_version;
    if (!m_shown)
        return;
    for (const std::size_t rank : shownRanks())
        layOutRank(rank);
}

void TrackList::layOutRank(std::size_t rank) {
    const int number = m_shown->ranks[rank].trace->rank;
    RankGroup group{rank, m_height, 0, m_by.foldedRanks.contains(number)};
    const int padding = group.folded ? m_metrics.summaryPadding : m_metrics.padding;
    int y = m_height + padding;
    if (group.folded) {
        TrackRow row;
        row.kind = TrackRow::Kind::Summary;
        row.rank = rank;
        row.top = y;
        row.height = m_metrics.summary;
        m_rows.push_back(row);
        y += row.height;
        if (m_reference) {
            row.reference = true;
            row.top = y;
            m_rows.push_back(row);
            y += row.height;
        }
    } else {
        for (const TrackSection section : {TrackSection::Gpu, TrackSection::CpuThreads, TrackSection::Rest}) {
            addSection(rank, section, y);
            if (section == TrackSection::Gpu && m_reference)
                addReference(rank, y);
        }
        y = std::max(y, group.top + m_metrics.padding + m_metrics.header);
    }
    group.height = y + padding - group.top;
    m_height += group.height;
    m_groups.push_back(group);
}

void TrackList::addSection(std::size_t rank, TrackSection section, int& y) {
    const RankTrace& trace = *m_shown->ranks[rank].trace;
    const std::vector<const Track*> shown = shownTracks(trace, section);
    const std::size_t tracks = shown.size();
    if (tracks == 0)
        return;
    const bool open = sectionOpen(trace.rank, section);
    // What is neither GPU nor CPU comes with the CPU lanes: a line for it in every rank would cost too much.
    if (section == TrackSection::Rest && !open && !sectionOpen(trace.rank, TrackSection::CpuThreads) &&
        !shownTracks(trace, TrackSection::CpuThreads).empty())
        return;
    if (section != TrackSection::Gpu) {
        TrackRow row;
        row.kind = TrackRow::Kind::Fold;
        row.section = section;
        row.rank = rank;
        row.open = open;
        row.label = section == TrackSection::CpuThreads
                        ? countedText(tracks, QStringLiteral("CPU thread"), QStringLiteral("CPU threads"))
                        : countedText(tracks, QStringLiteral("other track"), QStringLiteral("other tracks"));
        row.top = y;
        row.height = m_metrics.fold;
        m_rows.push_back(row);
        y += row.height;
    }
    if (open)
        addLanes(rank, section, y);
}

void TrackList::addReference(std::size_t rank, int& y) {
    const std::size_t first = m_rows.size();
    addLanes(rank, TrackSection::Gpu, y);
    for (std::size_t i = first; i < m_rows.size(); ++i) {
        m_rows[i].reference = true;
        m_rows[i].label = i == first ? m_reference->label : QString();
    }
}

void TrackList::addLanes(std::size_t rank, TrackSection section, int& y) {
    for (const Track* one : shownTracks(*m_shown->ranks[rank].trace, section)) {
        const Track& track = *one;
        for (std::uint32_t depth = 0; depth < track.laneCount; ++depth) {
            TrackRow row;
            row.section = section;
            row.rank = rank;
            row.lane = LaneId{track.firstLane.index() + depth};
            row.label = depth == 0 ? traceText(track.label()) : QString();
            row.top = y;
            // What overlaps on a stream is little: its lanes are half as high, but for their names.
            row.height = section != TrackSection::Gpu ? m_metrics.thinLane
                         : depth == 0                 ? m_metrics.lane
                                                      : std::max(m_metrics.thinLane, m_metrics.lane / 2);
            m_rows.push_back(row);
            y += row.height;
        }
        y += m_metrics.gap;
    }
}

int TrackList::rowAt(int y) const {
    const auto after = std::upper_bound(m_rows.begin(), m_rows.end(), y, [](int at, const TrackRow& row) {
        return at < row.top;
    });
    if (after == m_rows.begin())
        return -1;
    const auto row = after - 1;
    return y < row->top + row->height ? static_cast<int>(row - m_rows.begin()) : -1;
}

int TrackList::rowOf(std::size_t rank, LaneId lane) const {
    const RankTrace& trace = *m_shown->ranks[rank].trace;
    const bool onGpu =
        sectionOf(trace.tracks[trace.lanes[lane.index()].track.index()].kind) == TrackSection::Gpu;
    const auto at = std::find_if(m_rows.begin(), m_rows.end(), [&](const TrackRow& row) {
        return row.rank == rank && !row.reference &&
               (row.lane == lane || (onGpu && row.kind == TrackRow::Kind::Summary));
    });
    return at == m_rows.end() ? -1 : static_cast<int>(at - m_rows.begin());
}

int TrackList::groupAt(int y) const {
    for (std::size_t i = 0; i < m_groups.size(); ++i)
        if (y >= m_groups[i].top && y < m_groups[i].top + m_groups[i].height)
            return static_cast<int>(i);
    return -1;
}

} // namespace lockstep
