#include "views/charts/plotstyle.h"

#include "views/common/palette.h"

#include <QApplication>
#include <qcustomplot.h>

namespace lockstep {

void dress(QCustomPlot& plot, const Palette& palette) {
    plot.setBackground(QBrush(palette.canvas));
    QFont small = QApplication::font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    for (QCPAxisRect* rect : plot.axisRects())
        for (QCPAxis* axis : rect->axes()) {
            axis->setBasePen(QPen(palette.line));
            axis->setTickPen(QPen(palette.line));
            axis->setSubTickPen(QPen(palette.line));
            axis->setSubTicks(false);
            axis->setTickLabelColor(palette.mutedText);
            axis->setLabelColor(palette.mutedText);
            axis->setTickLabelFont(small);
            axis->setLabelFont(small);
            axis->grid()->setPen(QPen(palette.line, 1, Qt::DotLine));
            axis->grid()->setZeroLinePen(QPen(palette.line));
        }
    if (plot.legend) {
        plot.legend->setBrush(palette.canvas);
        plot.legend->setBorderPen(Qt::NoPen);
        plot.legend->setTextColor(palette.text);
        plot.legend->setFont(small);
    }
    plot.setAntialiasedElements(QCP::aeNone);
}

} // namespace lockstep
