#pragma once

#include <QProxyStyle>

namespace lockstep {

/// Fusion, with outlines of inputs, buttons and boxes that stand out on a dark window too: there it draws
/// them darker than the window, where nobody sees them.
class OutlineStyle : public QProxyStyle {
public:
    OutlineStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
};

} // namespace lockstep
