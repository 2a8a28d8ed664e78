#pragma once

#include "app/figurefeed.h"

#include <QWidget>

class QLabel;

namespace lockstep {

class FindingsPanel;
class HbmPanel;
class StackedBar;
class TablePanel;

/// Where a step's time goes: the case study's table, a bar, what it means, and the HBM efficiency.
class BreakdownPanel : public QWidget {
    Q_OBJECT
public:
    explicit BreakdownPanel(FigureFeed& feed, QWidget* parent = nullptr);

    [[nodiscard]] TablePanel& table() const { return *m_table; }
    [[nodiscard]] StackedBar& bar() const { return *m_bar; }
    [[nodiscard]] FindingsPanel& findings() const { return *m_findings; }
    [[nodiscard]] HbmPanel& hbm() const { return *m_hbm; }
    /// Which attribution, steps and ranks are shown, and what share no rule matched.
    [[nodiscard]] QString scopeText() const;

private:
    void refresh();
    void refreshHbm(const RunFigures& figures);

    FigureFeed& m_feed;
    ViewState& m_state;
    QLabel* m_scope;
    TablePanel* m_table;
    StackedBar* m_bar;
    FindingsPanel* m_findings;
    HbmPanel* m_hbm;
};

} // namespace lockstep
