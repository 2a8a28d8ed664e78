#pragma once

#include "views/common/viewstate.h"

#include <QString>
#include <QWidget>
#include <vector>

class QTreeWidget;
class QTreeWidgetItem;

namespace lockstep {

/// One line of the data-quality list: what was repaired, skipped or missing, in which file, where first.
struct QualityLine {
    QString file;
    QString finding;
    bool lost = false; ///< data is missing, not only odd
};

/// Findings about the files of a run, in order of rank, then those on the run as a whole.
[[nodiscard]] std::vector<QualityLine> qualityOf(const ShownRun& shown);
/// How the clocks of the ranks were put together, and how well, in a few words.
[[nodiscard]] QString alignmentText(const ClockAlignment& alignment);
/// "2 notes on data quality", or that there are none.
[[nodiscard]] QString qualitySummary(const ShownRun& shown);

/// What was opened and how far to trust it: files and ranks, files set aside, notes, data quality.
class RunPanel : public QWidget {
    Q_OBJECT
public:
    explicit RunPanel(ViewState& state, QWidget* parent = nullptr);

    /// All rows as text, cells parted by tabs.
    [[nodiscard]] QStringList text() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitColumns();
    void showRun();
    void addAlignment(const ShownRun& shown);
    void addFiles(const ShownRun& shown);
    void addFile(QTreeWidgetItem& heading, const ShownRank& rank);

    ViewState& m_state;
    QTreeWidget* m_tree;
};

} // namespace lockstep
