#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>

namespace lockstep {

/// The picture that an SVG text is, `scale` pixels for one of its own; null where it is none, or too large.
[[nodiscard]] QImage pictureOf(const QByteArray& svg, double scale);

/// Writes an SVG text to `file` as what its ending says: `.svg` as it is, `.png` with `scale` pixels for one
/// of its own, `.pdf` as vectors with text as text and its fonts within. An empty string where that was done,
/// else a sentence.
[[nodiscard]] QString writePicture(const QByteArray& svg, const QString& file, double scale);

} // namespace lockstep
