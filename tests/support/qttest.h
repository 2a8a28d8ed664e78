#pragma once

#include "tests/support/handmaderank.h"
#include "views/common/shownrun.h"
#include "views/common/theme.h"

#include <QApplication>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

namespace lockstep::test {

/// Called by each test's init(): a warning of Qt fails the test, but for what the offscreen platform says of
/// itself.
inline void failOnQtWarnings() {
    QTest::failOnWarning(
        QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
}

/// A run of `ranks` ranks as the views show it: stream 7 with kernels "k0" … of 80 µs every 100 µs, stream 20
/// with an all-reduce of 10 µs in each gap, and a CPU thread with a step marker over every ten of them.
inline std::shared_ptr<const ShownRun> shownRun(int ranks, int kernels = 100) {
    auto strings = std::make_shared<StringPool>();
    auto run = std::make_shared<Run>();
    run->name = "test run";
    run->worldSize = ranks;
    run->strings = strings;
    for (int r = 0; r < ranks; ++r) {
        HandmadeRank rank(r, strings);
        rank.track(TrackKind::GpuStream, "7");
        for (int i = 0; i < kernels; ++i)
            rank.kernel("void ns::k" + std::to_string(i) + "<int>(int)", 1'000'000 + i * 100'000, 80'000,
                        static_cast<std::uint32_t>(i + 1));
        rank.track(TrackKind::GpuStream, "20");
        for (int i = 0; i < kernels; ++i)
            rank.kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 1'000'000 + i * 100'000 + 85'000, 10'000);
        rank.track(TrackKind::CpuThread, "1", "python");
        for (int i = 0; i + 10 <= kernels; i += 10)
            rank.event(EventKind::Annotation, "execute_context_0(0)_generation_1(1)", 1'000'000 + i * 100'000,
                       990'000);
        rank.lane();
        for (int i = 0; i < kernels; ++i)
            rank.event(EventKind::Runtime, "cudaLaunchKernel", 1'000'000 + i * 100'000, 5'000,
                       static_cast<std::uint32_t>(i + 1));
        run->ranks.push_back(rank.build());
    }
    return showRun(run);
}

/// Runs the tests of `Test` with the program's own look.
template <class Test>
int runQtTest(int argc, char** argv) {
    // A session without a desktop has no such folder, and Qt warns about that.
    const QTemporaryDir runtime;
    qputenv("XDG_RUNTIME_DIR", runtime.path().toLocal8Bit());
    qputenv("XDG_CONFIG_HOME", runtime.path().toLocal8Bit());
    QApplication application(argc, argv);
    Theme theme(application);
    theme.apply(ThemeChoice::Light);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace lockstep::test

#define LOCKSTEP_QTEST_MAIN(Test)                                                                            \
    int main(int argc, char** argv) {                                                                        \
        return lockstep::test::runQtTest<Test>(argc, argv);                                                  \
    }
