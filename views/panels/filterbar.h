#pragma once

#include "views/common/viewstate.h"

#include <QWidget>

class QHBoxLayout;
class QMenu;

namespace lockstep {

/// The filters that are on, as chips: a click takes one away. Hidden while there are none.
class FilterBar : public QWidget {
    Q_OBJECT
public:
    explicit FilterBar(ViewState& state, QWidget* parent = nullptr);

private:
    void refresh();

    ViewState& m_state;
    QHBoxLayout* m_chips;
};

/// Fills `menu` with what can be filtered: ranks, streams, categories, decode steps, the selected range.
void fillFilterMenu(QMenu& menu, ViewState& state);

} // namespace lockstep
