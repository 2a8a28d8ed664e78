#pragma once

#include <QPalette>
#include <QString>

class QApplication;

namespace lockstep {

enum class ThemeChoice { System, Light, Dark };

/// The stable word of a choice for settings and arguments: "system", "light", "dark".
[[nodiscard]] QString nameOf(ThemeChoice choice);
/// The choice of a word; System where it is none.
[[nodiscard]] ThemeChoice themeOfName(const QString& name);

/// Puts the light or dark look on the program; what the system wants is read from the palette it gave at the
/// start.
class Theme {
public:
    /// Made once the application is there and before its palette is changed.
    explicit Theme(QApplication& application);

    void apply(ThemeChoice choice);
    [[nodiscard]] ThemeChoice choice() const { return m_choice; }

private:
    QApplication& m_application;
    bool m_systemIsDark;
    ThemeChoice m_choice = ThemeChoice::System;
};

} // namespace lockstep
