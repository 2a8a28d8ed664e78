#pragma once

#include "app/figurefeed.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace lockstep {

class StallHeatmap;

/// Who was late, by rank and step or layer, and whether that is a habit; a click goes to the worst stall.
class StallMapPanel : public QWidget {
    Q_OBJECT
public:
    explicit StallMapPanel(FigureFeed& feed, QWidget* parent = nullptr);

    void showLayers(bool layers);
    [[nodiscard]] StallHeatmap& heatmap() const { return *m_map; }
    [[nodiscard]] QString patternText() const;

private:
    void refresh();

    FigureFeed& m_feed;
    ViewState& m_state;
    QToolButton* m_steps;
    QToolButton* m_layers;
    QLabel* m_pattern;
    StallHeatmap* m_map;
};

} // namespace lockstep
