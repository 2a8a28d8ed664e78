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
        m_foldedRanks.insert(rank);
    else
        m_foldedRanks.erase(rank);
    layOut();
}

void TrackList::setAllRanksFolded(bool folded) {
    m_foldedRanks.clear();
    if (folded && m_shown)
        for (const ShownRank& rank : m_shown->ranks)
            m_foldedRanks.insert(rank.trace->rank);
    layOut();
}

void TrackList::setSectionOpen(int rank, TrackSection section, bool open) {
    if (open)
        m_openSections.emplace(rank, section);
    else
        m_openSections.erase({rank, section});
    layOut();
}

bool TrackList::sectionOpen(int rank, TrackSection section) const {
    return section == TrackSection::Gpu || m_openSections.contains({rank, section});
}

void TrackList::layOut() {
    m_rows.clear();
    m_groups.clear();
    m_height = 0;
    ++m_version;
    if (!m_shown)
        return;
    for (std::size_t rank = 0; rank < m_shown->ranks.size(); ++rank)
        layOutRank(rank);
}

void TrackList::layOutRank(std::size_t rank) {
    const int number = m_shown->ranks[rank].trace->rank;
    RankGroup group{rank, m_height, 0, m_foldedRanks.contains(number)};
    int y = m_height + m_metrics.padding;
    if (group.folded) {
        TrackRow row;
        row.kind = TrackRow::Kind::Summary;
        row.rank = rank;
        row.top = y;
        row.height = m_metrics.lane;
        m_rows.push_back(row);
        y += row.height;
    } else {
        for (const TrackSection section : {TrackSection::Gpu, TrackSection::CpuThreads, TrackSection::Rest})
            addSection(rank, section, y);
        y = std::max(y, group.top + m_metrics.padding + m_metrics.header);
    }
    group.height = y + m_metrics.padding - group.top;
    m_height += group.height;
    m_groups.push_back(group);
}

void TrackList::addSection(std::size_t rank, TrackSection section, int& y) {
    const RankTrace& trace = *m_shown->ranks[rank].trace;
    std::size_t tracks = 0;
    for (const Track& track : trace.tracks)
        tracks += sectionOf(track.kind) == section && track.laneCount > 0 ? 1 : 0;
    if (tracks == 0)
        return;
    const bool open = sectionOpen(trace.rank, section);
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
    if (!open)
        return;
    for (const Track& track : trace.tracks) {
        if (sectionOf(track.kind) != section || track.laneCount == 0)
            continue;
        for (std::uint32_t depth = 0; depth < track.laneCount; ++depth) {
            TrackRow row;
            row.section = section;
            row.rank = rank;
            row.lane = LaneId{track.firstLane.index() + depth};
            row.label = depth == 0 ? traceText(track.label()) : QString();
            row.top = y;
            row.height = section == TrackSection::Gpu ? m_metrics.lane : m_metrics.thinLane;
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
    const auto at = std::find_if(m_rows.begin(), m_rows.end(), [&](const TrackRow& row) {
        return row.rank == rank && (row.lane == lane || row.kind == TrackRow::Kind::Summary);
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
