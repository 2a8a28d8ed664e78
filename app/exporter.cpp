#include "app/exporter.h"

#include <QBuffer>
#include <QFontMetricsF>
#include <QMarginsF>
#include <QObject>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgRenderer>
#include <QXmlStreamReader>
#include <QXmlStreamWriter>
#include <vector>

namespace lockstep {

namespace {

constexpr double kPixelsPerInch = 96;
constexpr double kPointsPerPixel = 72 / kPixelsPerInch;
constexpr int kDotsPerMetre = 3780;         // 96 an inch
constexpr double kMostPixels = 200'000'000; // of a PNG

/// A line of text of a drawing. Qt's SVG renderer would make shapes of it, which a PDF cannot be searched
/// for.
struct TextLine {
    QPointF at; ///< of the baseline, in the drawing's pixels
    double size = 12;
    double anchor = 0; ///< the part of its width that lies left of `at`
    QColor colour;
    bool bold = false;
    QString text;
};

/// A drawing's shapes and the text above them.
struct Drawing {
    QByteArray shapes;
    std::vector<TextLine> lines;
    QStringList families;
    QString title;
};

TextLine textLineOf(QXmlStreamReader& reader) {
    const QXmlStreamAttributes attributes = reader.attributes();
    const auto number = [&](const char* name) {
        return attributes.value(QLatin1String(name)).toDouble();
    };
    TextLine line;
    line.at = {number("x"), number("y")};
    line.size = number("font-size");
    const auto anchor = attributes.value(QLatin1String("text-anchor"));
    line.anchor = anchor == QLatin1String("middle") ? 0.5 : anchor == QLatin1String("end") ? 1.0 : 0.0;
    line.colour = QColor(attributes.value(QLatin1String("fill")).toString());
    line.bold = attributes.value(QLatin1String("font-weight")) == QLatin1String("bold");
    line.text = reader.readElementText(QXmlStreamReader::IncludeChildElements);
    return line;
}

Drawing readDrawing(const QByteArray& svg) {
    Drawing drawing;
    QXmlStreamReader reader(svg);
    QXmlStreamWriter writer(&drawing.shapes);
    while (!reader.atEnd()) {
        reader.readNext();
        if (reader.hasError())
            return {};
        if (reader.isStartElement() && reader.name() == QLatin1String("svg"))
            drawing.families = reader.attributes()
                                   .value(QLatin1String("font-family"))
                                   .toString()
                                   .split(QStringLiteral(", "));
        if (reader.isStartElement() && reader.name() == QLatin1String("text"))
            drawing.lines.push_back(textLineOf(reader));
        else if (reader.isStartElement() && reader.name() == QLatin1String("title"))
            drawing.title = reader.readElementText();
        else
            writer.writeCurrentToken(reader);
    }
    return drawing;
}

/// Paints the whole drawing, `scale` pixels of the device for one of its own.
void paintDrawing(QPainter& painter, QSvgRenderer& renderer, const Drawing& drawing, double scale) {
    renderer.render(&painter, QRectF(QPointF(), QSizeF(renderer.defaultSize()) * scale));
    for (const TextLine& line : drawing.lines) {
        QFont font;
        font.setFamilies(drawing.families);
        font.setPointSizeF(line.size * scale * 72 / painter.device()->logicalDpiY());
        font.setBold(line.bold);
        font.setHintingPreference(QFont::PreferNoHinting);
        painter.setFont(font);
        painter.setPen(line.colour);
        const double width = QFontMetricsF(font, painter.device()).horizontalAdvance(line.text);
        painter.drawText(line.at * scale - QPointF(line.anchor * width, 0), line.text);
    }
}

/// The file's date would make every export another file: its place is left blank.
void blankDate(QByteArray& pdf) {
    const qsizetype at = pdf.indexOf("/CreationDate");
    const qsizetype end = at < 0 ? -1 : pdf.indexOf(')', at);
    for (qsizetype i = at; i >= 0 && i <= end; ++i)
        pdf[i] = ' ';
}

QByteArray pdfOf(QSvgRenderer& renderer, const Drawing& drawing) {
    QByteArray pdf;
    QBuffer buffer(&pdf);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setCreator(QStringLiteral("Lockstep " LOCKSTEP_VERSION));
    writer.setTitle(drawing.title);
    const QSizeF points = QSizeF(renderer.defaultSize()) * kPointsPerPixel;
    writer.setPageSize(QPageSize(points, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    QPainter painter(&writer);
    if (!painter.isActive())
        return {};
    paintDrawing(painter, renderer, drawing, writer.resolution() / kPixelsPerInch);
    painter.end();
    blankDate(pdf);
    return pdf;
}

} // namespace

QImage pictureOf(const QByteArray& svg, double scale) {
    const Drawing drawing = readDrawing(svg);
    QSvgRenderer renderer(drawing.shapes);
    const QSizeF size = QSizeF(renderer.defaultSize()) * scale;
    if (!renderer.isValid() || size.isEmpty() || size.width() * size.height() > kMostPixels)
        return {};
    QImage image(size.toSize(), QImage::Format_RGB32);
    image.setDotsPerMeterX(kDotsPerMetre);
    image.setDotsPerMeterY(kDotsPerMetre);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    paintDrawing(painter, renderer, drawing, scale);
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
        if (!QSvgRenderer(readDrawing(svg).shapes).isValid())
            return QObject::tr("%1 could not be drawn: this is no drawing").arg(file);
        const QImage image = pictureOf(svg, scale);
        if (image.isNull())
            return QObject::
                tr("%1: the picture would be larger than %2 million pixels: choose a smaller size or scale")
                    .arg(file)
                    .arg(kMostPixels / 1e6);
        written = image.save(&out, "PNG");
    } else if (file.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)) {
        const Drawing drawing = readDrawing(svg);
        QSvgRenderer renderer(drawing.shapes);
        if (!renderer.isValid())
            return QObject::tr("%1 could not be drawn: this is no drawing").arg(file);
        const QByteArray pdf = pdfOf(renderer, drawing);
        written = !pdf.isEmpty() && out.write(pdf) == pdf.size();
    } else {
        return QObject::tr("%1: the ending says the format: .png, .svg or .pdf").arg(file);
    }
    if (!written || !out.commit())
        return QObject::tr("%1 could not be written: %2").arg(file, out.errorString());
    return {};
}

} // namespace lockstep
