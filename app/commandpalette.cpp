#include "app/commandpalette.h"

#include "app/actions.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace lockstep {

namespace {

/// Whether all words of `wanted` begin somewhere in `text`, whatever the case; 0: no, else higher for
/// earlier.
int rankOf(const QString& text, const QString& wanted) {
    int rank = 1;
    for (const QString& word : wanted.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive);
        if (at < 0)
            return 0;
        rank += at == 0 ? 100 : text[at - 1].isLetter() ? 1 : 10;
    }
    return rank;
}

} // namespace

CommandPalette::CommandPalette(const std::vector<QAction*>& actions, QWidget* parent)
    : QDialog(parent)
    , m_line(new QLineEdit(this))
    , m_list(new QListWidget(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Commands"));
    std::copy_if(actions.begin(), actions.end(), std::back_inserter(m_actions), [](const QAction* action) {
        return action->isEnabled();
    });
    m_line->setPlaceholderText(tr("Type a command"));
    m_line->setAccessibleName(tr("Command"));
    m_line->installEventFilter(this);
    m_list->setAccessibleName(tr("Commands"));
    m_list->setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_line);
    column->addWidget(m_list);
    connect(m_line, &QLineEdit::textChanged, this, &CommandPalette::refresh);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
    resize(520, 420);
    refresh();
    m_line->setFocus();
}

QStringList CommandPalette::texts() const {
    QStringList texts;
    for (int i = 0; i < m_list->count(); ++i)
        texts << m_list->item(i)->text();
    return texts;
}

void CommandPalette::refresh() {
    std::vector<std::pair<int, QAction*>> found;
    for (QAction* action : m_actions)
        if (const int rank = rankOf(plainText(*action), m_line->text()); rank > 0)
            found.emplace_back(rank, action);
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return a.first > b.first;
    });
    m_list->clear();
    for (const auto& [rank, action] : found) {
        QString text = plainText(*action);
        if (const QString keys = keysText(*action); !keys.isEmpty())
            text += QStringLiteral("   ") + keys;
        auto* item = new QListWidgetItem(text, m_list);
        item->setData(Qt::UserRole, QVariant::fromValue<QObject*>(action));
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::runCurrent() {
    const QListWidgetItem* item = m_list->currentItem();
    if (!item)
        return;
    auto* action = qobject_cast<QAction*>(item->data(Qt::UserRole).value<QObject*>());
    close();
    if (action)
        action->trigger();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        runCurrent();
        return true;
    }
    if (key == Qt::Key_Down || key == Qt::Key_Up) {
        const int next = m_list->currentRow() + (key == Qt::Key_Down ? 1 : -1);
        m_list->setCurrentRow(std::clamp(next, 0, std::max(0, m_list->count() - 1)));
        return true;
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace lockstep
