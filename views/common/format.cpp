#include "views/common/format.h"

#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace lockstep {

namespace {

/// `value` with four significant digits, never in powers of ten.
QString fourDigits(double value) {
    const double size = std::abs(value);
    const int decimals = size < 9.9995 ? 3 : size < 99.995 ? 2 : size < 999.95 ? 1 : 0;
    return QLocale::c().toString(value, 'f', decimals);
}

} // namespace

QString durationText(TimeNs duration) {
    const auto value = static_cast<double>(duration);
    const double size = std::abs(value);
    if (size < 999'950.0)
        return fourDigits(value / 1e3) + QStringLiteral(" µs");
    if (size < 999'950'000.0)
        return fourDigits(value / 1e6) + QStringLiteral(" ms");
    return fourDigits(value / 1e9) + QStringLiteral(" s");
}

QString momentText(TimeNs sinceBegin) {
    const TimeNs size = std::abs(sinceBegin);
    const auto part = [&](TimeNs unit, int decimals) {
        return QStringLiteral("%1%2.%3")
            .arg(sinceBegin < 0 ? QStringLiteral("−") : QString())
            .arg(size / unit)
            .arg(size % unit, decimals, 10, QLatin1Char('0'));
    };
    if (size < 1'000'000)
        return part(1'000, 3) + QStringLiteral(" µs");
    if (size < 1'000'000'000)
        return part(1'000'000, 6) + QStringLiteral(" ms");
    return part(1'000'000'000, 9) + QStringLiteral(" s");
}

QString countText(std::uint64_t count) {
    QLocale locale(QLocale::English);
    return locale.toString(static_cast<qulonglong>(count));
}

QString bytesText(double bytes) {
    static constexpr std::array<const char*, 4> kUnits{"B", "kB", "MB", "GB"};
    std::size_t unit = 0;
    while (bytes >= 999.5 && unit + 1 < kUnits.size()) {
        bytes /= 1000;
        ++unit;
    }
    const int decimals = unit > 0 && bytes < 99.95 ? 1 : 0;
    return QLocale::c().toString(bytes, 'f', decimals) + QLatin1Char(' ') + QLatin1String(kUnits[unit]);
}

QString countedText(std::uint64_t count, const QString& one, const QString& many) {
    return countText(count) + QLatin1Char(' ') + (count == 1 ? one : many);
}

std::string_view shortName(std::string_view name) {
    constexpr std::string_view kReturnType = "void ";
    constexpr std::string_view kAnonymous = "(anonymous namespace)::";
    const std::string_view whole = name;
    if (name.starts_with(kReturnType))
        name.remove_prefix(kReturnType.size());
    // The name proper ends where its template or call arguments begin.
    std::size_t begin = 0;
    std::size_t end = name.size();
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (c == ' ')
            return whole; // words, not a function
        if (name.substr(i).starts_with("::")) {
            begin = i + 2;
            ++i;
        } else if (name.substr(i).starts_with(kAnonymous)) {
            i += kAnonymous.size() - 1;
            begin = i + 1;
        } else if ((c == '<' || c == '(') && i > begin) {
            end = i;
            break;
        }
    }
    return begin < end ? name.substr(begin, end - begin) : whole;
}

QString traceText(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace lockstep
