#pragma once

#include "app/job.h"
#include "model/analysis/runfigures.h"
#include "views/common/viewstate.h"

#include <QObject>

class QTimer;

namespace lockstep {

/// Keeps the figures of what is chosen up to date, off the GUI thread.
class FigureFeed : public QObject {
    Q_OBJECT
public:
    explicit FigureFeed(ViewState& state, QObject* parent = nullptr);

    /// Of the shown run, perhaps still of what was chosen before; null while there are none.
    [[nodiscard]] const std::shared_ptr<const RunFigures>& figures() const { return m_figures; }
    /// Why there are none, in a sentence.
    [[nodiscard]] QString reason() const;
    [[nodiscard]] ViewState& state() const { return m_state; }
    /// "decode steps 2–8 · all ranks": what the figures are over.
    [[nodiscard]] QString scopeText() const;

Q_SIGNALS:
    void changed();

private:
    void refresh();
    void set(std::shared_ptr<const RunFigures> figures);

    ViewState& m_state;
    std::shared_ptr<const RunFigures> m_figures;
    QTimer* m_soon;                               ///< several changes at once are one
    Job<std::shared_ptr<const RunFigures>> m_job; ///< last: joins its threads before the rest goes
};

} // namespace lockstep
