#pragma once

#include "views/common/shownrun.h"

#include <QStringList>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace lockstep {

/// The parts of a rank's group of lanes, from top to bottom.
enum class TrackSection : std::uint8_t { Gpu, CpuThreads, Rest };

/// Heights in pixels, by the font.
struct RowMetrics {
    int lane = 20;
    int thinLane = 14; ///< CPU lanes nest deeply
    int fold = 16;     ///< the line that unfolds a section
    int padding = 5;   ///< above and below a rank's lanes
    int gap = 3;       ///< below each track
    int header = 34;   ///< least height of a rank's lanes, so that its header fits
    int summary = 20;  ///< the one row of a folded rank
    int summaryPadding = 5;
};

/// One row of the timeline.
struct TrackRow {
    enum class Kind : std::uint8_t {
        Lane,    ///< the events of one lane
        Summary, ///< all GPU lanes of a folded rank, one over the other
        Fold,    ///< the name of a section, which folds and unfolds it
    };
    Kind kind = Kind::Lane;
    TrackSection section = TrackSection::Gpu;
    std::size_t rank = 0;
    LaneId lane;
    QString label;
    bool open = false;      ///< of a Fold row
    bool reference = false; ///< shows the reference step, not what is at this time
    int top = 0;
    int height = 0;
};

/// A step that stands below the lanes of every rank, begin under begin, to be compared with.
struct ReferenceStep {
    std::vector<TimeRange> ranges; ///< of the step on each rank (like ShownRun::ranks), on the run's clock
    TimeNs shift = 0;              ///< from a time in the timeline to the step's own
    QString label;
    friend bool operator==(const ReferenceStep&, const ReferenceStep&) = default;
};

/// All rows of one rank.
struct RankGroup {
    std::size_t rank = 0;
    int top = 0;
    int height = 0;
    bool folded = false;
};

/// How lanes were folded, hidden and put by hand; by rank number and track label.
struct TrackArrangement {
    std::set<int> foldedRanks;
    std::set<std::pair<int, TrackSection>> openSections;
    std::set<int> hiddenRanks;
    std::vector<int> rankOrder; ///< the others follow
    std::set<QString> hiddenTracks;
    QStringList trackOrder; ///< the others follow
};

/// Which lanes stand where: a group a rank, its GPU streams first, CPU and other tracks folded until asked
/// for. Folding is kept by rank number, so that it outlives a change of what is shown.
class TrackList {
public:
    void setMetrics(const RowMetrics& metrics);
    void setShown(std::shared_ptr<const ShownRun> shown);

    void setRankFolded(int rank, bool folded);
    void setAllRanksFolded(bool folded);
    [[nodiscard]] bool rankFolded(int rank) const { return m_by.foldedRanks.contains(rank); }
    /// Whether every rank that is shown is folded.
    [[nodiscard]] bool allFolded() const;
    void setRankHidden(int rank, bool hidden);
    /// Hides all ranks but those of `ranks`; an empty set hides none on this account.
    void setRanksLeft(std::set<int> ranks);
    /// Puts rank `rank` at `place` among the ranks that are shown.
    void moveRank(int rank, std::size_t place);
    /// Hides the tracks of this label on all ranks alike.
    void setTrackHidden(const QString& label, bool hidden);
    /// Moves the tracks of this label up (`direction` < 0) or down within their section, on all ranks alike.
    void moveTrack(const QString& label, int direction);
    /// Shows all that was hidden, in the order of the trace.
    void reset();
    [[nodiscard]] bool changed() const;
    /// Number of ranks and tracks that are hidden by hand.
    [[nodiscard]] std::size_t hiddenCount() const {
        return m_by.hiddenRanks.size() + m_by.hiddenTracks.size();
    }
    /// Adds the lanes of a step below those of every rank, or takes them away.
    void setReference(std::optional<ReferenceStep> reference);
    [[nodiscard]] const std::optional<ReferenceStep>& reference() const { return m_reference; }
    [[nodiscard]] const TrackArrangement& arrangement() const { return m_by; }
    void setArrangement(TrackArrangement arrangement);
    void setSectionOpen(int rank, TrackSection section, bool open);
    [[nodiscard]] bool sectionOpen(int rank, TrackSection section) const;

    [[nodiscard]] const std::vector<TrackRow>& rows() const { return m_rows; }
    [[nodiscard]] const std::vector<RankGroup>& groups() const { return m_groups; }
    [[nodiscard]] int height() const { return m_height; }
    /// Index of the row at `y`, or -1.
    [[nodiscard]] int rowAt(int y) const;
    /// Index of the row that shows `lane` of rank `rank`, or -1 where it is folded away.
    [[nodiscard]] int rowOf(std::size_t rank, LaneId lane) const;
    /// Index of the group at `y`, or -1.
    [[nodiscard]] int groupAt(int y) const;
    /// Grows by one whenever rows changed.
    [[nodiscard]] unsigned version() const { return m_version; }

private:
    void layOut();
    void layOutRank(std::size_t rank);
    void addReference(std::size_t rank, int& y);
    void addLanes(std::size_t rank, TrackSection section, int& y);
    void addSection(std::size_t rank, TrackSection section, int& y);
    [[nodiscard]] std::vector<std::size_t> shownRanks() const;
    [[nodiscard]] std::vector<const Track*> shownTracks(const RankTrace& trace, TrackSection section) const;

    RowMetrics m_metrics;
    std::shared_ptr<const ShownRun> m_shown;
    TrackArrangement m_by;
    std::set<int> m_ranksLeft;
    std::optional<ReferenceStep> m_reference;
    std::vector<TrackRow> m_rows;
    std::vector<RankGroup> m_groups;
    int m_height = 0;
    unsigned m_version = 0;
};

/// The section that a track of `kind` stands in.
[[nodiscard]] TrackSection sectionOf(TrackKind kind);

} // namespace lockstep
