#include "views/panels/details.h"

#include "views/common/format.h"
#include "views/panels/plainlabel.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace lockstep {

namespace {
constexpr qsizetype kTitleLength = 4000; ///< characters; template names can fill pages
} // namespace

DetailsPanel::DetailsPanel(ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_title(new PlainLabel({}, this))
    , m_tree(new QTreeWidget(this)) {
    setAccessibleName(tr("Details of the selected event"));
    QFont bold = font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_title->setWordWrap(true);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_title->setMaximumHeight(4 * fontMetrics().height() + 4);
    m_title->setMinimumWidth(1);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_tree->setColumnCount(2);
    m_tree->setHeaderHidden(true);
    m_tree->setRootIsDecorated(false);
    m_tree->setIndentation(10);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setUniformRowHeights(true);
    m_tree->setTextElideMode(Qt::ElideRight);
    m_tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_tree->setAccessibleName(tr("Properties"));
    m_tree->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    auto* copyAction = new QAction(tr("Copy"), m_tree);
    copyAction->setShortcut(QKeySequence::Copy);
    copyAction->setShortcutContext(Qt::WidgetShortcut);
    connect(copyAction, &QAction::triggered, this, &DetailsPanel::copy);
    m_tree->addAction(copyAction);
    m_tree->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 6, 8, 0);
    column->addWidget(m_title);
    column->addWidget(m_tree, 1);
    connect(&m_state, &ViewState::selectionChanged, this, &DetailsPanel::showSelection);
    connect(&m_state, &ViewState::categoriesChanged, this, [this] {
        if (m_state.selection().valid())
            showSelection();
    });
    showSelection();
}

void DetailsPanel::showSelection() {
    m_tree->clear();
    const EventRef event = m_state.selection();
    if (!event.valid()) {
        m_title->setText(tr("Click an event to see all about it."));
        return;
    }
    const ShownRun& shown = *m_state.shown();
    m_title->setText(traceText(shown.ranks[event.rank].trace->name(event.event)).left(kTitleLength));
    m_title->setToolTip({});
    for (const DetailGroup& group : detailsOf(shown, m_state.categories().get(), event))
        addGroup(group);
    Q_EMIT argumentsWanted(event);
}

void DetailsPanel::addGroup(const DetailGroup& group) {
    auto* heading = new QTreeWidgetItem(m_tree, {group.heading});
    QFont bold = font();
    bold.setBold(true);
    heading->setFont(0, bold);
    heading->setFirstColumnSpanned(true);
    for (const DetailRow& row : group.rows)
        new QTreeWidgetItem(heading, {row.name, row.value});
    heading->setExpanded(true);
}

void DetailsPanel::setArguments(EventRef event, std::vector<DetailRow> arguments) {
    if (event != m_state.selection())
        return;
    if (arguments.empty())
        arguments.push_back({tr("none"), {}});
    addGroup({tr("Arguments in the file"), std::move(arguments)});
}

void DetailsPanel::setArgumentsError(EventRef event, const QString& reason) {
    if (event == m_state.selection())
        addGroup({tr("Arguments in the file"), {{tr("not read"), reason}}});
}

QStringList DetailsPanel::text() const {
    QStringList lines;
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        const QTreeWidgetItem* heading = m_tree->topLevelItem(i);
        for (int j = 0; j < heading->childCount(); ++j)
            lines << heading->text(0) + QStringLiteral(" / ") + heading->child(j)->text(0) +
                         QStringLiteral(": ") + heading->child(j)->text(1);
    }
    return lines;
}

void DetailsPanel::copy() const {
    QStringList lines;
    for (const QTreeWidgetItem* item : m_tree->selectedItems())
        lines << (item->text(1).isEmpty() ? item->text(0)
                                          : item->text(0) + QLatin1Char('\t') + item->text(1));
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace lockstep
