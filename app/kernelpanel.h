#pragma once

#include "app/figurefeed.h"

#include <QWidget>

class QLabel;

namespace lockstep {

class TablePanel;

/// GPU activities by name: calls, times, shares; to be filtered, sorted and copied.
class KernelPanel : public QWidget {
    Q_OBJECT
public:
    explicit KernelPanel(FigureFeed& feed, QWidget* parent = nullptr);

    [[nodiscard]] TablePanel& table() const { return *m_table; }

private:
    void refresh();

    FigureFeed& m_feed;
    ViewState& m_state;
    QLabel* m_scope;
    TablePanel* m_table;
};

} // namespace lockstep
