#pragma once

#include "views/common/viewstate.h"

#include <QWidget>

class QToolButton;

namespace lockstep {

/// Steps to the previous and next step, names the one drilled into, and has the median step beside it.
class StepBar : public QWidget {
    Q_OBJECT
public:
    explicit StepBar(ViewState& state, QWidget* parent = nullptr);

    /// Drills into the next (`direction` > 0) or previous step.
    void go(int direction);
    void goToMedian();
    /// Shows the median step beside the one drilled into (the next one, where there is none), or no longer.
    void setBeside(bool beside);
    /// "step 7 of 40 · decode · 12.10 ms", or how many there are.
    [[nodiscard]] QString text() const;

private:
    void refresh();

    ViewState& m_state;
    QToolButton* m_previous;
    QToolButton* m_current;
    QToolButton* m_next;
    QToolButton* m_median;
    QToolButton* m_beside;
};

} // namespace lockstep
