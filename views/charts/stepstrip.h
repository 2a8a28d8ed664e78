#pragma once

#include "model/run/steps.h"

#include <QWidget>
#include <cstdint>
#include <optional>
#include <vector>

class QCPBars;
class QCustomPlot;

namespace lockstep {

/// Bars by step and rank: what of the wall time is compute, exposed communication and idle. With more bars
/// than can be told apart there is one a step, the mean over the ranks. A click chooses a step.
class StepStrip : public QWidget {
    Q_OBJECT
public:
    static constexpr std::size_t kMostBars = 1'600; ///< beyond, the ranks of a step become one bar

    explicit StepStrip(QWidget* parent = nullptr);

    /// The steps of the chosen ranks (indices); `table` need not outlive the call. Of `left` (by step; empty:
    /// all are) those that filters leave out have their place, but no bars.
    void setSteps(const StepTable& table, const std::vector<std::size_t>& ranks,
                  const std::vector<int>& rankNumbers, const std::vector<bool>& left = {});
    void clear();
    void setCurrent(std::optional<std::size_t> step);
    [[nodiscard]] std::optional<std::size_t> current() const { return m_current; }
    /// Whether each step shows one bar, the mean over the ranks.
    [[nodiscard]] bool averaged() const { return m_averaged; }
    [[nodiscard]] std::size_t outliers() const { return m_outliers; }
    [[nodiscard]] QCustomPlot& plot() const { return *m_plot; }
    /// The step at the pixel column `x` of the plot.
    [[nodiscard]] std::optional<std::size_t> stepAt(int x) const;

Q_SIGNALS:
    void stepClicked(qulonglong step);
    void stepDoubleClicked(qulonglong step);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Bar {
        double key = 0;
        double computeMs = 0;
        double exposedMs = 0;
        double idleMs = 0;
        bool unusual = false;
    };
    void collect(const StepTable& table, const std::vector<std::size_t>& ranks,
                 const std::vector<bool>& left);
    void draw();
    [[nodiscard]] QString tipOf(std::size_t step, double key) const;

    QCustomPlot* m_plot;
    std::vector<Bar> m_bars;
    std::vector<QString> m_names;   ///< of the steps
    std::vector<QString> m_remarks; ///< of the steps
    std::vector<int> m_ranks;       ///< numbers of the ranks shown
    double m_width = 0.8;           ///< of a bar, in steps
    bool m_averaged = false;
    std::size_t m_outliers = 0;
    std::optional<std::size_t> m_current;
    bool m_doubleClicked = false;
};

} // namespace lockstep
