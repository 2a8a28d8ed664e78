#pragma once

#include "views/common/viewstate.h"

#include <QWidget>

namespace lockstep {

struct Palette;
struct TimeScale;

/// The time axis above the lanes: ticks, and below them the steps by name; a double click on a step shows it.
class TimeRuler : public QWidget {
    Q_OBJECT
public:
    /// `headerWidth`: pixels left of the axis.
    TimeRuler(ViewState& state, int headerWidth, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    /// Index of the step at `x`, or -1.
    [[nodiscard]] int stepAt(int x) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    void paintTicks(QPainter& painter, const Palette& palette) const;
    void paintSteps(QPainter& painter, const Palette& palette) const;
    [[nodiscard]] TimeScale scale() const;
    [[nodiscard]] int rowHeight() const;
    [[nodiscard]] QFont smallFont() const;

    ViewState& m_state;
    int m_headerWidth;
};

} // namespace lockstep
