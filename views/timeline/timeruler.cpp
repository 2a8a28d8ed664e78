#include "views/timeline/timeruler.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/timeline/ticks.h"
#include "views/timeline/timescale.h"

#include <QInputDialog>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

namespace lockstep {

namespace {
constexpr int kTickDistance = 100; ///< pixels, as in the lanes
constexpr int kNamedWidth = 24;    ///< steps narrower than this have no name
constexpr int kLayersWidth = 240;  ///< steps narrower than this show no layers
/// "decode · ", or nothing where the kind is not known.
QString kindText(const StepMark& step) {
    return step.kind == StepKind::Unknown ? QString() : traceText(nameOf(step.kind)) + QStringLiteral(" · ");
}

} // namespace

TimeRuler::TimeRuler(ViewState& state, int headerWidth, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_headerWidth(headerWidth) {
    setAccessibleName(tr("Time axis and steps"));
    fitFont();
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    const auto repaint = [this] {
        update();
    };
    connect(&m_state, &ViewState::visibleRangeChanged, this, repaint);
    connect(&m_state, &ViewState::shownChanged, this, [this] {
        m_layers.clear();
        update();
    });
    connect(&m_state, &ViewState::marksChanged, this, repaint);
    connect(&m_state, &ViewState::stepChanged, this, repaint);
}

void TimeRuler::fitFont() {
    m_smallFont = font();
    m_smallFont.setPointSizeF(font().pointSizeF() * 0.85);
    m_rowHeight = QFontMetrics(m_smallFont).height() + 3;
}

void TimeRuler::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) {
        fitFont();
        updateGeometry();
    }
    QWidget::changeEvent(event);
}

QSize TimeRuler::sizeHint() const {
    return {200, 3 * m_rowHeight + 1};
}

TimeScale TimeRuler::scale() const {
    const TimeRange range = m_state.visibleRange();
    return {range.empty() ? TimeRange{0, 1'000} : range, std::max(1.0, width() - m_headerWidth * 1.0)};
}

int TimeRuler::stepAt(int x) const {
    if (x < m_headerWidth)
        return -1;
    const TimeNs at = scale().toTime(x - m_headerWidth);
    const std::vector<StepMark>& steps = m_state.shown()->steps;
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (steps[i].range.contains(at))
            return static_cast<int>(i);
    return -1;
}

void TimeRuler::paintEvent(QPaintEvent*) {
    const Palette& colours = Palette::of(palette());
    QPainter painter(this);
    painter.fillRect(rect(), colours.window);
    painter.setPen(colours.line);
    painter.drawLine(0, height() - 1, width(), height() - 1);
    painter.drawLine(m_headerWidth - 1, 0, m_headerWidth - 1, height());
    painter.setFont(m_smallFont);
    if (m_state.shown()->ranks.empty())
        return;
    painter.setClipRect(m_headerWidth, 0, width() - m_headerWidth, height());
    paintTicks(painter, colours);
    paintSteps(painter, colours);
    paintLayers(painter, colours);
    paintMarks(painter, colours);
}

bool TimeRuler::layersShown(const StepMark& step) const {
    const TimeScale time = scale();
    return step.range.overlaps(time.range) &&
           static_cast<double>(step.range.length()) / time.nsPerPixel() >= kLayersWidth;
}

const std::vector<LayerMark>& TimeRuler::layers(std::size_t step) const {
    const auto known = m_layers.find(step);
    return known != m_layers.end() ? known->second
                                   : m_layers.emplace(step, layersOf(*m_state.shown(), step)).first->second;
}

std::optional<LayerMark> TimeRuler::layerAt(int x) const {
    const int step = stepAt(x);
    if (step < 0 || !layersShown(m_state.shown()->steps[static_cast<std::size_t>(step)]))
        return std::nullopt;
    const TimeNs at = scale().toTime(x - m_headerWidth);
    for (const LayerMark& mark : layers(static_cast<std::size_t>(step)))
        if (mark.range.contains(at))
            return mark;
    return std::nullopt;
}

void TimeRuler::paintLayers(QPainter& painter, const Palette& palette) const {
    const TimeScale time = scale();
    const std::vector<StepMark>& steps = m_state.shown()->steps;
    const QFontMetrics metrics = painter.fontMetrics();
    int written = m_headerWidth; // where the last number ends
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!layersShown(steps[i]))
            continue;
        for (const LayerMark& mark : layers(i)) {
            if (!mark.range.overlaps(time.range))
                continue;
            const int left = m_headerWidth + static_cast<int>(std::max(-2.0, time.toPixel(mark.range.begin)));
            const int right =
                m_headerWidth + static_cast<int>(std::min(time.toPixel(mark.range.end), time.width));
            painter.fillRect(left, 2 * m_rowHeight, 1, m_rowHeight, palette.mutedText);
            const int start = std::max(left, m_headerWidth) + 4;
            const int room = right - start - 2;
            const QString number = QString::number(mark.layer);
            const QString full = tr("layer %1").arg(number);
            const QString text = metrics.horizontalAdvance(full) <= room ? full : number;
            // Where layers are narrow, only those whose number has room beside the one before are named.
            if (start < written)
                continue;
            const int textWidth = metrics.horizontalAdvance(text);
            written = start + textWidth + 6;
            painter.setPen(palette.mutedText);
            painter.drawText(QRect(start, 2 * m_rowHeight, textWidth + 2, m_rowHeight),
                             Qt::AlignVCenter | Qt::TextSingleLine, text);
        }
    }
}

void TimeRuler::paintMarks(QPainter& painter, const Palette& palette) const {
    const TimeScale time = scale();
    for (const Mark& mark : m_state.marks()) {
        if (mark.at < time.range.begin || mark.at > time.range.end)
            continue;
        const int x = m_headerWidth + static_cast<int>(time.toPixel(mark.at));
        if (x < m_headerWidth || x > width())
            continue;
        const int textWidth = painter.fontMetrics().horizontalAdvance(mark.label) + 8;
        const QRect flag(x, 0, textWidth, m_rowHeight);
        painter.fillRect(flag, palette.accent);
        painter.fillRect(x, 0, 1, height(), palette.accent);
        painter.setPen(Palette::textOn(palette.accent));
        painter.drawText(flag, Qt::AlignCenter | Qt::TextSingleLine, mark.label);
    }
}

void TimeRuler::paintTicks(QPainter& painter, const Palette& palette) const {
    const TimeScale time = scale();
    for (const Tick& tick :
         ticksOf(time.range, m_state.shown()->span.begin, time.nsPerPixel() * kTickDistance)) {
        const int x = m_headerWidth + static_cast<int>(time.toPixel(tick.at));
        painter.fillRect(x, m_rowHeight - 5, 1, 5, palette.line);
        // A label cut at the edge would name another time.
        if (x + 4 + painter.fontMetrics().horizontalAdvance(tick.label) > width())
            continue;
        painter.setPen(palette.mutedText);
        painter.drawText(QRect(x + 4, 0, kTickDistance, m_rowHeight), Qt::AlignVCenter | Qt::TextSingleLine,
                         tick.label);
    }
}

void TimeRuler::paintSteps(QPainter& painter, const Palette& palette) const {
    const TimeScale time = scale();
    const std::vector<StepMark>& steps = m_state.shown()->steps;
    const QFontMetrics metrics = painter.fontMetrics();
    int painted = -1; // the last pixel that has a step
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!steps[i].range.overlaps(time.range))
            continue;
        const int left = m_headerWidth + static_cast<int>(std::max(-1.0, time.toPixel(steps[i].range.begin)));
        const int right =
            std::min(width(), m_headerWidth +
                                  static_cast<int>(std::min(time.toPixel(steps[i].range.end), time.width)));
        const QRect band(left, m_rowHeight, std::max(1, right - left - 1), m_rowHeight - 1);
        const bool current = m_state.step() == i;
        if (band.right() <= painted && !current) // many in one pixel
            continue;
        painted = band.right();
        painter.fillRect(band, current      ? palette.accent
                               : i % 2 == 0 ? palette.line
                                            : palette.line.lighter(106));
        if (band.width() < kNamedWidth)
            continue;
        painter.setPen(current ? Palette::textOn(palette.accent) : palette.text);
        const int room = band.width() - 8;
        const QString number = tr("step %1").arg(i);
        const QString full =
            number + QStringLiteral(" · ") + kindText(steps[i]) + durationText(steps[i].range.length());
        const QString text = metrics.horizontalAdvance(full) <= room     ? full
                             : metrics.horizontalAdvance(number) <= room ? number
                                                                         : QString::number(i);
        painter.drawText(band.adjusted(4, 0, -4, 0), Qt::AlignVCenter | Qt::TextSingleLine, text);
    }
}

/// Asks for the note of the mark whose flag is at `x`; false where there is none.
bool TimeRuler::nameMarkAt(int x) {
    const TimeScale time = scale();
    const QFontMetrics metrics(m_smallFont);
    const std::vector<Mark> marks = m_state.marks(); // which may change while the note is typed
    for (const Mark& mark : marks) {
        if (mark.at < time.range.begin || mark.at > time.range.end)
            continue;
        const int left = m_headerWidth + static_cast<int>(time.toPixel(mark.at));
        if (x < left || x > left + metrics.horizontalAdvance(mark.label) + 8)
            continue;
        bool given = false;
        const QString note = QInputDialog::getText(this, tr("Note"), tr("What is to be seen here:"),
                                                   QLineEdit::Normal, mark.label, &given);
        if (given && !note.trimmed().isEmpty())
            m_state.renameMark(mark.at, note.trimmed());
        return true;
    }
    return false;
}

void TimeRuler::mouseDoubleClickEvent(QMouseEvent* event) {
    const int x = static_cast<int>(event->position().x());
    if (event->position().y() < m_rowHeight && nameMarkAt(x))
        return;
    const int step = stepAt(x);
    if (step < 0)
        return;
    if (event->position().y() >= 2 * m_rowHeight) {
        if (const std::optional<LayerMark> layer = layerAt(x)) {
            const TimeNs room = std::max<TimeNs>(layer->range.length() / 50, ViewState::kShortestRange);
            m_state.setStep(static_cast<std::size_t>(step));
            m_state.setVisibleRange({layer->range.begin - room, layer->range.end + room});
            return;
        }
    }
    m_state.showStep(static_cast<std::size_t>(step));
}

} // namespace lockstep
