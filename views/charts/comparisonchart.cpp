#include "views/charts/comparisonchart.h"

#include "model/analysis/samples.h"
#include "views/charts/plotstyle.h"
#include "views/common/format.h"
#include "views/common/palette.h"

#include <QEvent>
#include <QHBoxLayout>
#include <algorithm>
#include <qcustomplot.h>
#include <utility>

namespace lockstep {

ComparisonChart::ComparisonChart(QWidget* parent)
    : QWidget(parent)
    , m_categories(new QCustomPlot(this))
    , m_steps(new QCustomPlot(this)) {
    setAccessibleName(tr("Comparison chart"));
    m_categories->setAccessibleName(tr("Milliseconds a step by category, both runs"));
    m_steps->setAccessibleName(tr("Step times of both runs"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_categories, 5);
    row->addWidget(m_steps, 2);
    setMinimumHeight(210);
    setMaximumHeight(260);
}

void ComparisonChart::clear() {
    m_groups.clear();
    m_stepsA.clear();
    m_stepsB.clear();
    setVisible(false);
}

void ComparisonChart::setComparison(const Comparison& comparison, std::vector<double> stepsA,
                                    std::vector<double> stepsB) {
    m_groups.clear();
    for (const ComparedCategory& category : comparison.categories)
        if (category.isGroup)
            m_groups.push_back(category);
    m_stepsA = std::move(stepsA);
    m_stepsB = std::move(stepsB);
    m_labelA = traceText(comparison.labelA);
    m_labelB = traceText(comparison.labelB);
    setVisible(true);
    draw();
}

void ComparisonChart::draw() {
    drawCategories();
    drawSteps();
}

void ComparisonChart::drawCategories() {
    const Palette& colours = Palette::of(palette());
    m_categories->clearPlottables();
    constexpr double kWidth = 0.38;
    auto* a = new QCPBars(m_categories->xAxis, m_categories->yAxis);
    auto* b = new QCPBars(m_categories->xAxis, m_categories->yAxis);
    auto names = QSharedPointer<QCPAxisTickerText>::create();
    double most = 0;
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
        const auto at = static_cast<double>(i);
        a->addData(at - kWidth / 2, m_groups[i].ns.a / 1e6);
        b->addData(at + kWidth / 2, m_groups[i].ns.b / 1e6);
        most = std::max({most, m_groups[i].ns.a / 1e6, m_groups[i].ns.b / 1e6});
        names->addTick(at, traceText(m_groups[i].label));
    }
    a->setName(QStringLiteral("A"));
    b->setName(QStringLiteral("B"));
    a->setWidth(kWidth);
    b->setWidth(kWidth);
    a->setPen(Qt::NoPen);
    a->setBrush(colours.accent);
    b->setPen(QPen(colours.accent));
    b->setBrush(colours.accentFill);
    m_categories->xAxis->setTicker(names);
    m_categories->xAxis->setSubTicks(false);
    m_categories->xAxis->setTickLength(0);
    m_categories->xAxis->grid()->setVisible(false);
    m_categories->xAxis->setRange(-0.6, static_cast<double>(m_groups.size()) - 0.4);
    m_categories->xAxis->setTickLabelRotation(-35); // seven names side by side have no room
    m_categories->yAxis->setRange(0, most > 0 ? most * 1.25 : 1);
    m_categories->yAxis->setLabel(tr("ms a step"));
    m_categories->legend->setVisible(true);
    m_categories->legend->setFillOrder(QCPLegend::foColumnsFirst);
    dress(*m_categories, colours);
    m_categories->replot(QCustomPlot::rpQueuedReplot);
}

void ComparisonChart::drawSteps() {
    const Palette& colours = Palette::of(palette());
    m_steps->clearPlottables();
    auto names = QSharedPointer<QCPAxisTickerText>::create();
    double most = 0;
    const auto add = [&](double at, const QString& name, const std::vector<double>& values,
                         const QColor& fill) {
        names->addTick(at, name);
        const Samples samples(values);
        if (samples.empty())
            return;
        auto* box = new QCPStatisticalBox(m_steps->xAxis, m_steps->yAxis);
        QVector<double> outliers;
        const double low = samples.quantile(0.05);
        const double high = samples.quantile(0.95);
        for (const double value : values)
            if (value < low || value > high)
                outliers.push_back(value);
        box->addData(at, low, samples.quantile(0.25), samples.median(), samples.quantile(0.75), high,
                     outliers);
        box->setWidth(0.5);
        box->setPen(QPen(colours.accent));
        box->setBrush(fill);
        box->setMedianPen(QPen(colours.text, 2));
        box->setWhiskerPen(QPen(colours.mutedText));
        box->setWhiskerBarPen(QPen(colours.mutedText));
        box->setOutlierStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, colours.of(ColourRole::Lateness), 4));
        most = std::max(most, samples.maximum());
    };
    add(0, QStringLiteral("A"), m_stepsA, colours.accent);
    add(1, QStringLiteral("B"), m_stepsB, colours.accentFill);
    m_steps->xAxis->setTicker(names);
    m_steps->xAxis->setSubTicks(false);
    m_steps->xAxis->setRange(-0.7, 1.7);
    m_steps->xAxis->grid()->setVisible(false);
    m_steps->yAxis->setRange(0, most > 0 ? most * 1.1 : 1);
    m_steps->yAxis->setLabel(tr("wall time of steps, ms"));
    dress(*m_steps, colours);
    m_steps->replot(QCustomPlot::rpQueuedReplot);
}

void ComparisonChart::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        draw();
}

} // namespace lockstep
