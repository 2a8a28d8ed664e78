#include "views/charts/whatifchart.h"

#include "views/charts/plotstyle.h"
#include "views/common/format.h"
#include "views/common/palette.h"

#include <QEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <qcustomplot.h>
#include <utility>

namespace lockstep {

namespace {

/// Words of a label, broken into lines that fit below a bar.
QString wrapped(const QString& text, int widest) {
    QString lines;
    int length = 0;
    for (const QString& word : text.split(QLatin1Char(' '))) {
        if (length > 0 && length + word.size() > widest) {
            lines += QLatin1Char('\n');
            length = 0;
        } else if (length > 0) {
            lines += QLatin1Char(' ');
            ++length;
        }
        lines += word;
        length += static_cast<int>(word.size());
    }
    return lines;
}

} // namespace

WhatIfChart::WhatIfChart(QWidget* parent)
    : QWidget(parent)
    , m_plot(new QCustomPlot(this)) {
    setAccessibleName(tr("Waterfall"));
    m_plot->setAccessibleName(tr("From the measured step to the projected one"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_plot);
    setMinimumHeight(190);
    setMaximumHeight(260);
    setVisible(false);
}

void WhatIfChart::clear() {
    setVisible(false);
}

void WhatIfChart::setResult(WhatIfResult result) {
    m_result = std::move(result);
    setVisible(true);
    draw();
}

void WhatIfChart::draw() {
    const Palette& colours = Palette::of(palette());
    m_plot->clearPlottables();
    m_plot->clearItems();
    auto names = QSharedPointer<QCPAxisTickerText>::create();
    const auto bars = [&](const QColor& fill, const QPen& pen) {
        auto* made = new QCPBars(m_plot->xAxis, m_plot->yAxis);
        made->setPen(pen);
        made->setBrush(fill);
        made->setWidth(0.6);
        return made;
    };
    QCPBars* hidden = bars(Qt::transparent, Qt::NoPen);
    QCPBars* naive = bars(colours.accentFill, QPen(colours.accent, 1, Qt::DashLine));
    QCPBars* moved = bars(colours.of(ColourRole::OtherGemm), Qt::NoPen);
    QCPBars* whole = bars(colours.of(ColourRole::EverythingElse), Qt::NoPen);
    QCPBars* worse = bars(colours.of(ColourRole::Lateness), Qt::NoPen);
    naive->moveAbove(hidden);
    moved->moveAbove(naive);
    worse->moveAbove(moved);
    const auto label = [&](double at, double top, const QString& text) {
        auto* item = new QCPItemText(m_plot);
        item->setText(text);
        item->setColor(colours.text);
        item->setPositionAlignment(Qt::AlignBottom | Qt::AlignHCenter);
        item->position->setCoords(at, top);
        item->setFont(m_plot->xAxis->tickLabelFont());
    };
    double at = 0;
    const auto addWhole = [&](const QString& name, double ms) {
        whole->addData(at, ms);
        names->addTick(at, wrapped(name, 12));
        label(at, ms, QString::number(ms, 'f', 2));
        ++at;
    };
    addWhole(tr("measured"), m_result.baselineMs);
    double left = m_result.baselineMs;
    for (const WhatIfLine& line : m_result.lines) {
        const double gain = line.transferOnlyMs;
        const double more = std::max(0.0, line.naiveMs - gain);
        // What takes longer stands on the step as it was, in the colour of lateness.
        const double pale = gain < 0 ? std::max(0.0, line.naiveMs) : more;
        hidden->addData(at, left - std::max(0.0, gain) - pale);
        naive->addData(at, pale);
        worse->addData(at, std::max(0.0, -gain));
        moved->addData(at, std::max(0.0, gain));
        names->addTick(at, wrapped(traceText(line.name), 16));
        label(at, std::max(left, left - gain),
              QStringLiteral("%1%2")
                  .arg(gain > 0 ? QStringLiteral("−") : QStringLiteral("+"))
                  .arg(std::abs(gain), 0, 'f', 2));
        left -= gain;
        ++at;
    }
    addWhole(tr("transfer-only"), m_result.transferOnly.tpotMs);
    addWhole(tr("re-simulated"), m_result.replayed.tpotMs);
    addWhole(tr("naive"), m_result.naive.tpotMs);
    m_plot->xAxis->setTicker(names);
    m_plot->xAxis->setSubTicks(false);
    m_plot->xAxis->setTickLength(0);
    m_plot->xAxis->grid()->setVisible(false);
    m_plot->xAxis->setRange(-0.6, at - 0.4);
    const double most = std::max(
        {m_result.baselineMs, m_result.naive.tpotMs, m_result.transferOnly.tpotMs, m_result.replayed.tpotMs});
    m_plot->yAxis->setRange(0, most > 0 ? most * 1.18 : 1);
    m_plot->yAxis->setLabel(tr("ms a step"));
    dress(*m_plot, colours);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void WhatIfChart::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if ((event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) && isVisible())
        draw();
}

} // namespace lockstep
