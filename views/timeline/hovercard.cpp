#include "views/timeline/hovercard.h"

#include "views/common/palette.h"

#include <QFontMetrics>
#include <QPainter>
#include <algorithm>

namespace lockstep {

namespace {
constexpr int kMargin = 8;
constexpr int kDistance = 14; ///< from the pointer
constexpr int kLargestWidth = 520;
} // namespace

HoverCard::HoverCard(QWidget* parent)
    : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void HoverCard::showAt(QPoint pointer, const QString& title, const QStringList& lines) {
    m_title = title;
    m_lines = lines;
    QFont bold = font();
    bold.setBold(true);
    // A name of several kilobytes need not be measured whole.
    int width = QFontMetrics(bold).horizontalAdvance(title.left(200));
    for (const QString& line : lines)
        width = std::max(width, fontMetrics().horizontalAdvance(line.left(200)));
    width = std::min(width, kLargestWidth) + 2 * kMargin + 2;
    const int height = QFontMetrics(bold).height() + 3 +
                       static_cast<int>(lines.size()) * fontMetrics().height() + 2 * kMargin - 2;
    const QRect room = parentWidget()->rect();
    QPoint corner = pointer + QPoint(kDistance, kDistance);
    if (corner.x() + width > room.right())
        corner.setX(std::max(room.left(), pointer.x() - kDistance - width));
    if (corner.y() + height > room.bottom())
        corner.setY(std::max(room.top(), pointer.y() - kDistance - height));
    setGeometry(QRect(corner, QSize(width, height)));
    show();
    raise();
    update();
}

void HoverCard::paintEvent(QPaintEvent*) {
    const Palette& colours = Palette::of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(colours.line.darker(115));
    painter.setBrush(colours.canvas);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    QFont bold = font();
    bold.setBold(true);
    const int width = this->width() - 2 * kMargin;
    int y = kMargin - 2;
    const auto draw = [&](const QFont& font, const QColor& colour, const QString& text) {
        const QFontMetrics metrics(font);
        painter.setFont(font);
        painter.setPen(colour);
        painter.drawText(QRect(kMargin, y, width + 1, metrics.height()),
                         Qt::AlignVCenter | Qt::TextSingleLine,
                         metrics.elidedText(text.left(400), Qt::ElideRight, width + 1));
        y += metrics.height();
    };
    draw(bold, colours.text, m_title);
    y += 3;
    for (const QString& line : m_lines)
        draw(font(), colours.mutedText, line);
}

} // namespace lockstep
