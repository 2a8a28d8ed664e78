#pragma once

#include "model/analysis/hbm.h"

#include <QWidget>
#include <optional>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace lockstep {

/// HBM efficiency with its formula and every input to be changed; asks for the model, and for the hardware
/// where the trace's is not known.
class HbmPanel : public QWidget {
    Q_OBJECT
public:
    explicit HbmPanel(QWidget* parent = nullptr);

    /// What a run says of itself: batch, ranks, times, the GPU's name; its model is `guess` at best.
    /// `runKey` tells runs apart: inputs set by hand stay while it is the same.
    void setMeasured(const HbmInputs& measured, const std::optional<HbmDevice>& device,
                     const QString& deviceName, const QString& guess, quintptr runKey);
    void clear();
    void setModel(const QString& name);
    [[nodiscard]] QString model() const;
    [[nodiscard]] QString hardware() const;
    /// Absent until model and hardware are known.
    [[nodiscard]] const std::optional<HbmResult>& result() const { return m_result; }
    /// Headline, formula and problems as shown.
    [[nodiscard]] QStringList text() const;

Q_SIGNALS:
    void resultChanged();

private:
    void buildInputs();
    void refresh();
    void showResult();
    void ask(const QString& sentence);

    QLabel* m_headline;
    QLabel* m_percent;
    QProgressBar* m_bar;
    QLabel* m_formula;
    QWidget* m_inputs;
    QComboBox* m_model;
    QComboBox* m_hardware;
    QSpinBox* m_batch;
    QSpinBox* m_parallel;
    QSpinBox* m_context;
    QDoubleSpinBox* m_stepMs;
    QPushButton* m_unfold;
    QLabel* m_terms;
    HbmInputs m_measured;
    QString m_deviceName;
    QString m_guess;
    quintptr m_runKey = 0;
    bool m_known = false; ///< a run is measured
    bool m_filling = false;
    std::optional<HbmResult> m_result;
};

} // namespace lockstep
