#pragma once

#include "views/timeline/stalloverlay.h"
#include "views/timeline/timelinepainter.h"
#include "views/timeline/timescale.h"
#include "views/timeline/trackheader.h"

#include <QAbstractScrollArea>

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
    void setRoles(RoleOf roles);

public Q_SLOTS:
    /// Zooms at the pointer where it is over the lanes, else at the middle; `factor` below 1 shows less time.
    void zoom(double factor);
    /// Moves by `part` of the visible range, positive to later times.
    void pan(double part);
    void selectNeighbour(int direction);
    void setRankFolded(int rank, bool folded);
    void setAllRanksFolded(bool folded);
    void setSectionOpen(int rank, lockstep::TrackSection section, bool open);

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

private:
    enum class Drag { None, Press, Range, Pan };

    void applyFont();
    void showRun();
    void updateScrollBar();
    void hoverAt(QPoint position);
    void clickHeader(QPoint position);
    void revealSelection();
    void paintBackground(QPainter& painter, const Palette& palette) const;
    void paintOverlays(QPainter& painter, const Palette& palette) const;
    void paintStall(QPainter& painter, const Palette& palette) const;
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
    QPoint m_pressed;
    QPoint m_last;
    TimeNs m_pressedAt = 0;
};

} // namespace lockstep
