#include "views/timeline/minimap.h"

#include "model/analysis/waitdensity.h"
#include "model/layout/visiblespans.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/timeline/columnstrip.h"
#include "views/timeline/stallparts.h"
#include "views/timeline/timelinepainter.h"
#include "views/timeline/timescale.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace lockstep {

namespace {
constexpr int kMargin = 6;
constexpr int kMixHeight = 9;   ///< of the strip that says what the GPUs do
constexpr int kLeastWindow = 4; ///< pixels, so that it can be seen and grabbed
} // namespace

Minimap::Minimap(ViewState& state, int headerWidth, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_headerWidth(headerWidth) {
    setAccessibleName(tr("Overview of the run"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&m_state, &ViewState::visibleRangeChanged, this, [this] {
        update();
    });
    for (const auto signal :
         {&ViewState::shownChanged, &ViewState::colouringChanged, &ViewState::searchChanged})
        connect(&m_state, signal, this, &Minimap::forgetPicture);
    for (const auto signal :
         {&ViewState::marksChanged, &ViewState::stepChanged, &ViewState::currentStallChanged})
        connect(&m_state, signal, this, [this] {
            update();
        });
}

QSize Minimap::sizeHint() const {
    return {200, 2 * fontMetrics().height() + 14};
}

void Minimap::forgetPicture() {
    m_picture = {};
    update();
}

TimeScale Minimap::scale() const {
    const TimeRange full = m_state.fullRange();
    return {full.empty() ? TimeRange{0, 1'000} : full, std::max(1.0, width() - m_headerWidth * 1.0)};
}

QRect Minimap::window() const {
    const TimeScale time = scale();
    const double left = time.toPixel(m_state.visibleRange().begin);
    const double right = time.toPixel(m_state.visibleRange().end);
    const double middle = (left + right) / 2;
    const double half = std::max((right - left) / 2, kLeastWindow / 2.0);
    return QRect(m_headerWidth + static_cast<int>(std::round(middle - half)), 0,
                 std::max(kLeastWindow, static_cast<int>(std::round(2 * half))), height() - 1);
}

QString Minimap::caption() const {
    const ShownRun& shown = *m_state.shown();
    if (shown.steps.empty())
        return tr("run · %1").arg(durationText(shown.span.length()));
    return tr("run · %1").arg(countedText(shown.steps.size(), tr("step"), tr("steps")));
}

void Minimap::drawRun(const Palette& palette) {
    m_picture = QPixmap(size() * devicePixelRatioF());
    m_picture.setDevicePixelRatio(devicePixelRatioF());
    m_picture.fill(palette.window);
    const ShownRun& shown = *m_state.shown();
    if (shown.ranks.empty())
        return;
    QPainter painter(&m_picture);
    const TimeScale time = scale();
    for (const StepMark& step : shown.steps)
        painter.fillRect(m_headerWidth + static_cast<int>(time.toPixel(step.range.begin)), 0, 1, height(),
                         palette.line);
    drawMix(painter, palette);
    drawWaiting(painter, palette);
    drawHits(painter, palette);
}

void Minimap::drawMix(QPainter& painter, const Palette& palette) const {
    const ShownRun& shown = *m_state.shown();
    const TimeScale time = scale();
    const int width = static_cast<int>(time.width);
    ColumnStrip strip;
    // All ranks together: a column is full where each has one stream busy.
    strip.begin(width, time.nsPerPixel() * static_cast<double>(shown.ranks.size()));
    std::vector<Span> spans;
    for (std::size_t r = 0; r < shown.ranks.size(); ++r) {
        const ShownRank& rank = shown.ranks[r];
        const RankColours* colours = m_state.colouring() ? m_state.colouring()->ranks[r].get() : nullptr;
        for (const LaneId lane : summaryLanes(*rank.trace)) {
            visibleSpans(rank.trace->events, rank.trace->lanes[lane.index()], (*rank.pyramids)[lane.index()],
                         rank.toOwn(time.range), width, spans);
            for (const Span& span : spans) {
                LaneMix::Times times{};
                if (colours)
                    times = colours->mixes[lane.index()].timesOf(rank.trace->events, colours->classes,
                                                                 span.first, span.first + span.count);
                else
                    times[static_cast<std::size_t>(roleOf(shown, r, span.event))] =
                        rank.trace->events.duration(span.event);
                strip.add(span.left, span.right, times);
            }
        }
    }
    painter.drawImage(m_headerWidth, kMargin, strip.picture(kMixHeight, LaneColours::of(palette)));
}

void Minimap::drawWaiting(QPainter& painter, const Palette& palette) const {
    const ShownRun& shown = *m_state.shown();
    if (!shown.analysis)
        return;
    const TimeScale time = scale();
    const std::vector<double> density =
        waitDensity(*shown.analysis, time.range, static_cast<int>(time.width));
    // A few columns that wait all the time must not flatten the others.
    std::vector<double> sorted = density;
    std::sort(sorted.begin(), sorted.end());
    const double most = sorted.empty() ? 0 : std::max(sorted[sorted.size() * 99 / 100], sorted.back() / 4);
    if (most <= 0)
        return;
    const int bottom = height() - 2;
    const int room = bottom - kMargin - kMixHeight - 2;
    for (std::size_t x = 0; x < density.size(); ++x) {
        const double part = std::min(density[x] / most, 1.0);
        if (part < 0.01)
            continue;
        QColor colour = palette.of(ColourRole::AllReduce);
        colour.setAlphaF(static_cast<float>(0.35 + 0.65 * part));
        const int bar = std::max(1, static_cast<int>(std::round(part * room)));
        painter.fillRect(m_headerWidth + static_cast<int>(x), bottom - bar, 1, bar, colour);
    }
}

void Minimap::drawHits(QPainter& painter, const Palette& palette) const {
    if (!m_state.search())
        return;
    const TimeScale time = scale();
    const ShownRun& shown = *m_state.shown();
    int drawn = -1;
    for (const EventRef& hit : m_state.search()->hits) {
        const ShownRank& rank = shown.ranks[hit.rank];
        const int x =
            static_cast<int>(time.toPixel(rank.clock.toRunTime(rank.trace->events.begin(hit.event))));
        if (x == drawn)
            continue;
        drawn = x;
        painter.fillRect(m_headerWidth + x, 0, 1, kMargin - 1, palette.accent);
    }
}

void Minimap::drawMarks(QPainter& painter, const Palette& palette) const {
    const TimeScale time = scale();
    for (const Mark& mark : m_state.marks())
        painter.fillRect(m_headerWidth + static_cast<int>(time.toPixel(mark.at)) - 1, 0, 2, height() - 1,
                         palette.accent);
    const ShownRun& shown = *m_state.shown();
    if (m_state.currentStall() && shown.analysis)
        painter.fillRect(m_headerWidth +
                             static_cast<int>(time.toPixel(lastArrivalOf(shown, *m_state.currentStall()))),
                         0, 2, height() - 1, palette.of(ColourRole::Lateness));
}

void Minimap::paintEvent(QPaintEvent*) {
    const Palette& colours = Palette::of(palette());
    if (m_picture.isNull() || m_picture.size() != size() * devicePixelRatioF())
        drawRun(colours);
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_picture);
    painter.setPen(colours.line);
    painter.drawLine(0, height() - 1, width(), height() - 1);
    if (m_state.shown()->ranks.empty())
        return;
    painter.setPen(colours.mutedText);
    painter.drawText(QRect(8, 0, m_headerWidth - 12, height()), Qt::AlignVCenter | Qt::TextSingleLine,
                     caption());
    const QRect shownWindow = window();
    QColor veil = colours.window;
    veil.setAlpha(90);
    painter.fillRect(QRect(QPoint(m_headerWidth, 0), QPoint(shownWindow.left() - 1, height() - 2)), veil);
    painter.fillRect(QRect(QPoint(shownWindow.right() + 1, 0), QPoint(width(), height() - 2)), veil);
    drawMarks(painter, colours);
    painter.setPen(colours.accent);
    painter.drawRect(shownWindow.adjusted(0, 0, -1, -1));
}

void Minimap::mousePressEvent(QMouseEvent* event) {
    const double x = event->position().x();
    const QRect grip = window();
    const double middle = grip.left() + grip.width() / 2.0;
    const bool inside = x >= grip.left() && x <= grip.right();
    m_grabbed = inside ? middle - x : 0;
    if (!inside && x >= m_headerWidth)
        moveWindowTo(x);
}

void Minimap::mouseDoubleClickEvent(QMouseEvent* event) {
    const TimeNs at = scale().toTime(event->position().x() - m_headerWidth);
    const std::vector<StepMark>& steps = m_state.shown()->steps;
    const auto step = std::find_if(steps.begin(), steps.end(), [&](const StepMark& mark) {
        return mark.range.contains(at);
    });
    if (step != steps.end() && event->position().x() >= m_headerWidth)
        m_state.showStep(static_cast<std::size_t>(step - steps.begin()));
}

void Minimap::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton))
        moveWindowTo(event->position().x() + m_grabbed);
}

void Minimap::moveWindowTo(double middle) {
    const TimeNs at = scale().toTime(middle - m_headerWidth);
    const TimeNs length = m_state.visibleRange().length();
    m_state.setVisibleRange({at - length / 2, at - length / 2 + length}, ViewState::Move::Glide);
}

void Minimap::wheelEvent(QWheelEvent* event) {
    const TimeScale visible{m_state.visibleRange(), 100};
    m_state.setVisibleRange(visible.zoomed(std::pow(0.8, event->angleDelta().y() / 120.0), 50),
                            ViewState::Move::Glide);
    event->accept();
}

void Minimap::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        forgetPicture();
}

} // namespace lockstep
