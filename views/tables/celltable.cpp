#include "views/tables/celltable.h"

#include "views/common/palette.h"

#include <QFont>
#include <QGuiApplication>
#include <QPainter>
#include <QPixmap>
#include <utility>

namespace lockstep {

namespace {

/// A square in the colour of `role`; hatched: the part of a collective that waits.
QPixmap swatchOf(ColourRole role, bool hatched) {
    constexpr int kSide = 11;
    const QColor colour = Palette::of(QGuiApplication::palette()).of(role);
    const qreal ratio = qGuiApp->devicePixelRatio();
    QPixmap pixmap((QSizeF(kSide, kSide) * ratio).toSize());
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    const QRectF square(0.5, 0.5, kSide - 1, kSide - 1);
    if (hatched) {
        QColor pale = colour;
        pale.setAlphaF(0.18F);
        painter.fillRect(square, pale);
        painter.fillRect(square, QBrush(colour, Qt::BDiagPattern));
        painter.setPen(colour);
        painter.drawRect(square);
    } else {
        painter.fillRect(square, colour);
    }
    return pixmap;
}

} // namespace

void CellTable::setColumns(std::vector<TableColumn> columns) {
    beginResetModel();
    m_columns = std::move(columns);
    endResetModel();
}

void CellTable::setRows(std::vector<TableRow> rows) {
    beginResetModel();
    m_rows = std::move(rows);
    m_parents.clear();
    for (const TableRow& row : m_rows)
        if (row.parent >= 0)
            m_parents.insert(row.parent);
    endResetModel();
}

void CellTable::setFolded(std::int64_t key, bool folded) {
    if (folded == m_folded.contains(key))
        return;
    if (folded)
        m_folded.insert(key);
    else
        m_folded.erase(key);
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, 0));
}

bool CellTable::hidden(int row) const {
    const std::int64_t parent = m_rows[static_cast<std::size_t>(row)].parent;
    if (parent < 0)
        return false;
    if (m_folded.contains(parent))
        return true;
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (m_rows[i].key == parent)
            return hidden(static_cast<int>(i));
    return false;
}

int CellTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CellTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QString CellTable::label(const TableRow& row, const TableCell& cell) const {
    if (m_parents.empty())
        return cell.text;
    if (foldable(row.key))
        return (folded(row.key) ? QStringLiteral("▸ ") : QStringLiteral("▾ ")) + cell.text;
    return QString(row.parent >= 0 ? 5 : 3, QChar(0x2002)) + cell.text;
}

QVariant CellTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const TableRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<std::size_t>(index.column());
    if (role == KeyRole)
        return QVariant::fromValue<qlonglong>(row.key);
    if (column >= row.cells.size())
        return {};
    const TableCell& cell = row.cells[column];
    switch (role) {
    case Qt::DisplayRole:
        return column == 0 ? label(row, cell) : cell.text;
    case PlainRole:
        return cell.hint.isEmpty() ? cell.text : cell.hint;
    case OrderRole:
        return cell.number ? QVariant(*cell.number) : QVariant(cell.text);
    case Qt::ToolTipRole:
        // A tooltip takes what looks like markup for markup.
        return (cell.hint.isEmpty() ? cell.text : cell.hint).toHtmlEscaped();
    case Qt::TextAlignmentRole:
        return QVariant(m_columns[column].number ? Qt::AlignRight | Qt::AlignVCenter
                                                 : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::DecorationRole:
        return column == 0 && row.swatch ? QVariant(swatchOf(*row.swatch, row.hatched)) : QVariant();
    case Qt::FontRole: {
        QFont font = QGuiApplication::font();
        font.setBold(row.strong);
        return row.strong ? QVariant(font) : QVariant();
    }
    case Qt::ForegroundRole:
        return row.muted ? QVariant(Palette::of(QGuiApplication::palette()).mutedText) : QVariant();
    default:
        return {};
    }
}

QVariant CellTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || static_cast<std::size_t>(section) >= m_columns.size())
        return {};
    const TableColumn& column = m_columns[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return column.heading;
    case Qt::ToolTipRole:
        return column.hint.toHtmlEscaped();
    case Qt::TextAlignmentRole:
        return QVariant(column.number ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    default:
        return {};
    }
}

} // namespace lockstep
