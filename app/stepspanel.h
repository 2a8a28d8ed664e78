#pragma once

#include "app/figurefeed.h"

#include <QWidget>

class QLabel;

namespace lockstep {

class StepStrip;

/// The steps as bars, a rank each; a click chooses a step, a double click shows it.
class StepsPanel : public QWidget {
    Q_OBJECT
public:
    explicit StepsPanel(ViewState& state, QWidget* parent = nullptr);

    [[nodiscard]] StepStrip& strip() const { return *m_strip; }
    [[nodiscard]] QString scopeText() const;

private:
    void refresh();

    ViewState& m_state;
    QLabel* m_scope;
    StepStrip* m_strip;
};

} // namespace lockstep
