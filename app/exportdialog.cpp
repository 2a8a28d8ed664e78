#include "app/exportdialog.h"

#include "app/exporter.h"
#include "model/report/tableformats.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QFormLayout>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSaveFile>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

namespace lockstep {

namespace {

constexpr QSize kPreview{760, 430};
constexpr qsizetype kPreviewLines = 24;
constexpr qsizetype kPreviewColumns = 100;

QByteArray figureOf(const ReportView& view, int width) {
    FigureSize size;
    size.width = width;
    return view.figure ? QByteArray::fromStdString(view.figure(size)) : QByteArray();
}

/// What of a text fits into the preview.
QString headOf(const QString& text) {
    QStringList lines = text.split(QLatin1Char('\n'));
    const bool more = lines.size() > kPreviewLines;
    lines = lines.first(std::min(lines.size(), kPreviewLines));
    for (QString& line : lines)
        if (line.size() > kPreviewColumns)
            line = line.first(kPreviewColumns - 1) + QStringLiteral("…");
    if (more)
        lines << QStringLiteral("…");
    return lines.join(QLatin1Char('\n'));
}

bool isPicture(const QString& format) {
    return format == QLatin1String("png") || format == QLatin1String("svg") || format == QLatin1String("pdf");
}

} // namespace

ExportDialog::ExportDialog(std::vector<ReportView> views, const QString& runName, QWidget* parent)
    : QDialog(parent)
    , m_views(std::move(views))
    , m_runName(runName)
    , m_view(new QComboBox(this))
    , m_format(new QComboBox(this))
    , m_width(new QSpinBox(this))
    , m_scale(new QDoubleSpinBox(this))
    , m_preview(new QLabel(this))
    , m_outcome(new QLabel(this))
    , m_previews(*this) {
    setWindowTitle(tr("Export"));
    for (const ReportView& view : m_views)
        m_view->addItem(QString::fromStdString(view.name));
    for (const char* ending : {"png", "svg", "pdf", "csv", "md", "json", "tex"})
        m_format->addItem(QLatin1String(ending));
    m_width->setRange(480, 10'000);
    m_width->setValue(1200);
    m_width->setSuffix(tr(" pixels"));
    m_scale->setRange(0.5, 8);
    m_scale->setSingleStep(0.5);
    m_scale->setValue(2);
    m_outcome->setTextFormat(Qt::PlainText);
    m_outcome->setWordWrap(true);
    m_preview->setMinimumSize(kPreview);
    m_preview->setTextFormat(Qt::PlainText);
    m_preview->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_preview->setAccessibleName(tr("Preview"));

    auto* form = new QFormLayout;
    form->addRow(tr("&View"), m_view);
    form->addRow(tr("&Format"), m_format);
    form->addRow(tr("&Width"), m_width);
    form->addRow(tr("&Scale of a PNG"), m_scale);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    const auto button = [&](const QString& text, auto run) {
        QPushButton* made = buttons->addButton(text, QDialogButtonBox::ActionRole);
        connect(made, &QPushButton::clicked, this, run);
        return made;
    };
    button(tr("S&ave…"), [this] {
        save();
    })->setDefault(true);
    button(tr("Save a&ll…"), [this] {
        saveAll();
    });
    m_copyPicture = button(tr("&Copy picture"), [this] {
        copyPicture();
    });
    button(tr("Copy &table"), [this] {
        copyTable();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_view, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    connect(m_format, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    connect(m_width, &QSpinBox::valueChanged, this, &ExportDialog::refresh);
    auto* column = new QVBoxLayout(this);
    column->addLayout(form);
    column->addWidget(m_preview, 1);
    column->addWidget(m_outcome);
    column->addWidget(buttons);
    refresh();
}

void ExportDialog::choose(int view, const QString& format) {
    m_view->setCurrentIndex(view);
    m_format->setCurrentText(format);
}

const ReportView& ExportDialog::chosen() const {
    return m_views[static_cast<std::size_t>(std::max(m_view->currentIndex(), 0))];
}

void ExportDialog::refresh() {
    const QString format = m_format->currentText();
    const bool picture = isPicture(format);
    m_width->setEnabled(picture);
    m_scale->setEnabled(format == QLatin1String("png"));
    m_copyPicture->setEnabled(static_cast<bool>(chosen().figure));
    m_outcome->clear();
    if (picture && !chosen().figure) {
        m_previews.cancel();
        show({{}, tr("This view is a table: choose csv, md, json or tex.")});
        return;
    }
    // A table may take a search for the cause of a thousand stalls: not while the dialog waits.
    m_previews.start(
        [view = chosen(), format, picture, width = m_width->value(),
         ratio = devicePixelRatioF()](const std::stop_token&) {
            if (!picture) {
                const auto text = tableAs(view.table(), format.toStdString());
                return Preview{{}, headOf(QString::fromStdString(text.value_or("")))};
            }
            const QImage image = pictureOf(figureOf(view, width), 1);
            if (image.isNull())
                return Preview{{}, QObject::tr("This picture is too large to be shown here.")};
            return Preview{image.scaled((QSizeF(kPreview) * ratio).toSize(), Qt::KeepAspectRatio,
                                        Qt::SmoothTransformation),
                           {}};
        },
        [this](const Preview& preview) {
            show(preview);
        });
}

void ExportDialog::show(const Preview& preview) {
    if (preview.picture.isNull()) {
        m_preview->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        m_preview->setText(preview.text);
        return;
    }
    QPixmap pixmap = QPixmap::fromImage(preview.picture);
    pixmap.setDevicePixelRatio(devicePixelRatioF());
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setPixmap(pixmap);
}

QString ExportDialog::writeView(const ReportView& view, const QString& file) const {
    const std::string ending = QFileInfo(file).suffix().toLower().toStdString();
    if (isPicture(QString::fromStdString(ending)) && !view.figure)
        return tr("%1 is a table: choose csv, md, json or tex").arg(QString::fromStdString(view.name));
    if (isPicture(QString::fromStdString(ending)))
        return writePicture(figureOf(view, m_width->value()), file, m_scale->value());
    const auto text = tableAs(view.table(), ending);
    if (!text)
        return tr("%1: the ending says the format: png, svg, pdf, csv, md, json or tex").arg(file);
    QSaveFile out(file);
    const bool written =
        out.open(QIODevice::WriteOnly) &&
        out.write(text->data(), static_cast<qint64>(text->size())) == static_cast<qint64>(text->size()) &&
        out.commit();
    return written ? QString() : tr("%1 cannot be written: %2").arg(file, out.errorString());
}

QString ExportDialog::fileNameOf(const ReportView& view) const {
    QString run = m_runName;
    run.replace(QLatin1Char('/'), QLatin1Char('_'));
    return QStringLiteral("%1-%2.%3").arg(run, QString::fromStdString(view.id), m_format->currentText());
}

QString ExportDialog::write(const QString& file) const {
    return writeView(chosen(), file);
}

QString ExportDialog::writeAll(const QString& folder) const {
    for (const ReportView& view : m_views) {
        if (isPicture(m_format->currentText()) && !view.figure)
            continue;
        const QString name = fileNameOf(view);
        if (const QString problem = writeView(view, QDir(folder).filePath(name)); !problem.isEmpty())
            return problem;
    }
    return {};
}

void ExportDialog::tell(const QString& problem, const QString& done) {
    m_outcome->setText(problem.isEmpty() ? done : problem);
}

void ExportDialog::save() {
    const QString file = QFileDialog::getSaveFileName(this, tr("Export"), fileNameOf(chosen()));
    if (!file.isEmpty())
        tell(write(file), tr("%1 was written").arg(file));
}

void ExportDialog::saveAll() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Export all views into"));
    if (!folder.isEmpty())
        tell(writeAll(folder),
             isPicture(m_format->currentText())
                 ? tr("All pictures were written into %1; the other views are tables.").arg(folder)
                 : tr("All views were written into %1.").arg(folder));
}

void ExportDialog::copyPicture() {
    QApplication::clipboard()->setImage(pictureOf(figureOf(chosen(), m_width->value()), m_scale->value()));
    m_outcome->setText(tr("The picture was copied."));
}

void ExportDialog::copyTable() {
    const ReportTable table = chosen().table();
    auto* content = new QMimeData;
    if (const auto text = tableAs(table, "md"))
        content->setText(QString::fromStdString(*text));
    if (const auto csv = tableAs(table, "csv"))
        content->setData(QStringLiteral("text/csv"), QByteArray::fromStdString(*csv));
    content->setHtml(QString::fromStdString(toHtml(table)));
    QApplication::clipboard()->setMimeData(content);
    m_outcome->setText(tr("The table was copied: as text, as CSV and as HTML."));
}

} // namespace lockstep
