#pragma once

#include "app/figurefeed.h"
#include "model/analysis/whatif.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QTimer;
class QVBoxLayout;

namespace lockstep {

class TablePanel;
class ToneLabel;
class WhatIfChart;

/// A step with named substitutions: numbers to edit, the arithmetic line by line, what is saved three ways.
class WhatIfPanel : public QWidget {
    Q_OBJECT
public:
    explicit WhatIfPanel(FigureFeed& feed, QWidget* parent = nullptr);

    [[nodiscard]] TablePanel& table() const { return *m_table; }
    [[nodiscard]] WhatIfChart& chart() const { return *m_chart; }
    [[nodiscard]] QCheckBox& noStalls() const { return *m_noStalls; }
    [[nodiscard]] QCheckBox& replace() const { return *m_replace; }
    [[nodiscard]] QDoubleSpinBox& replaceUs() const { return *m_replaceUs; }
    /// The substitutions as chosen; none where what was typed is no substitution.
    [[nodiscard]] WhatIfInputs inputs() const { return chosen().inputs; }
    /// The arithmetic as shown, a line each.
    [[nodiscard]] QStringList lines() const;
    [[nodiscard]] QString message() const;

Q_SIGNALS:
    void projected();

private:
    struct Chosen {
        WhatIfInputs inputs;
        QString problem; ///< what was typed is no substitution
    };
    void buildForm(QWidget* content);
    [[nodiscard]] Chosen chosen() const;
    void fillCategories();
    void start();
    void show(const Result<WhatIfResult>& result);
    void showNothing(const QString& sentence, bool problem);
    void addLine(const QString& name, const QString& arithmetic);
    void clearLines();

    FigureFeed& m_feed;
    ViewState& m_state;
    QWidget* m_form;
    QCheckBox* m_replace;
    QComboBox* m_scope;
    QComboBox* m_into;
    QDoubleSpinBox* m_replaceUs;
    QCheckBox* m_scale;
    QComboBox* m_scaled;
    QDoubleSpinBox* m_factor;
    QCheckBox* m_fuse;
    QCheckBox* m_noStalls;
    QDoubleSpinBox* m_imbalance;
    QDoubleSpinBox* m_tpot;
    QLineEdit* m_more;
    ToneLabel* m_message;
    QLabel* m_bounds;
    TablePanel* m_table;
    WhatIfChart* m_chart;
    QVBoxLayout* m_lines;
    QTimer* m_soon;                  ///< while numbers are typed, not each digit is worth a replay
    Job<Result<WhatIfResult>> m_job; ///< last: joins its threads before the rest goes
};

} // namespace lockstep
