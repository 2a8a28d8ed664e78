#pragma once

#include "views/common/viewstate.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace lockstep {

/// The line in which names are searched for, with the number of hits and their total time. It asks for a
/// search and shows what the ViewState then holds.
class SearchBar : public QWidget {
    Q_OBJECT
public:
    explicit SearchBar(ViewState& state, QWidget* parent = nullptr);

    /// Takes the keyboard, with the whole text selected.
    void edit();
    void setPattern(const QString& pattern, bool go = true);
    void goToHit(int direction);
    [[nodiscard]] QString pattern() const;
    /// What stands beside the line: "3 of 128 · 1.2 ms", or why there is no hit.
    [[nodiscard]] QString summary() const;

Q_SIGNALS:
    /// Names are to be searched for `pattern`; empty: for nothing.
    void searchWanted(const QString& pattern);
    /// The keyboard is wanted elsewhere.
    void left();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();

    ViewState& m_state;
    QLineEdit* m_line;
    QLabel* m_summary;
    QToolButton* m_previous;
    QToolButton* m_next;
    QTimer m_typing;   ///< a search begins when typing rests
    int m_pending = 0; ///< direction of the hit to go to when the search is done
};

} // namespace lockstep
