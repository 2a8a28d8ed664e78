#include "app/loadcontroller.h"

#include "app/errortext.h"

#include <QFile>
#include <algorithm>

namespace lockstep {

LoadController::LoadController(QObject* parent, Loader loader)
    : QObject(parent)
    , m_loader(std::move(loader))
    , m_rules(std::make_shared<CategoryRules>(CategoryRules::builtin().value_or(CategoryRules{})))
    , m_load(*this)
    , m_analysis(*this) {}

void LoadController::open(const QStringList& paths) {
    if (paths.isEmpty())
        return;
    const std::uint64_t number = ++m_number;
    m_partial.clear();
    m_analysis.cancel();
    m_analysed.reset();
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

void LoadController::setRules(const CategoryRules& rules) {
    m_rules = std::make_shared<CategoryRules>(rules);
    if (!m_analysed)
        return;
    m_analysis.start(
        [shown = m_analysed, rules = m_rules](const std::stop_token&) {
            return withCategories(*shown, categoriseRun(*shown->analysis, *rules));
        },
        [this](const std::shared_ptr<const ShownRun>& sorted) {
            m_analysed = sorted;
            Q_EMIT recategorised(sorted);
        });
}

void LoadController::cancel() {
    m_analysis.cancel();
    m_analysed.reset();
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
        [shown, rules = m_rules](const std::stop_token& stop) {
            auto aligned = withAnalysis(*shown, analyseRun(shown->run));
            return stop.stop_requested()
                       ? aligned
                       : withCategories(*aligned, categoriseRun(*aligned->analysis, *rules));
        },
        [this, rules = m_rules](const std::shared_ptr<const ShownRun>& aligned) {
            m_analysed = aligned;
            Q_EMIT analysed(aligned);
            if (rules != m_rules) // they changed meanwhile
                setRules(*m_rules);
        });
    Q_EMIT loaded(shown, paths);
}

} // namespace lockstep
