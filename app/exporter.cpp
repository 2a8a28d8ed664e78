#include "app/exporter.h"

#include <QMarginsF>
#include <QObject>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgRenderer>

namespace lockstep {

namespace {

constexpr double kPointsPerPixel = 0.75;    // 96 pixels and 72 points an inch
constexpr double kMostPixels = 200'000'000; // of a PNG

bool writePdf(QSvgRenderer& renderer, QIODevice& device) {
    QPdfWriter writer(&device);
    writer.setCreator(QStringLiteral("Lockstep " LOCKSTEP_VERSION));
    const QSizeF points = QSizeF(renderer.defaultSize()) * kPointsPerPixel;
    writer.setPageSize(QPageSize(points, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    QPainter painter(&writer);
    if (!painter.isActive())
        return false;
    renderer.render(&painter, QRectF(0, 0, writer.width(), writer.height()));
    return painter.end();
}

} // namespace

QImage pictureOf(const QByteArray& svg, double scale) {
    QSvgRenderer renderer(svg);
    const QSizeF size = QSizeF(renderer.defaultSize()) * scale;
    if (!renderer.isValid() || size.isEmpty() || size.width() * size.height() > kMostPixels)
        return {};
    QImage image(size.toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    renderer.render(&painter);
    return image;
}

QString writePicture(const QByteArray& svg, const QString& file, double scale) {
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly))
        return QObject::tr("%1 cannot be written: %2").arg(file, out.errorString());
    bool written = false;
    if (file.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
        written = out.write(svg) == svg.size();
    } else if (file.endsWith(QLatin1String(".png"), Qt::CaseInsensitive)) {
        const QImage image = pictureOf(svg, scale);
        written = !image.isNull() && image.save(&out, "PNG");
    } else if (file.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)) {
        QSvgRenderer renderer(svg);
        written = renderer.isValid() && writePdf(renderer, out);
    } else {
        return QObject::tr("%1: the ending says the format: .png, .svg or .pdf").arg(file);
    }
    if (!written || !out.commit())
        return QObject::tr("%1 could not be drawn").arg(file);
    return {};
}

} // namespace lockstep
