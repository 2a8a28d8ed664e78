#include "app/demo.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>

namespace lockstep {

QString demoFolder() {
    const QStringList places{QCoreApplication::applicationDirPath() +
                                 QStringLiteral("/../share/lockstep/demo"),
                             QStringLiteral(LOCKSTEP_RESOURCES "/demo")};
    for (const QString& place : places)
        if (QFileInfo(place).isDir())
            return QFileInfo(place).canonicalFilePath();
    return {};
}

} // namespace lockstep
