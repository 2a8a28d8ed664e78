#include "views/charts/stallheatmap.h"

#include "views/charts/plotstyle.h"
#include "views/common/format.h"
#include "views/common/palette.h"

#include <QHelpEvent>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <qcustomplot.h>
#include <utility>

namespace lockstep {

StallHeatmap::StallHeatmap(QWidget* parent)
    : QWidget(parent)
    , m_plot(new QCustomPlot(this))
    , m_colours(new QCPColorMap(m_plot->xAxis, m_plot->yAxis))
    , m_scale(new QCPColorScale(m_plot)) {
    setAccessibleName(tr("Stall map"));
    m_plot->setAccessibleName(tr("Lateness by rank"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_plot);
    m_plot->setMinimumHeight(90);
    m_plot->axisRect()->setMinimumMargins(QMargins(6, 6, 6, 4));
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->axisRect()->setRangeDrag(Qt::Horizontal);
    m_plot->axisRect()->setRangeZoom(Qt::Horizontal);
    m_colours->setInterpolate(false);
    m_colours->setTightBoundary(false);
    m_scale->setType(QCPAxis::atRight);
    m_scale->setBarWidth(10);
    m_scale->setRangeDrag(false);
    m_scale->setRangeZoom(false);
    m_scale->axis()->setLabel(tr("others waited, ms"));
    m_plot->plotLayout()->addElement(0, 1, m_scale);
    m_colours->setColorScale(m_scale);
    auto* group = new QCPMarginGroup(m_plot);
    m_plot->axisRect()->setMarginGroup(QCP::msTop | QCP::msBottom, group);
    m_scale->setMarginGroup(QCP::msTop | QCP::msBottom, group);
    m_plot->installEventFilter(this);
    connect(m_plot, &QCustomPlot::mousePress, this, [this](const QMouseEvent* event) {
        const auto cell = cellAt(event->position().toPoint());
        if (cell && event->button() == Qt::LeftButton && m_map.at(cell->first, cell->second).worstSkewNs > 0)
            Q_EMIT stallClicked(m_map.at(cell->first, cell->second).worst);
    });
    look();
}

void StallHeatmap::setMap(LateMap map, std::vector<int> rankNumbers, const QString& columnWord) {
    m_map = std::move(map);
    m_ranks = std::move(rankNumbers);
    m_columnWord = columnWord;
    draw();
}

void StallHeatmap::draw() {
    const int columns = static_cast<int>(m_map.columns.size());
    const int rows = static_cast<int>(m_ranks.size());
    QCPColorMapData& data = *m_colours->data();
    data.setSize(std::max(columns, 1), std::max(rows, 1));
    // From the middle of the first cell to that of the last; a lone cell has no such distance.
    const auto middles = [](int cells) {
        return cells > 1 ? QCPRange(0, cells - 1.0) : QCPRange(-0.5, 0.5);
    };
    data.setRange(middles(columns), middles(rows));
    data.fill(0);
    double most = 0;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const LateCell& cell = m_map.at(static_cast<std::size_t>(row), static_cast<std::size_t>(column));
            const double ms = static_cast<double>(cell.causedNs) / 1e6;
            data.setCell(column, row, ms);
            most = std::max(most, ms);
        }
    m_scale->setDataRange({0, most > 0 ? most : 1});
    m_scale->setVisible(columns > 0);
    auto ranks = QSharedPointer<QCPAxisTickerText>::create();
    const int everyRank = std::max(1, (rows + 15) / 16);
    for (int row = 0; row < rows; row += everyRank)
        ranks->addTick(row, tr("rank %1").arg(m_ranks[static_cast<std::size_t>(row)]));
    m_plot->yAxis->setTicker(ranks);
    m_plot->yAxis->setRangeReversed(true);
    m_plot->yAxis->setRange(-0.5, std::max(rows, 1) - 0.5);
    m_plot->yAxis->setSubTicks(false);
    auto names = QSharedPointer<QCPAxisTickerText>::create();
    const int every = std::max(1, (columns + 24) / 25);
    const int rounded = every <= 2 ? every : every <= 5 ? 5 : (every + 9) / 10 * 10;
    for (int column = 0; column < columns; ++column)
        if (column % rounded == 0)
            names->addTick(column, QString::number(m_map.columns[static_cast<std::size_t>(column)]));
    m_plot->xAxis->setTicker(names);
    m_plot->xAxis->setSubTicks(false);
    m_plot->xAxis->setLabel(m_columnWord);
    m_plot->xAxis->setRange(-0.5, std::max(columns, 1) - 0.5);
    look();
}

void StallHeatmap::look() {
    const Palette& colours = Palette::of(palette());
    QCPColorGradient gradient;
    gradient.clearColorStops();
    gradient.setColorInterpolation(QCPColorGradient::ciRGB);
    const QColor& late = colours.of(ColourRole::Lateness);
    const auto mixed = [&](double share) {
        const auto part = [&](int from, int to) {
            return static_cast<int>(std::lround(from + share * (to - from)));
        };
        return QColor(part(colours.canvas.red(), late.red()), part(colours.canvas.green(), late.green()),
                      part(colours.canvas.blue(), late.blue()));
    };
    gradient.setColorStopAt(0, mixed(0.03));
    gradient.setColorStopAt(0.04, mixed(0.12)); // a little must be seen beside nothing
    gradient.setColorStopAt(1, late);
    m_colours->setGradient(gradient);
    dress(*m_plot, colours);
    m_scale->axis()->setTickLabelColor(colours.mutedText);
    m_scale->axis()->setLabelColor(colours.mutedText);
    m_scale->axis()->setTickLabelFont(m_plot->xAxis->tickLabelFont());
    m_scale->axis()->setLabelFont(m_plot->xAxis->tickLabelFont());
    m_scale->axis()->setBasePen(QPen(colours.line));
    m_scale->axis()->setTickPen(QPen(colours.line));
    m_scale->axis()->setSubTicks(false);
    m_plot->xAxis->grid()->setVisible(false);
    m_plot->yAxis->grid()->setVisible(false);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

std::optional<std::pair<std::size_t, std::size_t>> StallHeatmap::cellAt(QPoint pixel) const {
    if (!m_plot->axisRect()->rect().contains(pixel))
        return std::nullopt;
    const double column = std::round(m_plot->xAxis->pixelToCoord(pixel.x()));
    const double row = std::round(m_plot->yAxis->pixelToCoord(pixel.y()));
    if (column < 0 || row < 0 || column >= static_cast<double>(m_map.columns.size()) ||
        row >= static_cast<double>(m_ranks.size()))
        return std::nullopt;
    return std::pair(static_cast<std::size_t>(row), static_cast<std::size_t>(column));
}

QPoint StallHeatmap::middleOf(std::size_t rank, std::size_t column) const {
    return {static_cast<int>(std::lround(m_plot->xAxis->coordToPixel(static_cast<double>(column)))),
            static_cast<int>(std::lround(m_plot->yAxis->coordToPixel(static_cast<double>(rank))))};
}

QString StallHeatmap::tipOf(std::size_t rank, std::size_t column) const {
    const LateCell& cell = m_map.at(rank, column);
    QString text = tr("rank %1, %2 %3: last in %4 of %5 collectives")
                       .arg(m_ranks[rank])
                       .arg(m_columnWord)
                       .arg(m_map.columns[column])
                       .arg(cell.last)
                       .arg(cell.collectives);
    if (cell.causedNs > 0)
        text += tr("\nthe others waited %1 for it; worst skew %2; click to see it")
                    .arg(durationText(cell.causedNs), durationText(cell.worstSkewNs));
    return text;
}

bool StallHeatmap::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_plot || event->type() != QEvent::ToolTip)
        return QWidget::eventFilter(watched, event);
    const auto* help = static_cast<QHelpEvent*>(event); // NOLINT: the type says so
    if (const auto cell = cellAt(help->pos()))
        QToolTip::showText(help->globalPos(), tipOf(cell->first, cell->second), m_plot);
    return true;
}

void StallHeatmap::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        look();
}

} // namespace lockstep
