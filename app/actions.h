#pragma once

#include <QKeySequence>
#include <QList>
#include <QString>
#include <functional>
#include <vector>

class QAction;
class QMenu;
class QWidget;

namespace lockstep {

/// All that the user can do, in the order of the menus: each with its text and keys, for the list of keys to
/// read.
class Actions {
public:
    /// `window` owns the actions, and its shortcuts work anywhere in it.
    explicit Actions(QWidget& window)
        : m_window(window) {}

    QAction* add(QMenu& menu, const QString& text, const QList<QKeySequence>& keys,
                 std::function<void()> run);
    [[nodiscard]] const std::vector<QAction*>& all() const { return m_actions; }

private:
    QWidget& m_window;
    std::vector<QAction*> m_actions;
};

/// An action's text as people read it.
[[nodiscard]] QString plainText(const QAction& action);
/// An action's keys, parted by blanks; empty where it has none.
[[nodiscard]] QString keysText(const QAction& action);
/// Shows every action that has keys, with them.
void showKeys(QWidget& parent, const Actions& actions);

} // namespace lockstep
