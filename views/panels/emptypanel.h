#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace lockstep {

/// What the window shows before anything is open: what to drop here, recent runs, a demo; and why the last
/// try failed.
class EmptyPanel : public QWidget {
    Q_OBJECT
public:
    explicit EmptyPanel(QWidget* parent = nullptr);

    /// Each recent run by its path, or paths parted by newlines.
    void setRecent(const QStringList& recent);
    /// A sentence on what went wrong; empty to take it away.
    void setProblem(const QString& sentence);
    [[nodiscard]] QString problem() const;

Q_SIGNALS:
    void openFilesRequested();
    void openFolderRequested();
    void demoRequested();
    void recentRequested(const QString& entry);

private:
    QLabel* m_problem;
    QLabel* m_recentTitle;
    QWidget* m_recentHolder;
    QVBoxLayout* m_recent;
};

} // namespace lockstep
