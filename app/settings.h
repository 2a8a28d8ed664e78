#pragma once

#include "views/common/theme.h"

#include <QByteArray>
#include <QSettings>
#include <QStringList>

namespace lockstep {

/// What outlives the program: window state, recent runs, theme.
class Settings {
public:
    static constexpr qsizetype kMostRecent = 10;

    /// The user's own settings, or those of `file`.
    explicit Settings(const QString& file = {});

    [[nodiscard]] QByteArray geometry() const;
    [[nodiscard]] QByteArray windowState() const;
    void setWindow(const QByteArray& geometry, const QByteArray& state);

    [[nodiscard]] ThemeChoice theme() const;
    void setTheme(ThemeChoice choice);

    /// The file that keeps the user's category rules, beside the settings.
    [[nodiscard]] QString categoryFile() const;

    /// Newest first; a run of several files is their paths parted by newlines.
    [[nodiscard]] QStringList recentRuns() const;
    void addRecentRun(const QStringList& paths);
    void clearRecentRuns();

private:
    QSettings m_settings;
};

} // namespace lockstep
