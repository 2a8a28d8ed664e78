#pragma once

#include "views/timeline/stalloverlay.h"
#include "views/timeline/timelinepainter.h"
#include "views/timeline/timescale.h"
#include "views/timeline/trackheader.h"

#include <QAbstractScrollArea>

class QMenu;

namespace lockstep {

class HoverCard;

/// The lanes of all ranks over time, with the column of their names: pans, zooms, selects.
class TimelineView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit TimelineView(ViewState& state, QWidget* parent = nullptr);

    /// Width of the column of names, left of the time axis.
    [[nodiscard]] int headerWidth() const { return m_header.width(); }
    [[nodiscard]] TimeScale scale() const;
    [[nodiscard]] const TrackList& tracks() const { return m_tracks; }
    /// The event under a viewport position, or the nearest within a few pixels.
    [[nodiscard]] EventRef eventAt(QPoint position) const;
    /// Where an event is drawn in the viewport; empty where it is not in view.
    [[nodiscard]] QRect rectOf(EventRef event) const;

public Q_SLOTS:
    /// Zooms at the pointer where it is over the lanes, else at the middle; `factor` below 1 shows less time.
    void zoom(double factor);
    /// Moves by `part` of the visible range, positive to later times.
    void pan(double part);
    void selectNeighbour(int direction);
    void setRankFolded(int rank, bool folded);
    void setAllRanksFolded(bool folded);
    void setSectionOpen(int rank, lockstep::TrackSection section, bool open);
    /// Opens or folds the CPU threads of all ranks.
    void setCpuLanesOpen(bool open);
    void setArrangement(const lockstep::TrackArrangement& arrangement);
    /// Shows all ranks and lanes that were hidden, in the order of the traces.
    void resetTracks();
    /// Selects what caused the selected event (its launch, that one's CPU op) or, with `direction` > 0, what
    /// it led to.
    void followLaunch(int direction);
    /// Shows the next worse (`direction` < 0) or the next stall, worst first; false where there is none.
    bool showNeighbourStall(int direction);
    /// Marks the moment under the pointer, else the selected event's begin, else the middle of what is
    /// visible.
    void toggleMark();

Q_SIGNALS:
    /// All events of this name are to be found; a regular expression.
    void searchRequested(const QString& pattern);
    /// Ranks or lanes were folded, hidden or put elsewhere.
    void tracksChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    enum class Drag { None, Press, Range, Pan, Header, Rank };

    void connectState();
    void applyFont();
    void applyMetrics();
    void relayTracks();
    void addEventEntries(QMenu& menu, EventRef event);
    void addRankEntries(QMenu& menu, std::size_t rank);
    void addTrackEntries(QMenu& menu, const QString& label);
    void addRangeEntries(QMenu& menu);
    void dropRank(int y);
    [[nodiscard]] std::size_t placeAt(int y) const;
    void openFor(EventRef event);
    void showRun();
    void showReference();
    void sumStalls();
    void updateScrollBar();
    void hoverAt(QPoint position);
    void clickHeader(QPoint position);
    void revealSelection();
    void paintBackground(QPainter& painter, const Palette& palette) const;
    void paintOverlays(QPainter& painter, const Palette& palette) const;
    void paintStall(QPainter& painter, const Palette& palette) const;
    void paintMarks(QPainter& painter, const Palette& palette) const;
    void paintDrop(QPainter& painter, const Palette& palette) const;
    void paintSelectedRange(QPainter& painter, const Palette& palette) const;
    [[nodiscard]] QRect laneArea() const;
    [[nodiscard]] int scrolled() const;
    [[nodiscard]] bool overLanes(QPoint position) const;

    ViewState& m_state;
    TrackList m_tracks;
    TrackHeader m_header;
    TimelinePainter m_painter;
    StallOverlay m_stalls;
    HoverCard* m_card;
    Drag m_drag = Drag::None;
    bool m_framed = false; ///< the keyboard came here by Tab, and that is shown
    bool m_reveals = true; ///< whether a selection moves what is visible
    QPoint m_pressed;
    QPoint m_last;
    TimeNs m_pressedAt = 0;
    std::size_t m_lines = 0;                               ///< of the rank headers
    int m_draggedRank = -1;                                ///< rank number, while its header is dragged
    std::vector<std::pair<EventRef, EventRef>> m_followed; ///< ways taken to a launch: from where, to where
};

} // namespace lockstep
