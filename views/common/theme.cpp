#include "views/common/theme.h"

#include "views/common/outlinestyle.h"
#include "views/common/palette.h"

#include <QApplication>
#include <QToolTip>

namespace lockstep {

namespace {

QPalette paletteOf(const Palette& colours) {
    QPalette palette;
    const QColor button = colours.canvas;
    palette.setColor(QPalette::Window, colours.window);
    palette.setColor(QPalette::WindowText, colours.text);
    palette.setColor(QPalette::Base, colours.canvas);
    palette.setColor(QPalette::AlternateBase, colours.shade);
    palette.setColor(QPalette::Text, colours.text);
    palette.setColor(QPalette::PlaceholderText, colours.mutedText);
    palette.setColor(QPalette::Button, button);
    palette.setColor(QPalette::ButtonText, colours.text);
    palette.setColor(QPalette::BrightText, Qt::white);
    palette.setColor(QPalette::ToolTipBase, colours.canvas);
    palette.setColor(QPalette::ToolTipText, colours.text);
    palette.setColor(QPalette::Highlight, colours.accent);
    palette.setColor(QPalette::HighlightedText, Palette::textOn(colours.accent));
    palette.setColor(QPalette::Link, colours.accent);
    palette.setColor(QPalette::Light, colours.canvas.lighter(110));
    palette.setColor(QPalette::Midlight, colours.line.lighter(105));
    palette.setColor(QPalette::Mid, colours.line.darker(110));
    palette.setColor(QPalette::Dark, colours.line.darker(130));
    palette.setColor(QPalette::Shadow, colours.line.darker(180));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, colours.mutedText);
    return palette;
}

} // namespace

QString nameOf(ThemeChoice choice) {
    switch (choice) {
    case ThemeChoice::Light:
        return QStringLiteral("light");
    case ThemeChoice::Dark:
        return QStringLiteral("dark");
    case ThemeChoice::System:
        break;
    }
    return QStringLiteral("system");
}

ThemeChoice themeOfName(const QString& name) {
    if (name == QLatin1String("light"))
        return ThemeChoice::Light;
    return name == QLatin1String("dark") ? ThemeChoice::Dark : ThemeChoice::System;
}

Theme::Theme(QApplication& application)
    : m_application(application)
    , m_systemIsDark(application.palette().color(QPalette::Window).lightness() < 128) {
    QApplication::setStyle(new OutlineStyle);
}

void Theme::apply(ThemeChoice choice) {
    m_choice = choice;
    const bool dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && m_systemIsDark);
    const QPalette palette = paletteOf(dark ? Palette::dark() : Palette::light());
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
    m_application.setProperty("lockstepDark", dark);
}

} // namespace lockstep
