#pragma once

#include "views/common/colourrole.h"

#include <QAbstractTableModel>
#include <QString>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace lockstep {

/// A column of a table; numbers are set to the right, and their unit stands in the heading.
struct TableColumn {
    QString heading;
    bool number = false;
    QString hint; ///< what the column holds, for a tooltip
};

/// A cell: its text, and the number that it is sorted by, where it is one.
struct TableCell {
    QString text;
    std::optional<double> number;
    QString hint; ///< the whole text where `text` is a short form; plain text

    TableCell() = default;
    TableCell(QString shown) // NOLINT(google-explicit-constructor): rows are written as lists
        : text(std::move(shown)) {}
    TableCell(QString shown, double value)
        : text(std::move(shown))
        , number(value) {}
};

/// A row, by the key that says what it stands for.
struct TableRow {
    std::vector<TableCell> cells;
    std::int64_t key = -1;
    std::int64_t parent = -1; ///< key of the row that this one unfolds from; -1: none
    std::optional<ColourRole> swatch;
    bool hatched = false; ///< the swatch stands for waiting
    bool strong = false;  ///< a total
    bool muted = false;
};

/// Rows of plain text for a view: never markup, whatever a kernel is called.
class CellTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { OrderRole = Qt::UserRole, KeyRole, PlainRole };

    using QAbstractTableModel::QAbstractTableModel;

    void setColumns(std::vector<TableColumn> columns);
    void setRows(std::vector<TableRow> rows);
    [[nodiscard]] const std::vector<TableColumn>& columns() const { return m_columns; }
    [[nodiscard]] const std::vector<TableRow>& rows() const { return m_rows; }
    /// Whether other rows unfold from the row of `key`.
    [[nodiscard]] bool foldable(std::int64_t key) const { return m_parents.contains(key); }
    [[nodiscard]] bool folded(std::int64_t key) const { return m_folded.contains(key); }
    void setFolded(std::int64_t key, bool folded);
    /// Whether the row is hidden in one that is folded.
    [[nodiscard]] bool hidden(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString label(const TableRow& row, const TableCell& cell) const;

    std::vector<TableColumn> m_columns;
    std::vector<TableRow> m_rows;
    std::set<std::int64_t> m_parents;
    std::set<std::int64_t> m_folded;
};

} // namespace lockstep
