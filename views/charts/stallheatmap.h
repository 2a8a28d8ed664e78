#pragma once

#include "model/analysis/stallsummary.h"

#include <QWidget>
#include <optional>
#include <vector>

class QCustomPlot;
class QCPColorMap;
class QCPColorScale;

namespace lockstep {

/// Who was late, by rank and step or layer: the darker, the longer the others waited. A click asks for the
/// worst stall of the cell.
class StallHeatmap : public QWidget {
    Q_OBJECT
public:
    explicit StallHeatmap(QWidget* parent = nullptr);

    void setMap(LateMap map, std::vector<int> rankNumbers, const QString& columnWord);
    [[nodiscard]] const LateMap& map() const { return m_map; }
    [[nodiscard]] QCustomPlot& plot() const { return *m_plot; }
    /// Row (index of a rank) and column at a pixel of the plot.
    [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> cellAt(QPoint pixel) const;
    /// The pixel in the middle of a cell.
    [[nodiscard]] QPoint middleOf(std::size_t rank, std::size_t column) const;

Q_SIGNALS:
    /// The worst stall of the cell that was clicked; cells without one say nothing.
    void stallClicked(uint stall);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void draw();
    void look();
    [[nodiscard]] QString tipOf(std::size_t rank, std::size_t column) const;

    QCustomPlot* m_plot;
    QCPColorMap* m_colours;
    QCPColorScale* m_scale;
    LateMap m_map;
    std::vector<int> m_ranks;
    QString m_columnWord;
};

} // namespace lockstep
