#include "app/settings.h"

#include <QDir>
#include <QFileInfo>

namespace lockstep {

namespace {
const QString kGeometry = QStringLiteral("window/geometry");
const QString kState = QStringLiteral("window/state");
const QString kTheme = QStringLiteral("window/theme");
const QString kRecent = QStringLiteral("runs/recent");
} // namespace

Settings::Settings(const QString& file)
    : m_settings(file.isEmpty() ? QSettings(QSettings::IniFormat, QSettings::UserScope,
                                            QStringLiteral("lockstep"), QStringLiteral("lockstep"))
                                      .fileName()
                                : file,
                 QSettings::IniFormat) {}

QByteArray Settings::geometry() const {
    return m_settings.value(kGeometry).toByteArray();
}

QByteArray Settings::windowState() const {
    return m_settings.value(kState).toByteArray();
}

void Settings::setWindow(const QByteArray& geometry, const QByteArray& state) {
    m_settings.setValue(kGeometry, geometry);
    m_settings.setValue(kState, state);
}

ThemeChoice Settings::theme() const {
    return themeOfName(m_settings.value(kTheme).toString());
}

void Settings::setTheme(ThemeChoice choice) {
    m_settings.setValue(kTheme, nameOf(choice));
}

QString Settings::categoryFile() const {
    return QFileInfo(m_settings.fileName()).absoluteDir().filePath(QStringLiteral("categories.json"));
}

QStringList Settings::recentRuns() const {
    return m_settings.value(kRecent).toStringList();
}

void Settings::addRecentRun(const QStringList& paths) {
    QStringList runs = recentRuns();
    const QString entry = paths.join(QLatin1Char('\n'));
    runs.removeAll(entry);
    runs.prepend(entry);
    m_settings.setValue(kRecent, QStringList(runs.mid(0, kMostRecent)));
}

void Settings::clearRecentRuns() {
    m_settings.remove(kRecent);
}

} // namespace lockstep
