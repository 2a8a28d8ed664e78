#include "views/tables/tablepanel.h"

#include "views/common/palette.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace lockstep {

namespace {

/// Rows that match in their first two columns and are not folded away.
class VisibleRows : public QSortFilterProxyModel {
public:
    explicit VisibleRows(const CellTable& table, QObject* parent)
        : QSortFilterProxyModel(parent)
        , m_table(table) {
        setSortRole(CellTable::OrderRole);
        setSortCaseSensitivity(Qt::CaseInsensitive);
    }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        if (m_table.hidden(row))
            return false;
        const QRegularExpression expression = filterRegularExpression();
        if (expression.pattern().isEmpty())
            return true;
        for (int column = 0; column < std::min(2, m_table.columnCount()); ++column)
            if (m_table.index(row, column, parent).data(CellTable::PlainRole).toString().contains(expression))
                return true;
        return false;
    }

private:
    const CellTable& m_table;
};

/// Keeps a number set to the right apart from a text to the left of the next column.
class PaddedCells : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem cell = option;
        initStyleOption(&cell, index);
        const QStyle& style = *(cell.widget ? cell.widget->style() : QApplication::style());
        style.drawPrimitive(QStyle::PE_PanelItemViewItem, &cell, painter, cell.widget);
        cell.rect.adjust(kPadding, 0, -kPadding, 0);
        style.drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    }
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(2 * kPadding, 0);
    }

    static constexpr int kPadding = 2; ///< pixels at both sides
};

/// Knows when it is the keyboard's coming that makes a row current.
class FocusedTable : public QTableView {
public:
    using QTableView::QTableView;
    bool focusing = false;

protected:
    void focusInEvent(QFocusEvent* event) override {
        focusing = true;
        QTableView::focusInEvent(event);
        focusing = false;
    }
};

} // namespace

TablePanel::TablePanel(const QString& name, Use use, QWidget* parent)
    : QWidget(parent)
    , m_use(use)
    , m_table(new CellTable(this))
    , m_sorted(new VisibleRows(*m_table, this))
    , m_filter(new QLineEdit(this))
    , m_view(new FocusedTable(this))
    , m_empty(new QLabel(this)) {
    setAccessibleName(name);
    m_sorted->setSourceModel(m_table);
    m_view->setModel(m_sorted);
    m_view->setAccessibleName(name);
    m_view->setItemDelegate(new PaddedCells(m_view));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setShowGrid(false);
    m_view->setAlternatingRowColors(use == Use::Searching);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setWordWrap(false);
    m_view->setTabKeyNavigation(false);
    m_view->setTextElideMode(Qt::ElideRight);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setMinimumSectionSize(30);
    // Until a heading is clicked, rows keep the order that they are given.
    m_view->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    m_view->horizontalHeader()->setSortIndicatorClearable(true);
    m_view->setSortingEnabled(use == Use::Searching);
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->viewport()->installEventFilter(this);
    m_filter->setPlaceholderText(tr("Filter by a regular expression"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setAccessibleName(tr("Filter of %1").arg(name));
    m_filter->setVisible(use == Use::Searching);
    m_empty->setTextFormat(Qt::PlainText);
    m_empty->setWordWrap(true);
    m_empty->setMargin(8);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_filter);
    column->addWidget(m_empty);
    column->addWidget(m_view, 1);
    if (use == Use::Reading) {
        m_view->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    }
    auto* copyKeys = new QShortcut(QKeySequence::Copy, m_view, nullptr, nullptr, Qt::WidgetShortcut);
    connect(copyKeys, &QShortcut::activated, this, &TablePanel::copy);
    connect(m_filter, &QLineEdit::textChanged, this, &TablePanel::applyFilter);
    connect(m_view, &QTableView::clicked, this, &TablePanel::clicked);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                // The keyboard coming here makes the first row current, but chooses nothing.
                const bool focusing =
                    static_cast<const FocusedTable*>(m_view)->focusing; // NOLINT: made above
                if (!m_quiet && !focusing && current.isValid())
                    Q_EMIT rowChosen(current.data(CellTable::KeyRole).toLongLong());
            });
    refreshEmptyText();
}

void TablePanel::setColumns(std::vector<TableColumn> columns) {
    m_table->setColumns(std::move(columns));
}

void TablePanel::setRows(std::vector<TableRow> rows) {
    const std::int64_t key = currentKey();
    m_quiet = true;
    m_table->setRows(std::move(rows));
    m_quiet = false;
    if (key >= 0)
        setCurrentKey(key);
    refreshEmptyText();
    fitColumns();
    fitHeight();
}

void TablePanel::setEmptyText(const QString& sentence) {
    m_emptyText = sentence;
    refreshEmptyText();
}

void TablePanel::setWideColumn(int column, int characters) {
    m_wideColumn = column;
    m_wideCharacters = characters;
}

void TablePanel::refreshEmptyText() {
    const bool nothing = m_sorted->rowCount() == 0;
    m_empty->setText(m_table->rowCount() == 0 ? m_emptyText : tr("No row matches the filter."));
    m_empty->setVisible(nothing && !m_empty->text().isEmpty());
    m_view->setVisible(!m_empty->isVisibleTo(this));
    if (m_use == Use::Searching)
        m_filter->setVisible(m_table->rowCount() > 0);
}

void TablePanel::setFilter(const QString& expression) {
    m_filter->setText(expression);
}

void TablePanel::applyFilter(const QString& expression) {
    const QRegularExpression regex(expression, QRegularExpression::CaseInsensitiveOption);
    QPalette shown = palette();
    if (!regex.isValid())
        shown.setColor(QPalette::Text, Palette::of(palette()).of(ColourRole::Lateness));
    m_filter->setPalette(shown);
    m_filter->setToolTip(regex.isValid() ? QString() : regex.errorString());
    if (regex.isValid())
        m_sorted->setFilterRegularExpression(regex);
    refreshEmptyText();
}

void TablePanel::setFolded(std::int64_t key, bool folded) {
    m_quiet = true;
    m_table->setFolded(key, folded);
    m_sorted->invalidate();
    m_quiet = false;
    fitHeight();
}

void TablePanel::clicked(const QModelIndex& index) {
    const std::int64_t key = index.data(CellTable::KeyRole).toLongLong();
    if (index.column() == 0 && m_table->foldable(key))
        setFolded(key, !m_table->folded(key));
}

std::int64_t TablePanel::currentKey() const {
    const QModelIndex current = m_view->currentIndex();
    return current.isValid() ? current.data(CellTable::KeyRole).toLongLong() : -1;
}

void TablePanel::setCurrentKey(std::int64_t key) {
    m_quiet = true;
    if (key < 0)
        m_view->selectionModel()->clear();
    for (int row = 0; key >= 0 && row < m_sorted->rowCount(); ++row)
        if (const QModelIndex index = m_sorted->index(row, 0);
            index.data(CellTable::KeyRole).toLongLong() == key) {
            m_view->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect |
                                                                 QItemSelectionModel::Rows);
            m_view->scrollTo(index);
            break;
        }
    m_quiet = false;
}

void TablePanel::fitColumns() {
    QHeaderView& header = *m_view->horizontalHeader();
    constexpr int kLooked = 100; // rows that the widths are taken from
    const int widest = m_use == Use::Reading ? 22 : 32;
    const int rows = std::min(kLooked, m_sorted->rowCount());
    const QFontMetrics metrics = m_view->fontMetrics();
    for (int column = 0; column < m_table->columnCount(); ++column) {
        if (column == m_wideColumn)
            continue;
        int width = metrics.horizontalAdvance(
            m_table->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        if (m_use == Use::Searching)
            width += 14; // the mark of the order
        for (int row = 0; row < rows; ++row)
            width =
                std::max(width, metrics.horizontalAdvance(m_sorted->index(row, column).data().toString()) +
                                    (m_sorted->index(row, column).data(Qt::FontRole).isValid() ? 8 : 0));
        header.resizeSection(column, std::min(width + 12, widest * metrics.averageCharWidth()));
    }
    fitWideColumn();
}

void TablePanel::fitWideColumn() {
    if (m_wideColumn >= m_table->columnCount())
        return;
    QHeaderView& header = *m_view->horizontalHeader();
    const int others = header.length() - header.sectionSize(m_wideColumn);
    const int least = m_wideCharacters * m_view->fontMetrics().averageCharWidth();
    const int left = m_view->viewport()->width() - others;
    header.resizeSection(m_wideColumn, std::max(least, left));
    const bool overflows = left < least;
    if (overflows != m_overflows) {
        m_overflows = overflows;
        fitHeight();
    }
}

bool TablePanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view->viewport() && event->type() == QEvent::Resize)
        fitWideColumn();
    return QWidget::eventFilter(watched, event);
}

void TablePanel::fitHeight() {
    if (m_use != Use::Reading)
        return;
    constexpr int kMostRows = 16; // beyond them the table scrolls, or it would push all else out of sight
    const int rows = std::min(m_sorted->rowCount(), kMostRows);
    m_view->setVerticalScrollBarPolicy(rows < m_sorted->rowCount() ? Qt::ScrollBarAsNeeded
                                                                   : Qt::ScrollBarAlwaysOff);
    const int bar = m_overflows ? m_view->horizontalScrollBar()->sizeHint().height() : 0;
    m_view->setFixedHeight(m_view->horizontalHeader()->sizeHint().height() +
                           rows * m_view->verticalHeader()->defaultSectionSize() + bar + 2);
}

void TablePanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_view) {
        m_view->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
        fitColumns();
        fitHeight();
    }
}

QStringList TablePanel::text() const {
    QStringList lines;
    QStringList cells;
    for (const TableColumn& column : m_table->columns())
        cells << column.heading;
    lines << cells.join(QLatin1Char('\t'));
    for (int row = 0; row < m_sorted->rowCount(); ++row) {
        cells.clear();
        for (int column = 0; column < m_sorted->columnCount(); ++column)
            // What spreadsheets take for a number has a hyphen and no commas.
            cells << (m_table->columns()[static_cast<std::size_t>(column)].number
                          ? m_sorted->index(row, column)
                                .data(CellTable::PlainRole)
                                .toString()
                                .replace(QStringLiteral("−"), QStringLiteral("-"))
                                .remove(QLatin1Char(','))
                          : m_sorted->index(row, column).data(CellTable::PlainRole).toString());
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines;
}

void TablePanel::copy() const {
    const QModelIndexList selected = m_view->selectionModel()->selectedRows();
    const QStringList all = text();
    QStringList lines{all.first()};
    if (selected.isEmpty()) {
        lines = all;
    } else {
        std::vector<int> rows;
        for (const QModelIndex& index : selected)
            rows.push_back(index.row());
        std::sort(rows.begin(), rows.end());
        for (const int row : rows)
            lines << all[row + 1];
    }
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace lockstep
