#include "app/loadcontroller.h"

#include "app/errortext.h"

#include <QFile>
#include <algorithm>

namespace lockstep {

LoadController::LoadController(QObject* parent, Loader loader)
    : QObject(parent)
    , m_loader(std::move(loader))
    , m_load(*this)
    , m_analysis(*this) {}

void LoadController::open(const QStringList& paths) {
    if (paths.isEmpty())
        return;
    const std::uint64_t number = ++m_number;
    m_partial.clear();
    m_analysis.cancel();
    std::vector<std::string> files;
    for (const QString& path : paths)
        files.push_back(QFile::encodeName(path).toStdString());
    auto progress = std::make_shared<LoadProgress>();
    m_load.start(
        [this, number, files, progress](const std::stop_token& stop) -> Loaded {
            LoadOptions options;
            options.progress = progress.get();
            options.stop = stop;
            options.onPartial = [this, number](std::shared_ptr<const RankTrace> trace) {
                QMetaObject::invokeMethod(
                    this,
                    [this, number, rank = showRank(std::move(trace))] {
                        addPartial(number, rank);
                    },
                    Qt::QueuedConnection);
            };
            return m_loader(files, options).map([](std::shared_ptr<const Run> run) {
                return showRun(std::move(run));
            });
        },
        [this, paths](Loaded result) {
            finish(std::move(result), paths);
        });
    Q_EMIT started(progress);
}

void LoadController::cancel() {
    m_analysis.cancel();
    if (!loading())
        return;
    ++m_number;
    m_load.cancel();
    m_partial.clear();
    Q_EMIT cancelled();
}

void LoadController::addPartial(std::uint64_t load, ShownRank rank) {
    if (load != m_number || !loading())
        return;
    const auto same = std::find_if(m_partial.begin(), m_partial.end(), [&](const ShownRank& other) {
        return other.trace->report.file == rank.trace->report.file;
    });
    if (same == m_partial.end())
        m_partial.push_back(std::move(rank));
    else if (same->trace->events.size() <= rank.trace->events.size())
        *same = std::move(rank);
    Q_EMIT partlyLoaded(showRanks(m_partial));
}

void LoadController::finish(Loaded result, const QStringList& paths) {
    m_partial.clear();
    if (!result) {
        Q_EMIT failed(errorText(result.error()));
        return;
    }
    const std::shared_ptr<const ShownRun> shown = *result;
    m_analysis.start(
        [shown](const std::stop_token&) {
            return withAnalysis(*shown, analyseRun(shown->run));
        },
        [this](const std::shared_ptr<const ShownRun>& aligned) {
            Q_EMIT analysed(aligned);
        });
    Q_EMIT loaded(shown, paths);
}

} // namespace lockstep
