#pragma once

#include "views/tables/celltable.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

namespace lockstep {

/// With thousands set off and a real minus; what rounds to nothing has no sign.
[[nodiscard]] inline QString numberText(double value, int decimals) {
    const QString text = QLocale(QLocale::English).toString(std::abs(value), 'f', decimals);
    const bool nothing = std::none_of(text.begin(), text.end(), [](QChar c) {
        return c >= QLatin1Char('1') && c <= QLatin1Char('9');
    });
    return value < 0 && !nothing ? QStringLiteral("−") + text : text;
}
/// A number with `decimals` after the point, thousands separated.
[[nodiscard]] inline TableCell numberCell(double value, int decimals) {
    return {numberText(value, decimals), value};
}
/// Nanoseconds as milliseconds.
[[nodiscard]] inline TableCell msCell(double ns, int decimals = 3) {
    return {numberText(ns / 1e6, decimals), ns};
}
/// Nanoseconds as microseconds.
[[nodiscard]] inline TableCell usCell(double ns, int decimals = 1) {
    return {numberText(ns / 1e3, decimals), ns};
}

} // namespace lockstep
