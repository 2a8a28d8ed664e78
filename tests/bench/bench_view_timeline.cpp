// Frame times of the timeline while panning and zooming, offscreen at 1920×1080: spans and painting together.
#include "model/analysis/runanalysis.h"
#include "tests/support/handmaderank.h"
#include "views/common/colouring.h"
#include "views/common/theme.h"
#include "views/timeline/timelinepanel.h"
#include "views/timeline/timelineview.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <algorithm>
#include <cstdio>
#include <random>

using namespace lockstep;

namespace {

constexpr int kEvents = 300'000; ///< of a rank

/// A rank as a decode run has it: kernels on one stream, collectives on another, and as many CPU events above
/// them.
RankTrace makeRank(int number, const std::shared_ptr<StringPool>& strings) {
    std::mt19937 random(static_cast<unsigned>(number));
    test::HandmadeRank rank(number, strings);
    const int kernels = kEvents / 3;
    const int collectives = kEvents / 10;
    rank.track(TrackKind::GpuStream, "7");
    for (int i = 0; i < kernels; ++i)
        rank.kernel("void at::native::kernel_" + std::to_string(random() % 200) + "<float, int>(float*)",
                    i * 10'000LL, 1'000 + static_cast<TimeNs>(random() % 8'000));
    rank.track(TrackKind::GpuStream, "20");
    for (int i = 0; i < collectives; ++i)
        rank.kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                    i * 33'000LL, static_cast<TimeNs>(5'000 + random() % 20'000));
    rank.track(TrackKind::CpuThread, "1", "python");
    for (int i = 0; i < kEvents - kernels - collectives; ++i)
        rank.event(EventKind::Runtime, "cudaLaunchKernel", i * 5'500LL, 3'000);
    return rank.build();
}

std::shared_ptr<const ShownRun> makeRun(int ranks) {
    auto run = std::make_shared<Run>();
    auto strings = std::make_shared<StringPool>();
    run->strings = strings;
    for (int r = 0; r < ranks; ++r)
        run->ranks.push_back(makeRank(r, strings));
    return showRun(run);
}

double millisecondsSince(const QElapsedTimer& clock) {
    return static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

/// Shows the run as the window does: analysed, categorised and coloured.
void showAnalysed(ViewState& state, int ranks) {
    const std::shared_ptr<const ShownRun> plain = makeRun(ranks);
    const std::shared_ptr<const ShownRun> shown = withAnalysis(*plain, analyseRun(plain->run));
    state.setShown(shown);
    QElapsedTimer clock;
    clock.start();
    const auto categories = showCategories(shown->analysis, CategoryRules::builtin().value());
    state.setCategories(categories);
    const double categorised = millisecondsSince(clock);
    clock.start();
    Filters filters;
    filters.streams = {7};
    state.setColouring(colour(*shown, categories.get(), filters));
    const double filtered = millisecondsSince(clock);
    state.setColouring(colour(*shown, categories.get(), {}));
    std::printf("%d ranks: categories %.0f ms, colours after a filter changed %.0f ms\n", ranks, categorised,
                filtered);
}

void report(const char* what, std::vector<double> milliseconds) {
    std::sort(milliseconds.begin(), milliseconds.end());
    const auto at = [&](double part) {
        return milliseconds[static_cast<std::size_t>(part * static_cast<double>(milliseconds.size() - 1))];
    };
    std::printf("%-44s p50 %6.2f ms  p99 %6.2f ms  max %6.2f ms\n", what, at(0.5), at(0.99), at(1.0));
}

/// Draws a frame for each range and returns their times.
std::vector<double> frames(ViewState& state, TimelinePanel& panel, const std::vector<TimeRange>& ranges) {
    QImage image(1920, 1080, QImage::Format_RGB32);
    std::vector<double> times;
    for (const TimeRange range : ranges) {
        QElapsedTimer clock;
        clock.start();
        state.setVisibleRange(range, ViewState::Move::Glide);
        panel.render(&image);
        times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
    }
    return times;
}

/// Zooms from the whole run to a few kernels, then pans at every scale.
std::vector<TimeRange> journey(const ViewState& state) {
    std::vector<TimeRange> ranges;
    TimeRange range = state.fullRange();
    while (range.length() > 20'000) {
        for (int i = 0; i < 8; ++i) {
            const TimeNs by = range.length() / 40;
            ranges.push_back({range.begin + i * by, range.end + i * by});
        }
        range = TimeScale{range, 1'000}.zoomed(0.8, 377);
    }
    return ranges;
}

void measure(int ranks, bool unfolded) {
    ViewState state;
    TimelinePanel panel(state);
    panel.resize(1920, 1080);
    showAnalysed(state, ranks);
    if (unfolded)
        for (int r = 0; r < ranks; ++r)
            panel.view().setSectionOpen(r, TrackSection::CpuThreads, true);
    panel.show();
    const std::string what =
        std::to_string(ranks) + " ranks x 300,000 events" + (unfolded ? ", CPU lanes open" : "");
    report(what.c_str(), frames(state, panel, journey(state)));
    panel.view().setAllRanksFolded(true);
    report((what + ", one row each").c_str(), frames(state, panel, journey(state)));

    std::vector<double> hits;
    for (int x = 300; x < 1800; x += 3) {
        QElapsedTimer clock;
        clock.start();
        const EventRef hit = panel.view().eventAt(QPoint(x, 20));
        if (hit.valid())
            state.setHover(hit);
        hits.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
    }
    report("hit test and hover", hits);
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    Theme theme(application);
    theme.apply(ThemeChoice::Light);
    measure(8, false);
    measure(8, true);
    measure(64, false);
    return 0;
}
