// Time from opening a run to its first pixels, to all of it, and to its colours; offscreen at 1920×1080.
// Arguments: the run's files or folder; without any, the demo.
#include "app/demo.h"
#include "app/mainwindow.h"
#include "views/common/theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <cstdio>

using namespace lockstep;

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    Theme theme(application);
    theme.apply(ThemeChoice::Light);
    const QTemporaryDir folder;
    Settings settings(folder.filePath(QStringLiteral("settings.ini")));
    MainWindow window(settings);
    window.resize(1920, 1080);
    window.show();
    QApplication::processEvents();
    QStringList paths;
    for (int i = 1; i < argc; ++i)
        paths << QString::fromLocal8Bit(argv[i]);
    if (paths.isEmpty())
        paths << demoFolder();
    QElapsedTimer clock;
    clock.start();
    window.open(paths);
    const auto wait = [&](const char* what, auto&& reached) {
        while (!reached() && clock.elapsed() < 60'000)
            QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
        window.repaint();
        std::printf("%-16s %6.0f ms\n", what, static_cast<double>(clock.nsecsElapsed()) / 1e6);
    };
    const ViewState& state = window.state();
    wait("first pixels", [&] {
        return !state.shown()->ranks.empty();
    });
    wait("all files", [&] {
        return state.shown()->run != nullptr;
    });
    wait("in colour", [&] {
        return state.colouring() != nullptr;
    });
    return 0;
}
