#include "views/common/palette.h"

#include <cmath>

namespace lockstep {

namespace {

Palette makeLight() {
    Palette palette;
    palette.roles = {
        QColor(0xD55E00), QColor(0xE69F00), QColor(0x0072B2), QColor(0x56B4E9), QColor(0x009E73),
        QColor(0xCC79A7), QColor(0xF0E442), QColor(0x9AA0A6), QColor(0xD55E00), QColor(0xB3261E),
        QColor(0x5F87B0), QColor(0xB3AFA5), QColor(0xC5CBE8), QColor(0xA9C4DC), QColor(0x9CCBB8),
        QColor(0xDCD3B6), QColor(0xC4C7CB),
    };
    palette.window = QColor(0xF5F7FA);
    palette.canvas = QColor(0xFFFFFF);
    palette.text = QColor(0x202124);
    palette.mutedText = QColor(0x6B7177);
    palette.line = QColor(0xDADFE5);
    palette.accent = QColor(0x1A66C2);
    palette.accentFill = QColor(26, 102, 194, 40);
    palette.shade = QColor(0xF7F9FB);
    return palette;
}

Palette makeDark() {
    Palette palette;
    palette.roles = {
        QColor(0xFF8533), QColor(0xFFBF47), QColor(0x3E9FE0), QColor(0x86CEF7), QColor(0x2BC79A),
        QColor(0xE6A0C8), QColor(0xF7EE7F), QColor(0x8B9198), QColor(0xFF8533), QColor(0xFF6B5E),
        QColor(0x6F9AC6), QColor(0x8E8A80), QColor(0x5C638A), QColor(0x4F708E), QColor(0x47806B),
        QColor(0x7F7757), QColor(0x62676D),
    };
    palette.window = QColor(0x24262A);
    palette.canvas = QColor(0x1B1C1F);
    palette.text = QColor(0xE8EAED);
    palette.mutedText = QColor(0x9DA3AA);
    palette.line = QColor(0x3A3D42);
    palette.accent = QColor(0x6CB2FF);
    palette.accentFill = QColor(108, 178, 255, 48);
    palette.shade = QColor(0x202225);
    return palette;
}

/// Relative luminance of WCAG 2, 0 to 1.
double luminance(const QColor& colour) {
    const auto linear = [](double channel) {
        return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
           0.0722 * linear(colour.blueF());
}

} // namespace

const Palette& Palette::light() {
    static const Palette palette = makeLight();
    return palette;
}

const Palette& Palette::dark() {
    static const Palette palette = makeDark();
    return palette;
}

const Palette& Palette::of(const QPalette& palette) {
    return palette.color(QPalette::Window).lightness() < 128 ? dark() : light();
}

QColor Palette::textOn(const QColor& background) {
    const double l = luminance(background);
    // Contrast with white is 1.05 / (l + 0.05), with black (l + 0.05) / 0.05.
    return 1.05 / (l + 0.05) > (l + 0.05) / 0.05 ? QColor(Qt::white) : QColor(Qt::black);
}

} // namespace lockstep
