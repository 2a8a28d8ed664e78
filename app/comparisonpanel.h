#pragma once

#include "app/figurefeed.h"
#include "app/loadcontroller.h"
#include "model/analysis/casestudy.h"
#include "model/analysis/comparison.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace lockstep {

class ComparisonChart;
class FindingsPanel;
class LoadingPanel;
class TablePanel;

/// The open run (A) beside another (B): what differs about them, category by category, step times, stalls,
/// HBM efficiency, and what the case study reports.
class ComparisonPanel : public QWidget {
    Q_OBJECT
public:
    explicit ComparisonPanel(FigureFeed& feed, QWidget* parent = nullptr);
    ~ComparisonPanel() override;

    /// Opens the other run.
    void compareWith(const QStringList& paths);
    void chooseFiles();
    void chooseFolder();
    void close();
    [[nodiscard]] TablePanel& categories() const { return *m_categories; }
    [[nodiscard]] TablePanel& portraits() const { return *m_portraits; }
    [[nodiscard]] TablePanel& figures() const { return *m_figures; }
    [[nodiscard]] FindingsPanel& findings() const { return *m_findings; }
    /// Null until both runs are compared.
    [[nodiscard]] const Comparison* comparison() const { return m_result ? &m_result->comparison : nullptr; }
    [[nodiscard]] QString message() const;

Q_SIGNALS:
    /// Another run is being opened: the panel should be in sight.
    void opened();
    void compared();

private:
    /// All that is worked out off the GUI thread.
    struct Result {
        Comparison comparison;
        CategorySet set;
        std::vector<double> stepsA; ///< wall times, ms
        std::vector<double> stepsB;
        QString problem; ///< of the HBM inputs
    };
    void buildHead(QWidget* content);
    void connectLoads();
    void start();
    void show(std::shared_ptr<const Result> result);
    void showTables();
    void refreshState();
    [[nodiscard]] const ReportedRun* reported() const;

    FigureFeed& m_feed;
    ViewState& m_state;
    LoadController* m_loads;
    LoadingPanel* m_loading;
    QLabel* m_message;
    QWidget* m_chooser;
    QWidget* m_head;
    QLabel* m_labelA;
    QLabel* m_labelB;
    QComboBox* m_modelA;
    QComboBox* m_modelB;
    QComboBox* m_gpuA;
    QComboBox* m_gpuB;
    QComboBox* m_reported;
    FindingsPanel* m_findings;
    TablePanel* m_portraits;
    TablePanel* m_categories;
    ComparisonChart* m_chart;
    TablePanel* m_figures;
    std::vector<ReportedRun> m_reportedRuns;
    QString m_problem; ///< why the other run could not be opened
    std::shared_ptr<const Result> m_result;
    bool m_reportedByHand = false;
    bool m_first = true;                      ///< nothing was unfolded by hand yet
    Job<std::shared_ptr<const Result>> m_job; ///< last: joins its threads before the rest goes
};

} // namespace lockstep
