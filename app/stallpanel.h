#pragma once

#include "app/figurefeed.h"

#include <QWidget>

class QLabel;

namespace lockstep {

class TablePanel;

/// Who waited for whom: by rank, and the worst stalls with their causes; a click shows one on the timeline.
class StallPanel : public QWidget {
    Q_OBJECT
public:
    explicit StallPanel(FigureFeed& feed, QWidget* parent = nullptr);

    [[nodiscard]] TablePanel& ranks() const { return *m_ranks; }
    [[nodiscard]] TablePanel& worst() const { return *m_worst; }
    [[nodiscard]] QString scopeText() const;

private:
    void refresh();
    void markCurrent();

    FigureFeed& m_feed;
    ViewState& m_state;
    QLabel* m_scope;
    TablePanel* m_ranks;
    TablePanel* m_worst;
};

} // namespace lockstep
