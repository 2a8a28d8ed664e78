#include "views/tables/whatiftable.h"

#include "views/common/format.h"
#include "views/tables/numbers.h"

#include <QCoreApplication>

namespace lockstep {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("WhatIfTable", text);
}

TableRow projectionRow(const QString& label, const Projection& projection, bool strong = false) {
    TableRow row;
    row.strong = strong;
    row.cells = {label, numberCell(projection.savedMs, 3), numberCell(projection.percent, 1),
                 numberCell(projection.tpotMs, 3)};
    return row;
}

} // namespace

std::vector<TableColumn> whatIfColumns() {
    return {{tr("projected step"), false, {}},
            {tr("saved ms"), true, {}},
            {tr("saved %"), true, tr("of the measured step")},
            {tr("step ms"), true, tr("what a step would take")}};
}

std::vector<TableRow> whatIfRows(const WhatIfResult& result) {
    std::vector<TableRow> rows;
    rows.push_back(
        projectionRow(tr("measured (%1)").arg(traceText(result.baselineSource)), {0, result.baselineMs, 0}));
    rows.push_back(projectionRow(tr("naive: calls × difference"), result.naive));
    rows.push_back(projectionRow(tr("transfer-only: waiting stays"), result.transferOnly));
    rows.push_back(projectionRow(tr("re-simulated over all ranks"), result.replayed, true));
    std::int64_t key = 0;
    for (TableRow& row : rows)
        row.key = key++;
    return rows;
}

} // namespace lockstep
