#pragma once

#include "views/tables/celltable.h"

#include <QLocale>

namespace lockstep {

/// A number with `decimals` after the point, thousands separated.
[[nodiscard]] inline TableCell numberCell(double value, int decimals) {
    return {QLocale(QLocale::English).toString(value, 'f', decimals), value};
}
/// Nanoseconds as milliseconds.
[[nodiscard]] inline TableCell msCell(double ns, int decimals = 3) {
    return {QLocale(QLocale::English).toString(ns / 1e6, 'f', decimals), ns};
}
/// Nanoseconds as microseconds.
[[nodiscard]] inline TableCell usCell(double ns, int decimals = 1) {
    return {QLocale(QLocale::English).toString(ns / 1e3, 'f', decimals), ns};
}

} // namespace lockstep
