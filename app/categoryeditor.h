#pragma once

#include "model/analysis/userrules.h"
#include "views/common/viewstate.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace lockstep {

class TablePanel;
class ToneLabel;

/// The rules that put kernels into categories, in the order in which they are asked; rules of the user's own
/// come first, act on all views at once, and are kept in a file.
class CategoryEditor : public QWidget {
    Q_OBJECT
public:
    /// `file` is where the user's rules are kept; what it holds acts at once.
    CategoryEditor(ViewState& state, QString file, QWidget* parent = nullptr);

    [[nodiscard]] TablePanel& table() const { return *m_table; }
    /// Fills the form in; addRule() and changeRule() take it.
    void setForm(const QString& expression, const QString& categoryId);
    /// Puts the rule of the form before all others.
    void addRule();
    /// Puts it in place of the chosen rule of one's own.
    void changeRule();
    void removeRule();
    [[nodiscard]] const UserRules& own() const { return m_own; }
    /// Where the user's rules are kept.
    [[nodiscard]] const QString& file() const { return m_file; }
    /// Which rule matched the selected event, or why something could not be done.
    [[nodiscard]] QString message() const;

private:
    void buildForm();
    void load();
    void act();
    void refresh();
    void explainSelection();
    void chooseRule(std::int64_t index);
    void refreshButtons();
    /// Puts `wanted` in force if its rules are sound, else says why not.
    void take(UserRules wanted);
    [[nodiscard]] std::optional<UserRule> ruleOfForm();
    [[nodiscard]] std::optional<std::size_t> ownIndexOf(std::int64_t rule) const;

    ViewState& m_state;
    QString m_file;
    CategoryRules m_builtin;
    CategoryRules m_rules; ///< in force
    UserRules m_own;
    bool m_writable = true; ///< the file could be read, so that nothing in it is lost by writing
    ToneLabel* m_message;
    TablePanel* m_table;
    QLineEdit* m_expression;
    QLineEdit* m_not;
    QComboBox* m_category;
    QPushButton* m_add;
    QPushButton* m_change;
    QPushButton* m_remove;
};

} // namespace lockstep
