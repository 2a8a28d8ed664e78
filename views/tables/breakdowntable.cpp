#include "views/tables/breakdowntable.h"

#include "views/common/format.h"
#include "views/common/showncategories.h"
#include "views/tables/numbers.h"

#include <QCoreApplication>

namespace lockstep {

namespace {

constexpr std::int64_t kGroupKeys = 1'000;
constexpr std::int64_t kPartKeys = 2'000; ///< waiting and moving data

QString tr(const char* text) {
    return QCoreApplication::translate("BreakdownTable", text);
}

/// Microseconds are worth showing where a step takes few milliseconds.
TableCell stepCell(const Breakdown& breakdown, double ns) {
    constexpr double kLong = 10e6;
    return msCell(ns, breakdown.perStep(breakdown.totalNs) >= kLong ? 2 : 3);
}

std::vector<TableCell> cellsOf(const Breakdown& breakdown, const BreakdownRow& row, const QString& label,
                               bool ofTotal) {
    const bool idle = row.category == BreakdownRow::kIdle;
    return {label,
            stepCell(breakdown, breakdown.perStep(row.totalNs)),
            ofTotal ? numberCell(breakdown.percent(row), 1) : TableCell(),
            idle ? TableCell() : numberCell(breakdown.callsPerStep(row), 1),
            row.calls > 0 ? usCell(Breakdown::perCall(row)) : TableCell(),
            stepCell(breakdown, row.p50Ns),
            stepCell(breakdown, row.p99Ns)};
}

/// What waiting or moving data takes of a row, a step.
TableRow partRow(const Breakdown& breakdown, const BreakdownRow& of, TimeNs ns, bool waiting,
                 std::int64_t parent, ColourRole role) {
    TableRow row;
    row.key = kPartKeys + parent * 2 + (waiting ? 0 : 1);
    row.parent = parent;
    row.swatch = role;
    row.hatched = waiting;
    row.muted = true;
    row.cells = {waiting ? tr("waiting") : tr("moving data"), stepCell(breakdown, breakdown.perStep(ns)),
                 breakdown.totalNs > 0
                     ? numberCell(100.0 * static_cast<double>(ns) / static_cast<double>(breakdown.totalNs), 1)
                     : TableCell(),
                 TableCell(),
                 of.calls > 0 ? usCell(static_cast<double>(ns) / static_cast<double>(of.calls))
                              : TableCell()};
    return row;
}

void addGroup(std::vector<TableRow>& rows, const Breakdown& breakdown, const CategorySet& set,
              const BreakdownRow& group) {
    const bool idle = group.category == BreakdownRow::kIdle;
    TableRow row;
    row.key = keyOfGroup(group.category);
    if (!idle)
        row.swatch = roleOfGroup(set, group.category);
    row.muted = idle || group.totalNs == 0;
    row.cells = cellsOf(breakdown, group, idle ? tr("Idle") : traceText(group.label), true);
    const std::int64_t parent = row.key;
    rows.push_back(std::move(row));
    if (idle)
        return;
    std::vector<const BreakdownRow*> parts;
    for (const BreakdownRow& part : breakdown.rows)
        if (part.category != BreakdownRow::kIdle && set.categories[part.category].group == group.category)
            parts.push_back(&part);
    const bool alone = parts.size() == 1 && parts.front()->label == group.label;
    for (const BreakdownRow* part : parts) {
        if (alone)
            break;
        TableRow below;
        below.key = part->category;
        below.parent = parent;
        below.swatch = roleOfCategory(set, part->category);
        // Below "AllReduce" its part "AllReduce (NCCL)" is "NCCL".
        QString label = traceText(part->label);
        const QString prefix = traceText(group.label) + QStringLiteral(" (");
        if (label.startsWith(prefix) && label.endsWith(QLatin1Char(')')))
            label = label.sliced(prefix.size(), label.size() - prefix.size() - 1);
        below.cells = cellsOf(breakdown, *part, label, true);
        rows.push_back(std::move(below));
    }
    if (group.waitNs && group.transferNs && set.groups[group.category].id == "allreduce") {
        rows.push_back(partRow(breakdown, group, *group.waitNs, true, parent, ColourRole::AllReduce));
        rows.push_back(partRow(breakdown, group, *group.transferNs, false, parent, ColourRole::AllReduce));
    }
}

TableRow totalRow(const QString& label, const TableCell& time, bool whole) {
    TableRow row;
    row.key = -1;
    row.strong = whole;
    row.muted = !whole;
    row.cells = {label, time, whole ? numberCell(100, 1) : TableCell()};
    return row;
}

} // namespace

std::int64_t keyOfGroup(std::uint8_t group) {
    return kGroupKeys + group;
}

std::vector<TableColumn> breakdownColumns() {
    return {{tr("category"), false, {}},
            {tr("ms"), true, tr("milliseconds a step, mean over the chosen steps and ranks")},
            {tr("%"), true, tr("of the total")},
            {tr("calls"), true, tr("calls a step and rank")},
            {tr("µs/call"), true, tr("mean time of a call")},
            {tr("p50 ms"), true, tr("median over the chosen steps")},
            {tr("p99 ms"), true, tr("99th percentile over the chosen steps")}};
}

std::vector<TableRow> breakdownRows(const Breakdown& breakdown, const CategorySet& set) {
    std::vector<TableRow> rows;
    if (breakdown.cells == 0)
        return rows;
    for (const BreakdownRow& group : breakdown.groups)
        addGroup(rows, breakdown, set, group);
    const bool wall = breakdown.attribution == Attribution::Wall;
    const auto addTotal = [&](const QString& label, double ns, bool whole) {
        rows.push_back(totalRow(label, stepCell(breakdown, ns), whole));
    };
    addTotal(wall ? tr("Step, wall time") : tr("Total, added up"), breakdown.perStep(breakdown.totalNs),
             true);
    if (wall)
        addTotal(tr("kernels added up"), breakdown.perStep(breakdown.kernelSumNs), false);
    else
        addTotal(tr("wall time"), breakdown.perStep(breakdown.wallNs), false);
    if (breakdown.periodNs)
        addTotal(tr("period (TPOT)"), *breakdown.periodNs, false);
    for (const BreakdownRow& row : breakdown.besides) {
        TableRow beside;
        beside.muted = true;
        beside.cells = cellsOf(breakdown, row, traceText(row.label), false);
        rows.push_back(std::move(beside));
    }
    return rows;
}

} // namespace lockstep
