#pragma once

#include "model/analysis/comparison.h"

#include <QWidget>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace lockstep {

/// What figures say, in sentences, weightiest first; nothing where there is nothing to say.
class FindingsPanel : public QWidget {
    Q_OBJECT
public:
    explicit FindingsPanel(const QString& title, QWidget* parent = nullptr);

    /// Shows the first `most`.
    void setFindings(const std::vector<Finding>& findings, std::size_t most = 6);
    [[nodiscard]] QStringList text() const;

private:
    QLabel* m_title;
    QVBoxLayout* m_sentences;
};

} // namespace lockstep
