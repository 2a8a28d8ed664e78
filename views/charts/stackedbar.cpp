#include "views/charts/stackedbar.h"

#include "views/common/palette.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <utility>

namespace lockstep {

StackedBar::StackedBar(QWidget* parent)
    : QWidget(parent) {
    setAccessibleName(tr("Parts of the step"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
}

void StackedBar::setParts(std::vector<BarPart> parts) {
    m_parts = std::move(parts);
    setVisible(total() > 0);
    update();
}

double StackedBar::total() const {
    double sum = 0;
    for (const BarPart& part : m_parts)
        sum += part.value;
    return sum;
}

int StackedBar::partAt(int x) const {
    const double whole = total();
    double begin = 0;
    for (std::size_t i = 0; i < m_parts.size() && whole > 0; ++i) {
        begin += m_parts[i].value;
        if (x < begin / whole * width())
            return static_cast<int>(i);
    }
    return -1;
}

QSize StackedBar::sizeHint() const {
    return {200, fontMetrics().height() + 8};
}

void StackedBar::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    const Palette& colours = Palette::of(palette());
    const double whole = total();
    double at = 0;
    for (const BarPart& part : m_parts) {
        const double next = at + (whole > 0 ? part.value / whole * width() : 0);
        const QRect box(qRound(at), 0, qRound(next) - qRound(at), height());
        at = next;
        if (box.width() < 1)
            continue;
        const QColor fill = part.empty ? colours.canvas : colours.of(part.role);
        QColor textColour = part.empty ? colours.mutedText : Palette::textOn(fill);
        if (part.hatched) {
            QColor pale = fill;
            pale.setAlphaF(0.18F);
            painter.fillRect(box, colours.canvas);
            painter.fillRect(box, pale);
            painter.fillRect(box, QBrush(fill, Qt::BDiagPattern));
            textColour = colours.text;
        } else {
            painter.fillRect(box, fill);
        }
        if (part.empty || part.hatched) {
            painter.setPen(part.empty ? colours.line : fill);
            painter.drawRect(box.adjusted(0, 0, -1, -1));
        }
        if (box.width() > 3)
            painter.fillRect(QRect(box.right(), 0, 1, height()), colours.window);
        const int wanted = fontMetrics().horizontalAdvance(part.label) + 8;
        if (box.width() < wanted)
            continue;
        if (part.hatched) // letters on hatching need a quiet ground
            painter.fillRect(QRect(box.center().x() - wanted / 2 + 2, 3, wanted - 4, height() - 6),
                             colours.canvas);
        painter.setPen(textColour);
        painter.drawText(box, Qt::AlignCenter, part.label);
    }
}

bool StackedBar::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event); // NOLINT: the type says so
    const int index = partAt(help->pos().x());
    if (index < 0)
        return true;
    const BarPart& part = m_parts[static_cast<std::size_t>(index)];
    const QString text = QStringLiteral("%1: %2 ms, %3 %")
                             .arg(part.label)
                             .arg(part.value, 0, 'f', 3)
                             .arg(100 * part.value / total(), 0, 'f', 1);
    QToolTip::showText(help->globalPos(), text.toHtmlEscaped(), this);
    return true;
}

} // namespace lockstep
