#pragma once

#include "app/figurefeed.h"

#include <QObject>
#include <QStringList>
#include <vector>

class QDockWidget;
class QMainWindow;

namespace lockstep {

class BreakdownPanel;
class CategoryEditor;
class ComparisonPanel;
class KernelPanel;
class StallMapPanel;
class StallPanel;
class StepsPanel;
class WhatIfPanel;

/// The panels of figures around the timeline, each in a dock of the window.
class Docks : public QObject {
    Q_OBJECT
public:
    /// `rulesFile` is where the user's category rules are kept.
    Docks(QMainWindow& window, ViewState& state, const QString& rulesFile);

    [[nodiscard]] FigureFeed& feed() const { return *m_feed; }
    [[nodiscard]] BreakdownPanel& breakdown() const { return *m_breakdown; }
    [[nodiscard]] StallPanel& stalls() const { return *m_stalls; }
    [[nodiscard]] StallMapPanel& stallMap() const { return *m_stallMap; }
    [[nodiscard]] StepsPanel& steps() const { return *m_steps; }
    [[nodiscard]] KernelPanel& kernels() const { return *m_kernels; }
    [[nodiscard]] ComparisonPanel& comparison() const { return *m_comparison; }
    [[nodiscard]] WhatIfPanel& whatIf() const { return *m_whatIf; }
    [[nodiscard]] CategoryEditor& rules() const { return *m_rules; }
    /// Lays the docks out as they are before the user moves them; `run` and `details` share their places.
    void arrange(QDockWidget& run, QDockWidget& details);
    /// Which docks are in front of those that share their place, to be put there again.
    [[nodiscard]] QStringList fronts() const;
    void raise(const QStringList& fronts);

private:
    /// A dock among tabs needs no title of its own.
    void refreshTitles();
    QDockWidget* add(const QString& title, const QString& name, QWidget* panel, Qt::DockWidgetArea area);

    QMainWindow& m_window;
    FigureFeed* m_feed;
    BreakdownPanel* m_breakdown;
    StallPanel* m_stalls;
    ComparisonPanel* m_comparison;
    WhatIfPanel* m_whatIf;
    StepsPanel* m_steps;
    StallMapPanel* m_stallMap;
    KernelPanel* m_kernels;
    CategoryEditor* m_rules;
    std::vector<QDockWidget*> m_right;  ///< in order of their tabs
    std::vector<QDockWidget*> m_bottom; ///< in order of their tabs
};

} // namespace lockstep
