#include "app/exportdialog.h"
#include "app/exporter.h"
#include "model/run/runloader.h"
#include "tests/support/qttest.h"
#include "tests/support/runbuilder.h"

#include <QClipboard>
#include <QFile>
#include <QMimeData>

using namespace lockstep;
using namespace lockstep::test;

namespace {

std::vector<ReportView> viewsOf(const TemporaryFolder& folder) {
    RunBuilder builder(2);
    for (int step = 0; step < 3; ++step)
        builder.step(step).compute("<b>gemm</b>", 30us).allReduce({{step % 2, 20us}});
    const auto run = loadRun(builder.writeTo(folder));
    auto subject = reportSubject(analyseRun(*run));
    return reportViews({std::make_shared<const ReportSubject>(std::move(*subject)), nullptr, {}, {}});
}

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class WindowExportTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnQtWarnings(); }

    void drawsPngOfTheScaleAndPdfAsVectors() {
        const QTemporaryDir folder;
        const QByteArray svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"200\" height=\"100\" "
                               "viewBox=\"0 0 200 100\"><rect width=\"200\" height=\"100\" fill=\"#D55E00\"/>"
                               "<text x=\"10\" y=\"50\" font-size=\"12\">rank 0</text></svg>";
        QCOMPARE(writePicture(svg, folder.filePath(QStringLiteral("a.png")), 2), QString());
        const QImage image(folder.filePath(QStringLiteral("a.png")));
        QCOMPARE(image.size(), QSize(400, 200));
        QCOMPARE(image.pixelColor(399, 199), QColor(0xD5, 0x5E, 0x00));
        QCOMPARE(writePicture(svg, folder.filePath(QStringLiteral("a.pdf")), 1), QString());
        const QByteArray pdf = contents(folder.filePath(QStringLiteral("a.pdf")));
        QVERIFY(pdf.startsWith("%PDF"));
        QVERIFY(!pdf.contains("/Subtype /Image")); // shapes, not a picture of them
        QVERIFY(pdf.contains("/FontFile2"));       // text as text, its font within
        QVERIFY(pdf.contains("/ToUnicode"));       // that can be searched for
        QVERIFY(!pdf.contains("/CreationDate"));
        QCOMPARE(writePicture(svg, folder.filePath(QStringLiteral("b.pdf")), 1), QString());
        QCOMPARE(contents(folder.filePath(QStringLiteral("b.pdf"))), pdf);
        QCOMPARE(writePicture(svg, folder.filePath(QStringLiteral("a.svg")), 1), QString());
        QCOMPARE(contents(folder.filePath(QStringLiteral("a.svg"))), svg);
    }

    void saysWhatItCannotWrite() {
        const QTemporaryDir folder;
        QVERIFY(!writePicture("<svg", folder.filePath(QStringLiteral("a.png")), 1).isEmpty());
        QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("a.png"))));
        QVERIFY(!writePicture("<svg/>", folder.filePath(QStringLiteral("a.doc")), 1).isEmpty());
        QVERIFY(!writePicture("<svg/>", QStringLiteral("/nowhere/a.svg"), 1).isEmpty());
    }

    void writesEveryViewInEveryFormat() {
        const TemporaryFolder traces;
        const QTemporaryDir folder;
        ExportDialog dialog(viewsOf(traces), QStringLiteral("run"));
        for (const char* format : {"png", "svg", "pdf", "csv", "md", "json", "tex"}) {
            dialog.choose(0, QLatin1String(format));
            QCOMPARE(dialog.writeAll(folder.path()), QString());
            for (const char* view :
                 {"timeline", "breakdown", "breakdown-wall", "stalls", "stall-map", "steps"})
                QVERIFY2(QFile::exists(folder.filePath(
                             QStringLiteral("run-%1.%2").arg(QLatin1String(view), QLatin1String(format)))),
                         view);
        }
        QVERIFY(!contents(folder.filePath(QStringLiteral("run-timeline.md"))).contains("<b>"));
    }

    void copiesPictureAndTable() {
        const TemporaryFolder traces;
        ExportDialog dialog(viewsOf(traces), QStringLiteral("run"));
        dialog.copyPicture();
        QVERIFY(QApplication::clipboard()->mimeData()->hasImage());
        dialog.copyTable();
        QVERIFY(QApplication::clipboard()->text().startsWith(QLatin1String("### Step")));
        QVERIFY(!QApplication::clipboard()->mimeData()->html().contains(QLatin1String("<b>gemm")));
    }
};

LOCKSTEP_QTEST_MAIN(WindowExportTest)
#include "tst_windowexport.moc"
