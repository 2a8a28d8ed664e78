#pragma once

#include <QDialog>
#include <vector>

class QAction;
class QLineEdit;
class QListWidget;

namespace lockstep {

/// All actions by name: type some letters of one, press Enter.
class CommandPalette : public QDialog {
    Q_OBJECT
public:
    CommandPalette(const std::vector<QAction*>& actions, QWidget* parent);

    /// The actions that are left, best first.
    [[nodiscard]] QStringList texts() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void runCurrent();

    std::vector<QAction*> m_actions;
    QLineEdit* m_line;
    QListWidget* m_list;
};

} // namespace lockstep
