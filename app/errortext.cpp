#include "app/errortext.h"

#include "views/common/format.h"

#include <QFileInfo>

namespace lockstep {

QString errorText(const Error& error) {
    QString text = traceText(error.message);
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    const QString name = QFileInfo(traceText(error.file)).fileName();
    if (!name.isEmpty() && !text.contains(name))
        text = name + QStringLiteral(": ") + text;
    if (error.offset)
        text += QStringLiteral(" (at byte %1)").arg(countText(*error.offset));
    return text;
}

} // namespace lockstep
