#include "views/charts/stepstrip.h"

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

namespace {

constexpr double kFilled = 0.84; ///< of a step's room; the rest parts it from the next

QCPBars* addBars(QCustomPlot& plot, const QString& name, const QColor& colour, double width) {
    auto* bars = new QCPBars(plot.xAxis, plot.yAxis);
    bars->setName(name);
    bars->setWidth(width);
    bars->setPen(Qt::NoPen);
    bars->setBrush(colour);
    return bars;
}

} // namespace

StepStrip::StepStrip(QWidget* parent)
    : QWidget(parent)
    , m_plot(new QCustomPlot(this)) {
    setAccessibleName(tr("Steps"));
    m_plot->setAccessibleName(tr("Bars by step and rank"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_plot);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->axisRect()->setRangeDrag(Qt::Horizontal);
    m_plot->axisRect()->setRangeZoom(Qt::Horizontal);
    m_plot->axisRect()->setMinimumMargins(QMargins(6, 6, 10, 4));
    m_plot->setMinimumHeight(90);
    m_plot->installEventFilter(this);
    connect(m_plot, &QCustomPlot::mouseRelease, this, [this](const QMouseEvent* event) {
        const auto step = stepAt(static_cast<int>(event->position().x()));
        // The release that ends a double click is no click of its own.
        if (std::exchange(m_doubleClicked, false))
            return;
        if (step && event->button() == Qt::LeftButton)
            Q_EMIT stepClicked(*step);
    });
    connect(m_plot, &QCustomPlot::mouseDoubleClick, this, [this](const QMouseEvent* event) {
        m_doubleClicked = true;
        if (const auto step = stepAt(static_cast<int>(event->position().x())))
            Q_EMIT stepDoubleClicked(*step);
    });
    draw();
}

void StepStrip::clear() {
    m_bars.clear();
    m_names.clear();
    m_remarks.clear();
    m_outliers = 0;
    m_current.reset();
    draw();
}

void StepStrip::setSteps(const StepTable& table, const std::vector<std::size_t>& ranks,
                         const std::vector<int>& rankNumbers, const std::vector<bool>& left) {
    m_names.clear();
    m_remarks.clear();
    m_ranks = rankNumbers;
    m_outliers = 0;
    for (const Step& step : table.steps) {
        m_names.push_back(traceText(step.name));
        m_remarks.push_back(traceText(step.remark));
        m_outliers += step.outlier || step.cut ? 1 : 0;
    }
    collect(table, ranks, left);
    draw();
}

void StepStrip::collect(const StepTable& table, const std::vector<std::size_t>& ranks,
                        const std::vector<bool>& left) {
    m_bars.clear();
    m_averaged = table.steps.size() * ranks.size() > kMostBars;
    const double bars = m_averaged || ranks.empty() ? 1 : static_cast<double>(ranks.size());
    m_width = kFilled / bars;
    for (std::size_t s = 0; s < table.steps.size(); ++s) {
        const Step& step = table.steps[s];
        if (s < left.size() && !left[s])
            continue;
        Bar mean;
        double present = 0;
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            const RankStep& part = step.ranks[ranks[i]];
            if (!part.present)
                continue;
            Bar bar;
            bar.unusual = step.outlier || step.cut;
            bar.exposedMs = static_cast<double>(part.exposedCommunicationNs) / 1e6;
            bar.computeMs = static_cast<double>(part.busyNs - part.exposedCommunicationNs) / 1e6;
            bar.idleMs = static_cast<double>(part.idleNs()) / 1e6;
            bar.key = static_cast<double>(s) - kFilled / 2 + (static_cast<double>(i) + 0.5) * m_width;
            if (!m_averaged) {
                m_bars.push_back(bar);
                continue;
            }
            ++present;
            mean.computeMs += bar.computeMs;
            mean.exposedMs += bar.exposedMs;
            mean.idleMs += bar.idleMs;
            mean.unusual = bar.unusual;
        }
        if (present == 0)
            continue;
        mean.key = static_cast<double>(s);
        for (double* value : {&mean.computeMs, &mean.exposedMs, &mean.idleMs})
            *value /= present;
        m_bars.push_back(mean);
    }
}

void StepStrip::draw() {
    const Palette& colours = Palette::of(palette());
    const QCPRange before = m_plot->xAxis->range();
    const bool sameSteps = m_plot->property("steps").toULongLong() == m_names.size();
    m_plot->clearPlottables();
    m_plot->clearItems();
    // No category's colour: compute is all of them.
    QCPBars* compute = addBars(*m_plot, tr("compute"), colours.of(ColourRole::Kernel), m_width);
    QCPBars* exposed =
        addBars(*m_plot, tr("exposed communication"), colours.of(ColourRole::AllReduce), m_width);
    QCPBars* idle = addBars(*m_plot, tr("idle"), colours.line, m_width);
    exposed->moveAbove(compute);
    idle->moveAbove(exposed);
    double highest = 0;
    double highestUsual = 0;
    for (const Bar& bar : m_bars) {
        compute->addData(bar.key, bar.computeMs);
        exposed->addData(bar.key, bar.exposedMs);
        idle->addData(bar.key, bar.idleMs);
        const double wall = bar.computeMs + bar.exposedMs + bar.idleMs;
        highest = std::max(highest, wall);
        if (!bar.unusual)
            highestUsual = std::max(highestUsual, wall);
    }
    // One step that took ten times as long must not flatten all others.
    const double top = highestUsual > 0 ? std::min(highest, 2.5 * highestUsual) : highest;
    m_plot->yAxis->setRange(0, top > 0 ? top * 1.45 : 1);
    std::size_t marked = m_names.size();
    for (const Bar& bar : m_bars) {
        const auto step = static_cast<std::size_t>(std::lround(bar.key));
        if (!bar.unusual || step == marked)
            continue;
        marked = step;
        auto* mark = new QCPItemText(m_plot);
        mark->setText(QStringLiteral("◆"));
        mark->setColor(colours.of(ColourRole::Lateness));
        mark->setPositionAlignment(Qt::AlignTop | Qt::AlignHCenter);
        mark->position->setTypeX(QCPItemPosition::ptPlotCoords);
        mark->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        mark->position->setCoords(static_cast<double>(step), 0);
    }
    if (m_current && *m_current < m_names.size()) {
        auto* box = new QCPItemRect(m_plot);
        box->setPen(QPen(colours.accent));
        box->setBrush(colours.accentFill);
        box->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
        box->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
        box->topLeft->setCoords(static_cast<double>(*m_current) - 0.5, 0);
        box->bottomRight->setCoords(static_cast<double>(*m_current) + 0.5, 1);
    }
    m_plot->yAxis->setLabel(tr("wall time, ms"));
    m_plot->xAxis->setLabel(m_averaged ? tr("step (mean over %1 ranks)").arg(m_ranks.size())
                                       : tr("step, a bar a rank"));
    auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
    ticker->setTickStep(1);
    ticker->setTickCount(20);
    ticker->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    m_plot->xAxis->setTicker(ticker);
    m_plot->xAxis->setSubTicks(false);
    m_plot->xAxis->grid()->setVisible(false);
    if (sameSteps && !m_names.empty())
        m_plot->xAxis->setRange(before);
    else
        m_plot->xAxis->setRange(-0.6, std::max<double>(1, static_cast<double>(m_names.size())) - 0.4);
    m_plot->setProperty("steps", static_cast<qulonglong>(m_names.size()));
    m_plot->legend->setVisible(!m_bars.empty());
    m_plot->axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignRight);
    m_plot->legend->setFillOrder(QCPLegend::foColumnsFirst);
    dress(*m_plot, colours);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void StepStrip::setCurrent(std::optional<std::size_t> step) {
    if (step == m_current)
        return;
    m_current = step;
    if (step) { // keep it in sight
        const QCPRange range = m_plot->xAxis->range();
        const auto at = static_cast<double>(*step);
        if (at < range.lower || at > range.upper)
            m_plot->xAxis->setRange(at - range.size() / 2, at + range.size() / 2);
    }
    draw();
}

std::optional<std::size_t> StepStrip::stepAt(int x) const {
    const double step = std::round(m_plot->xAxis->pixelToCoord(x));
    return step >= 0 && step < static_cast<double>(m_names.size())
               ? std::optional(static_cast<std::size_t>(step))
               : std::nullopt;
}

QString StepStrip::tipOf(std::size_t step, double key) const {
    const Bar* nearest = nullptr;
    for (const Bar& bar : m_bars)
        if (!nearest || std::abs(bar.key - key) < std::abs(nearest->key - key))
            nearest = &bar;
    QString text = tr("step %1, %2").arg(step).arg(m_names[step]);
    if (nearest) {
        const auto place = static_cast<std::size_t>(
            std::max(0.0, (nearest->key - static_cast<double>(step) + kFilled / 2) / m_width));
        if (!m_averaged && place < m_ranks.size())
            text += tr("\nrank %1").arg(m_ranks[place]);
        text += tr("\nwall %1 ms: compute %2, exposed communication %3, idle %4")
                    .arg(nearest->computeMs + nearest->exposedMs + nearest->idleMs, 0, 'f', 3)
                    .arg(nearest->computeMs, 0, 'f', 3)
                    .arg(nearest->exposedMs, 0, 'f', 3)
                    .arg(nearest->idleMs, 0, 'f', 3);
    }
    if (!m_remarks[step].isEmpty())
        text += QStringLiteral("\n◆ ") + m_remarks[step];
    return text;
}

bool StepStrip::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_plot || event->type() != QEvent::ToolTip)
        return QWidget::eventFilter(watched, event);
    const auto* help = static_cast<QHelpEvent*>(event); // NOLINT: the type says so
    if (const auto step = stepAt(help->pos().x()))
        QToolTip::showText(help->globalPos(), tipOf(*step, m_plot->xAxis->pixelToCoord(help->pos().x())),
                           m_plot);
    return true;
}

void StepStrip::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        draw();
}

} // namespace lockstep
