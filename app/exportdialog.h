#pragma once

#include "app/job.h"
#include "model/report/reportviews.h"

#include <QDialog>
#include <QImage>
#include <QString>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace lockstep {

/// Shows what will be written, and writes it: one view or all, as pictures or tables, or copies it.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    ExportDialog(std::vector<ReportView> views, const QString& runName, QWidget* parent = nullptr);

    void choose(int view, const QString& format);
    /// Writes the chosen view; an empty string where that was done, else a sentence.
    [[nodiscard]] QString write(const QString& file) const;
    /// Writes all views in the chosen format into `folder`.
    [[nodiscard]] QString writeAll(const QString& folder) const;
    void copyPicture();
    void copyTable();

private:
    /// A picture, or a text.
    struct Preview {
        QImage picture;
        QString text;
    };
    using QDialog::show;
    void show(const Preview& preview);
    [[nodiscard]] QString writeView(const ReportView& view, const QString& file) const;
    [[nodiscard]] const ReportView& chosen() const;
    [[nodiscard]] QString fileNameOf(const ReportView& view) const;
    void refresh();
    void save();
    void saveAll();
    void tell(const QString& problem, const QString& done);

    std::vector<ReportView> m_views;
    QString m_runName;
    QComboBox* m_view;
    QComboBox* m_format;
    QSpinBox* m_width;
    QDoubleSpinBox* m_scale;
    QLabel* m_preview;
    QLabel* m_outcome;
    QPushButton* m_copyPicture = nullptr;
    Job<Preview> m_previews; ///< last: joins its threads before the rest goes
};

} // namespace lockstep
