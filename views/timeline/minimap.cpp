#include "views/timeline/minimap.h"

#include "views/common/colouring.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/timeline/timescale.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace lockstep {

namespace {
constexpr int kMargin = 5;
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
    connect(&m_state, &ViewState::shownChanged, this, [this] {
        setRoles({});
    });
    setRoles({});
}

QSize Minimap::sizeHint() const {
    return {200, 2 * fontMetrics().height() + 12};
}

void Minimap::setRoles(RoleOf roles) {
    m_roleOf = std::move(roles);
    if (!m_roleOf)
        m_roleOf = [run = m_state.shown()](std::size_t rank, EventId event) {
            return roleOf(*run, rank, event);
        };
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
    const auto ranks = static_cast<double>(shown.ranks.size());
    const double rowHeight = (height() - 1 - 2 * kMargin) / ranks;
    std::vector<Span> spans;
    for (std::size_t r = 0; r < shown.ranks.size(); ++r) {
        const ShownRank& rank = shown.ranks[r];
        const int top = kMargin + static_cast<int>(std::floor(static_cast<double>(r) * rowHeight));
        const int bottom = kMargin + static_cast<int>(std::floor(static_cast<double>(r + 1) * rowHeight));
        const int thickness = std::clamp(bottom - top - 1, 1, 8);
        for (const LaneId lane : summaryLanes(*rank.trace)) {
            visibleSpans(rank.trace->events, rank.trace->lanes[lane.index()], (*rank.pyramids)[lane.index()],
                         rank.toOwn(time.range), static_cast<int>(time.width), spans);
            for (const Span& span : spans)
                painter.fillRect(m_headerWidth + span.left, top, span.right - span.left, thickness,
                                 palette.of(m_roleOf(r, span.event)));
        }
    }
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
    veil.setAlpha(150);
    painter.fillRect(QRect(QPoint(m_headerWidth, 0), QPoint(shownWindow.left() - 1, height() - 2)), veil);
    painter.fillRect(QRect(QPoint(shownWindow.right() + 1, 0), QPoint(width(), height() - 2)), veil);
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
        m_picture = {};
}

} // namespace lockstep
