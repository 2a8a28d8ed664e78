#pragma once

#include "model/analysis/comparison.h"

#include <QWidget>
#include <vector>

class QCustomPlot;

namespace lockstep {

/// Two runs side by side: milliseconds a step by group of categories, and how their step times are spread.
class ComparisonChart : public QWidget {
    Q_OBJECT
public:
    explicit ComparisonChart(QWidget* parent = nullptr);

    /// Step times in milliseconds, one a step.
    void setComparison(const Comparison& comparison, std::vector<double> stepsA, std::vector<double> stepsB);
    void clear();
    [[nodiscard]] QCustomPlot& categories() const { return *m_categories; }
    [[nodiscard]] QCustomPlot& steps() const { return *m_steps; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void draw();
    void drawCategories();
    void drawSteps();

    QCustomPlot* m_categories;
    QCustomPlot* m_steps;
    std::vector<ComparedCategory> m_groups;
    std::vector<double> m_stepsA;
    std::vector<double> m_stepsB;
    QString m_labelA;
    QString m_labelB;
};

} // namespace lockstep
