#include "app/comparisonpanel.h"
#include "app/docks.h"
#include "app/exporter.h"
#include "app/mainwindow.h"
#include "views/common/theme.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFile>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>

namespace {

/// "1920x1080" as a size; empty where it is none.
QSize sizeOf(const QString& text) {
    const QStringList parts = text.split(QLatin1Char('x'));
    return parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
}

/// Saves a picture of the window once the run is open, analysed and coloured (or could not be), and ends the
/// program.
void takeScreenshot(lockstep::MainWindow& window, const QString& file) {
    constexpr int kRest = 400; ///< milliseconds in which panels catch up
    const auto save = [&window, file] {
        const bool saved = window.grab().save(file);
        if (!saved)
            std::fprintf(stderr, "%s: cannot be written\n", qPrintable(file));
        QApplication::exit(saved ? 0 : 1);
    };
    QObject::connect(&window.state(), &lockstep::ViewState::colouringChanged, &window, [&window, save] {
        if (window.state().colouring())
            QTimer::singleShot(kRest, &window, save);
    });
    QObject::connect(&window, &lockstep::MainWindow::settled, &window, [&window, save] {
        if (window.state().shown()->ranks.empty())
            QTimer::singleShot(kRest, &window, save);
    });
}

/// Draws an SVG file as a picture of another kind; the exit status.
int renderFile(const QString& drawing, const QString& output, double scale) {
    QFile file(drawing);
    QString problem = QStringLiteral("%1: cannot be read").arg(drawing);
    if (file.open(QIODevice::ReadOnly))
        problem = lockstep::writePicture(file.readAll(), output, scale);
    if (!problem.isEmpty())
        std::fprintf(stderr, "error: %s\n", qPrintable(problem));
    return problem.isEmpty() ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    // Drawing a file or telling about itself needs no display, nor the folder that a desktop session has.
    const bool renders = std::any_of(argv, argv + argc, [](const char* argument) {
        const std::string_view text = argument;
        return text.starts_with("--render") || text == "--help" || text == "-h" || text == "--version" ||
               text == "-v";
    });
    if (renders)
        qputenv("QT_QPA_PLATFORM", "offscreen");
    std::optional<QTemporaryDir> runtime;
    if (renders && !qEnvironmentVariableIsSet("XDG_RUNTIME_DIR"))
        qputenv("XDG_RUNTIME_DIR", runtime.emplace().path().toLocal8Bit());
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("lockstep"));
    QApplication::setApplicationDisplayName(QStringLiteral("Lockstep"));
    QApplication::setApplicationVersion(QStringLiteral(LOCKSTEP_VERSION));

    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Shows the traces of all ranks of one decode run on one clock. Without arguments: a demo."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption themeOption(
        QStringLiteral("theme"), QStringLiteral("Look: light, dark or system."), QStringLiteral("theme"));
    const QCommandLineOption sizeOption(QStringLiteral("size"), QStringLiteral("Size of the window."),
                                        QStringLiteral("WxH"));
    const QCommandLineOption screenshotOption(QStringLiteral("screenshot"),
                                              QStringLiteral("Save a picture of the opened run and quit."),
                                              QStringLiteral("file"));
    const QCommandLineOption emptyOption(QStringLiteral("empty"), QStringLiteral("Open nothing."));
    const QCommandLineOption compareOption(
        QStringLiteral("compare"),
        QStringLiteral("Compare with this run: its folder, or a trace file "
                       "(given once a file)."),
        QStringLiteral("run"));
    const QCommandLineOption renderOption(QStringLiteral("render"),
                                          QStringLiteral("Draw this SVG file and quit; needs no display."),
                                          QStringLiteral("file"));
    const QCommandLineOption outputOption(
        QStringLiteral("output"), QStringLiteral("Where to draw it: .png or .pdf."), QStringLiteral("file"));
    const QCommandLineOption scaleOption(QStringLiteral("scale"),
                                         QStringLiteral("Pixels of a PNG for one of the drawing."),
                                         QStringLiteral("number"), QStringLiteral("1"));
    parser.addOptions({themeOption, sizeOption, screenshotOption, emptyOption, compareOption, renderOption,
                       outputOption, scaleOption});
    parser.addPositionalArgument(QStringLiteral("run"),
                                 QStringLiteral("Trace files of one run, or its folder."),
                                 QStringLiteral("[run…]"));
    parser.process(application);
    if (parser.isSet(renderOption) && !parser.isSet(outputOption)) {
        std::fprintf(stderr, "error: --render needs --output: the file to draw\n");
        return 2;
    }
    if (parser.isSet(renderOption))
        return renderFile(parser.value(renderOption), parser.value(outputOption),
                          parser.value(scaleOption).toDouble());

    lockstep::Settings settings;
    lockstep::Theme theme(application);
    theme.apply(parser.isSet(themeOption) ? lockstep::themeOfName(parser.value(themeOption))
                                          : settings.theme());
    lockstep::MainWindow window(settings, &theme);
    if (const QSize size = sizeOf(parser.value(sizeOption)); size.isValid())
        window.resize(size);
    if (parser.isSet(screenshotOption))
        takeScreenshot(window, parser.value(screenshotOption));
    window.show();
    if (!parser.positionalArguments().isEmpty())
        window.open(parser.positionalArguments());
    else if (!parser.isSet(emptyOption))
        window.openDemo();
    if (parser.isSet(compareOption))
        window.docks().comparison().compareWith(parser.values(compareOption));
    return QApplication::exec();
}
