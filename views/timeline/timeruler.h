#pragma once

#include "views/common/stepmarks.h"
#include "views/common/viewstate.h"

#include <QWidget>
#include <map>

namespace lockstep {

struct Palette;
struct TimeScale;

/// The time axis above the lanes: ticks, below them the steps by name, and the layers of steps that are wide
/// enough. A double click on a step drills into it, one on a layer shows the layer.
class TimeRuler : public QWidget {
    Q_OBJECT
public:
    /// `headerWidth`: pixels left of the axis.
    TimeRuler(ViewState& state, int headerWidth, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    /// Index of the step at `x`, or -1.
    [[nodiscard]] int stepAt(int x) const;
    /// The layer at `x` of a step whose layers are shown.
    [[nodiscard]] std::optional<LayerMark> layerAt(int x) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void paintTicks(QPainter& painter, const Palette& palette) const;
    void paintSteps(QPainter& painter, const Palette& palette) const;
    void paintLayers(QPainter& painter, const Palette& palette) const;
    void paintMarks(QPainter& painter, const Palette& palette) const;
    [[nodiscard]] const std::vector<LayerMark>& layers(std::size_t step) const;
    [[nodiscard]] bool layersShown(const StepMark& step) const;
    [[nodiscard]] TimeScale scale() const;
    void fitFont();
    bool nameMarkAt(int x);

    ViewState& m_state;
    int m_headerWidth;
    QFont m_smallFont;
    int m_rowHeight = 0;                                            ///< of each of the three rows
    mutable std::map<std::size_t, std::vector<LayerMark>> m_layers; ///< by step, as asked for
};

} // namespace lockstep
