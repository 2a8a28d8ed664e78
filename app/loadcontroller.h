#pragma once

#include "app/job.h"
#include "model/run/runloader.h"
#include "views/common/shownrun.h"

#include <QObject>
#include <QStringList>

namespace lockstep {

/// Opens runs off the GUI thread, one at a time: opening another ends the one under way, and what that still
/// had to say is dropped.
class LoadController : public QObject {
    Q_OBJECT
public:
    using Loader = std::function<Result<std::shared_ptr<const Run>>(const std::vector<std::string>&,
                                                                    const LoadOptions&)>;

    explicit LoadController(QObject* parent = nullptr, Loader loader = loadRun);

    void open(const QStringList& paths);
    void cancel();
    [[nodiscard]] bool loading() const { return m_load.running(); }

Q_SIGNALS:
    void started(const std::shared_ptr<const lockstep::LoadProgress>& progress);
    /// The ranks read so far; each is whole or still growing.
    void partlyLoaded(const std::shared_ptr<const lockstep::ShownRun>& shown);
    void loaded(const std::shared_ptr<const lockstep::ShownRun>& shown, const QStringList& paths);
    /// The run that was loaded last, aligned and with its steps and stalls.
    void analysed(const std::shared_ptr<const lockstep::ShownRun>& shown);
    void failed(const QString& sentence);
    void cancelled();

private:
    using Loaded = Result<std::shared_ptr<const ShownRun>>;
    void addPartial(std::uint64_t load, ShownRank rank);
    void finish(Loaded result, const QStringList& paths);

    Loader m_loader;
    std::uint64_t m_number = 0; ///< of the load under way
    std::vector<ShownRank> m_partial;
    Job<Loaded> m_load; ///< last, with m_analysis: they join their threads before the rest goes
    Job<std::shared_ptr<const ShownRun>> m_analysis;
};

} // namespace lockstep
