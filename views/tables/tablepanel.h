#pragma once

#include "views/tables/celltable.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace lockstep {

/// A table that is filtered by a regular expression, sorted by its headings and copied with Ctrl+C as text
/// parted by tabs. Where it has nothing to show, a sentence says why.
class TablePanel : public QWidget {
    Q_OBJECT
public:
    /// A table for reading is as tall as its rows, has no filter, and keeps its order.
    enum class Use { Searching, Reading };

    TablePanel(const QString& name, Use use, QWidget* parent = nullptr);

    void setColumns(std::vector<TableColumn> columns);
    /// Keeps the current row by its key.
    void setRows(std::vector<TableRow> rows);
    /// Shown in place of the rows while there are none.
    void setEmptyText(const QString& sentence);
    /// The column that takes the room that is left, but no less than `characters`; by default the first.
    void setWideColumn(int column, int characters);
    void setFilter(const QString& expression);
    void setFolded(std::int64_t key, bool folded);
    /// Makes the row of `key` the current one without saying so; -1: none.
    void setCurrentKey(std::int64_t key);

    [[nodiscard]] std::int64_t currentKey() const;
    [[nodiscard]] QTableView& view() const { return *m_view; }
    [[nodiscard]] CellTable& table() const { return *m_table; }
    /// The visible rows as shown, cells parted by tabs; with the headings.
    [[nodiscard]] QStringList text() const;
    void copy() const;

Q_SIGNALS:
    /// The user chose a row, by click or keys.
    void rowChosen(qlonglong key);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fitHeight();
    void fitColumns();
    void fitWideColumn();
    void clicked(const QModelIndex& index);
    void applyFilter(const QString& expression);
    void refreshEmptyText();

    Use m_use;
    CellTable* m_table;
    QSortFilterProxyModel* m_sorted;
    QLineEdit* m_filter;
    QTableView* m_view;
    QLabel* m_empty;
    QString m_emptyText;
    int m_wideColumn = 0;
    int m_wideCharacters = 18;
    bool m_overflows = false; ///< the columns need more than the width there is
    bool m_quiet = false;     ///< the current row changes by program
};

} // namespace lockstep
