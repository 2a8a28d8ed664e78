#pragma once

#include "app/figurefeed.h"

#include <QObject>

class QDockWidget;
class QMainWindow;

namespace lockstep {

class BreakdownPanel;
class KernelPanel;
class StallMapPanel;
class StallPanel;
class StepsPanel;

/// The panels of figures around the timeline, each in a dock of the window.
class Docks : public QObject {
    Q_OBJECT
public:
    Docks(QMainWindow& window, ViewState& state);

    [[nodiscard]] FigureFeed& feed() const { return *m_feed; }
    [[nodiscard]] BreakdownPanel& breakdown() const { return *m_breakdown; }
    [[nodiscard]] StallPanel& stalls() const { return *m_stalls; }
    [[nodiscard]] StallMapPanel& stallMap() const { return *m_stallMap; }
    [[nodiscard]] StepsPanel& steps() const { return *m_steps; }
    [[nodiscard]] KernelPanel& kernels() const { return *m_kernels; }
    /// Lays the docks out as they are before the user moves them; `run` and `details` share their places.
    void arrange(QDockWidget& run, QDockWidget& details);

private:
    QDockWidget* add(const QString& title, const QString& name, QWidget* panel, Qt::DockWidgetArea area);

    QMainWindow& m_window;
    FigureFeed* m_feed;
    BreakdownPanel* m_breakdown;
    StallPanel* m_stalls;
    StepsPanel* m_steps;
    StallMapPanel* m_stallMap;
    KernelPanel* m_kernels;
    std::vector<QDockWidget*> m_right;  ///< in order of their tabs
    std::vector<QDockWidget*> m_bottom; ///< in order of their tabs
};

} // namespace lockstep
