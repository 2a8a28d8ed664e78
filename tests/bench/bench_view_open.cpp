// Time from opening a run to its first pixels, to all of it, and to its colours; offscreen at 1920×1080.
// Arguments: the run's files or folder; without any, the demo.
#include "app/demo.h"
#include "app/mainwindow.h"
#include "views/common/theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <vector>

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
    // Opening steps, and changes of what is chosen: until all panels have followed and the window is drawn.
    const auto measure = [&](const char* what, auto&& change) {
        std::vector<double> times;
        for (int i = 0; i < 15; ++i) {
            clock.start();
            change(i);
            QApplication::processEvents();
            window.repaint();
            times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
        }
        std::sort(times.begin(), times.end());
        std::printf("%-16s %6.1f ms, worst of %zu %.1f ms\n", what, times[times.size() / 2], times.size(),
                    times.back());
    };
    const std::size_t steps = std::max<std::size_t>(state.shown()->steps.size(), 1);
    measure("a step", [&](int i) {
        window.state().showStep(static_cast<std::size_t>(i) % steps);
    });
    measure("a filter", [&](int i) {
        Filters filters;
        if (i % 2 == 0)
            filters.ranks = {0};
        const auto before = state.colouring();
        window.state().setFilters(filters);
        while (state.colouring() == before && clock.elapsed() < 5'000)
            QApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
    });
    return 0;
}
