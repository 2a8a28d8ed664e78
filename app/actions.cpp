#include "app/actions.h"

#include <QAction>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QMenu>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace lockstep {

QAction* Actions::add(QMenu& menu, const QString& text, const QList<QKeySequence>& keys,
                      std::function<void()> run) {
    auto* action = new QAction(text, &m_window);
    action->setShortcuts(keys);
    QObject::connect(action, &QAction::triggered, &m_window, [run = std::move(run)] {
        run();
    });
    menu.addAction(action);
    m_window.addAction(action);
    m_actions.push_back(action);
    return action;
}

QString plainText(const QAction& action) {
    QString text = action.text();
    text.remove(QLatin1Char('&'));
    return text;
}

QString keysText(const QAction& action) {
    QStringList keys;
    for (const QKeySequence& key : action.shortcuts())
        keys << key.toString(QKeySequence::NativeText);
    return keys.join(QStringLiteral("  "));
}

void showKeys(QWidget& parent, const Actions& actions) {
    auto* dialog = new QDialog(&parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QObject::tr("Keys"));
    dialog->setObjectName(QStringLiteral("keys"));
    auto* list = new QTreeWidget(dialog);
    list->setColumnCount(2);
    list->setHeaderHidden(true);
    list->setRootIsDecorated(false);
    list->setFrameShape(QFrame::NoFrame);
    list->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    const auto add = [list](const QString& keys, const QString& what) {
        new QTreeWidgetItem(list, {keys, what});
    };
    for (const QAction* action : actions.all()) {
        if (const QString keys = keysText(*action); !keys.isEmpty())
            add(keys, plainText(*action));
    }
    add(QObject::tr("Wheel"), QObject::tr("Pan"));
    add(QObject::tr("Ctrl+Wheel"), QObject::tr("Zoom at the pointer"));
    add(QObject::tr("Drag"), QObject::tr("Select a range"));
    add(QObject::tr("Shift+Drag"), QObject::tr("Pan"));
    add(QObject::tr("Double click"), QObject::tr("Show the event, step or layer"));
    add(QObject::tr("Right click"), QObject::tr("What can be done with an event, lane or rank"));
    add(QObject::tr("Enter  Shift+Enter"), QObject::tr("Next and previous hit, while searching"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* column = new QVBoxLayout(dialog);
    column->addWidget(list);
    column->addWidget(buttons);
    dialog->resize(460, 560);
    dialog->show();
}

} // namespace lockstep
