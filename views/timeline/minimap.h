#pragma once

#include "views/common/viewstate.h"

#include <QPixmap>
#include <QWidget>

namespace lockstep {

struct Palette;
struct TimeScale;

/// The whole run in one strip: what the GPUs do, how much of it is waiting, the steps, marks and hits; with
/// the window of what the timeline shows: drag it to move.
class Minimap : public QWidget {
    Q_OBJECT
public:
    Minimap(ViewState& state, int headerWidth, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    /// The visible range in this widget's pixels.
    [[nodiscard]] QRect window() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void drawRun(const Palette& palette);
    void drawMix(QPainter& painter, const Palette& palette) const;
    void drawWaiting(QPainter& painter, const Palette& palette) const;
    void drawHits(QPainter& painter, const Palette& palette) const;
    void drawMarks(QPainter& painter, const Palette& palette) const;
    void forgetPicture();
    void moveWindowTo(double middle);
    [[nodiscard]] QString caption() const;
    [[nodiscard]] TimeScale scale() const;

    ViewState& m_state;
    int m_headerWidth;
    QPixmap m_picture;    ///< the run without the window; null when it must be drawn anew
    double m_grabbed = 0; ///< pixels from the pointer to the window's middle
};

} // namespace lockstep
