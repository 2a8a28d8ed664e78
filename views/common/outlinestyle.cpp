#include "views/common/outlinestyle.h"

#include "views/common/palette.h"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOptionButton>
#include <QStyleOptionComboBox>
#include <QStyleOptionFrame>
#include <QStyleOptionSpinBox>
#include <optional>

namespace lockstep {

namespace {

/// Fusion's outlines are its window colour, darker by 140 %: of the muted text's colour that is a grey which
/// can be seen on dark and is no text.
QPalette withOutlines(QPalette palette) {
    const Palette& colours = Palette::of(palette);
    if (&colours == &Palette::dark())
        palette.setColor(QPalette::Window, colours.mutedText);
    return palette;
}

template <class Option>
std::optional<Option> outlined(const QStyleOption* option) {
    const auto* own = qstyleoption_cast<const Option*>(option);
    if (!own)
        return std::nullopt;
    Option drawn = *own;
    drawn.palette = withOutlines(own->palette);
    return drawn;
}

} // namespace

OutlineStyle::OutlineStyle()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void OutlineStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                 const QWidget* widget) const {
    if (element == PE_PanelButtonTool && option->state.testFlag(State_On)) {
        const Palette& colours = Palette::of(option->palette);
        painter->setPen(colours.accent);
        painter->setBrush(colours.accentFill);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        return;
    }
    const bool box = element == PE_IndicatorCheckBox || element == PE_IndicatorRadioButton;
    if (element == PE_PanelLineEdit || element == PE_FrameLineEdit) {
        if (const auto frame = outlined<QStyleOptionFrame>(option)) {
            QProxyStyle::drawPrimitive(element, &*frame, painter, widget);
            return;
        }
    } else if (box || element == PE_PanelButtonCommand) {
        if (const auto button = outlined<QStyleOptionButton>(option)) {
            QProxyStyle::drawPrimitive(element, &*button, painter, widget);
            return;
        }
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void OutlineStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                      QPainter* painter, const QWidget* widget) const {
    if (const auto spin = outlined<QStyleOptionSpinBox>(option))
        QProxyStyle::drawComplexControl(control, &*spin, painter, widget);
    else if (const auto combo = outlined<QStyleOptionComboBox>(option))
        QProxyStyle::drawComplexControl(control, &*combo, painter, widget);
    else
        QProxyStyle::drawComplexControl(control, option, painter, widget);
}

} // namespace lockstep
