#pragma once

#include "views/timeline/timelinepainter.h"

#include <QWidget>

namespace lockstep {

class Legend;
class Minimap;
class TimelineView;
class TimeRuler;

/// Minimap, ruler, lanes and legend, one below the other; the first three on the same axis.
class TimelinePanel : public QWidget {
    Q_OBJECT
public:
    explicit TimelinePanel(ViewState& state, QWidget* parent = nullptr);

    [[nodiscard]] TimelineView& view() const { return *m_view; }
    [[nodiscard]] TimeRuler& ruler() const { return *m_ruler; }
    [[nodiscard]] Minimap& minimap() const { return *m_minimap; }
    [[nodiscard]] Legend& legend() const { return *m_legend; }

private:
    TimelineView* m_view;
    Minimap* m_minimap;
    TimeRuler* m_ruler;
    Legend* m_legend;
};

} // namespace lockstep
