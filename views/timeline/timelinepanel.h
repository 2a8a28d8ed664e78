#pragma once

#include "views/timeline/timelinepainter.h"

#include <QWidget>

namespace lockstep {

class Minimap;
class TimelineView;
class TimeRuler;

/// Minimap, ruler and lanes, one below the other on the same axis.
class TimelinePanel : public QWidget {
    Q_OBJECT
public:
    explicit TimelinePanel(ViewState& state, QWidget* parent = nullptr);

    [[nodiscard]] TimelineView& view() const { return *m_view; }
    [[nodiscard]] TimeRuler& ruler() const { return *m_ruler; }
    [[nodiscard]] Minimap& minimap() const { return *m_minimap; }

private:
    TimelineView* m_view;
    Minimap* m_minimap;
    TimeRuler* m_ruler;
};

} // namespace lockstep
