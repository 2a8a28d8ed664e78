#include "views/tables/comparisontables.h"

#include "views/common/format.h"
#include "views/common/showncategories.h"
#include "views/tables/breakdowntable.h"
#include "views/tables/numbers.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace lockstep {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("ComparisonTables", text);
}

TableCell signedMs(double ns) {
    TableCell cell = msCell(ns, 2);
    if (ns > 0)
        cell.text.prepend(QLatin1Char('+'));
    return cell;
}

TableCell ratioCell(const ComparedValue& value) {
    const std::optional<double> ratio = value.ratio();
    if (!ratio)
        return value.a > 0 ? TableCell(tr("only A"), 1e9) : TableCell();
    if (value.a == 0)
        return {tr("only B"), 0};
    const double shown = *ratio;
    return {QLocale::c().toString(shown, 'f', shown >= 100 ? 0 : 2) + QStringLiteral(" ×"), shown};
}

TableRow figureRow(const QString& label, const TableCell& a, const TableCell& b, const TableCell& ratio) {
    TableRow row;
    row.cells = {label, a, b, ratio};
    return row;
}

TableCell percentCell(const std::optional<double>& value) {
    return value ? TableCell(QLocale::c().toString(*value, 'f', 1) + QStringLiteral(" %"), *value)
                 : TableCell(tr("unknown"));
}

/// What the case study reports of a category.
struct Reported {
    TableCell ms;
    TableCell percent;
};

Reported reportedOf(const ComparedCategory& category, const ReportedRun* reported) {
    Reported beside;
    if (!reported || !category.isGroup)
        return beside;
    if (const ReportedGroup* group = reported->find(category.label)) {
        beside.ms = numberCell(group->perStepMs, 2);
        beside.percent = numberCell(group->percent, 1);
    } else if (category.id == "dtype_cast" && reported->castPercent) {
        beside.percent = numberCell(*reported->castPercent, 1);
    }
    return beside;
}

void addStalls(std::vector<TableRow>& rows, const ComparedStalls& a, const ComparedStalls& b) {
    if (!a.known && !b.known)
        return;
    const auto add = [&](const QString& label, auto&& cellOf) {
        rows.push_back(figureRow(label, a.known ? cellOf(a) : TableCell(tr("unknown")),
                                 b.known ? cellOf(b) : TableCell(tr("unknown")), {}));
    };
    add(tr("all-reduce waiting, µs a call"), [](const ComparedStalls& stalls) {
        return usCell(stalls.waitPerCallNs);
    });
    add(tr("all-reduce moving data, µs a call"), [](const ComparedStalls& stalls) {
        return usCell(stalls.transferPerCallNs);
    });
    add(tr("waiting, % of all-reduce"), [](const ComparedStalls& stalls) {
        return numberCell(100 * stalls.waitShare, 1);
    });
    add(tr("waited for most"), [](const ComparedStalls& stalls) {
        return stalls.worstRank < 0 ? TableCell(tr("nobody"))
                                    : TableCell(tr("rank %1 (%2 %)")
                                                    .arg(stalls.worstRank)
                                                    .arg(std::lround(100 * stalls.worstRankShare)));
    });
}

} // namespace

std::vector<TableColumn> comparedColumns(bool reported) {
    std::vector<TableColumn> columns{{tr("category"), false, {}},
                                     {tr("A ms"), true, tr("milliseconds a step and rank in the open run")},
                                     {tr("B ms"), true, tr("milliseconds a step and rank in the other run")}};
    const QString hint = tr("what the case study reports, not measured here");
    if (reported)
        columns.push_back({tr("reported ms"), true, hint});
    columns.push_back({tr("A−B ms"), true, tr("difference")});
    columns.push_back({tr("A÷B"), true, tr("ratio")});
    columns.push_back({tr("A %"), true, tr("of the total")});
    columns.push_back({tr("B %"), true, tr("of the total")});
    if (reported)
        columns.push_back({tr("reported %"), true, hint});
    return columns;
}

std::vector<TableRow> comparedRows(const Comparison& comparison, const CategorySet& set,
                                   const ReportedRun* reported) {
    std::vector<TableRow> rows;
    std::int64_t parent = -1;
    double sumA = 0;
    double sumB = 0;
    for (const ComparedCategory& category : comparison.categories) {
        TableRow row;
        if (category.isGroup) {
            const auto group = set.findGroup(category.id);
            parent = keyOfGroup(group.value_or(0));
            row.key = parent;
            if (group)
                row.swatch = roleOfGroup(set, *group);
            sumA += category.ns.a;
            sumB += category.ns.b;
        } else {
            const auto index = set.find(category.id);
            row.key = index.value_or(0);
            row.parent = parent;
            if (index)
                row.swatch = roleOfCategory(set, *index);
        }
        row.muted = category.ns.a == 0 && category.ns.b == 0;
        const Reported beside = reportedOf(category, reported);
        row.cells = {traceText(category.label), msCell(category.ns.a, 2), msCell(category.ns.b, 2)};
        if (reported)
            row.cells.push_back(beside.ms);
        row.cells.push_back(signedMs(category.ns.difference()));
        row.cells.push_back(ratioCell(category.ns));
        row.cells.push_back(numberCell(category.percentA, 1));
        row.cells.push_back(numberCell(category.percentB, 1));
        if (reported)
            row.cells.push_back(beside.percent);
        rows.push_back(std::move(row));
    }
    if (rows.empty())
        return rows;
    TableRow total;
    total.strong = true;
    total.cells = {comparison.attribution == Attribution::Wall ? tr("Step, wall time")
                                                               : tr("Total, added up"),
                   msCell(sumA, 2), msCell(sumB, 2)};
    if (reported)
        total.cells.push_back(reported->kernelSumMs ? numberCell(*reported->kernelSumMs, 2) : TableCell());
    total.cells.push_back(signedMs(sumA - sumB));
    total.cells.push_back(
        sumB > 0 ? TableCell(QLocale::c().toString(sumA / sumB, 'f', 2) + QStringLiteral(" ×"), sumA / sumB)
                 : TableCell());
    total.cells.push_back(numberCell(100, 1));
    total.cells.push_back(numberCell(100, 1));
    rows.push_back(std::move(total));
    return rows;
}

std::vector<TableColumn> portraitColumns() {
    return {{tr("what differs"), false, {}}, {tr("A"), false, {}}, {tr("B"), false, {}}};
}

std::vector<TableRow> portraitRows(const Comparison& comparison) {
    std::vector<TableRow> rows;
    QStringList same;
    for (const PortraitLine& line : comparison.portrait) {
        if (!line.differs()) {
            same << traceText(line.label) + QStringLiteral(": ") + traceText(line.a);
            continue;
        }
        TableRow row;
        row.key = static_cast<std::int64_t>(rows.size());
        row.cells = {traceText(line.label), traceText(line.a), traceText(line.b)};
        rows.push_back(std::move(row));
    }
    if (!same.isEmpty()) {
        TableRow row;
        row.key = static_cast<std::int64_t>(rows.size());
        row.muted = true;
        TableCell shared(tr("%1 more, the same in both").arg(same.size()));
        shared.hint = same.join(QStringLiteral("; "));
        row.cells = {shared};
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<TableColumn> comparedFigureColumns() {
    return {
        {tr("steps and stalls"), false, {}}, {tr("A"), true, {}}, {tr("B"), true, {}}, {tr("A÷B"), true, {}}};
}

std::vector<TableRow> comparedFigureRows(const Comparison& comparison) {
    std::vector<TableRow> rows;
    for (const ComparedStepFigure& figure : comparison.steps) {
        if (!figure.known)
            continue;
        rows.push_back(figureRow(traceText(figure.label) + tr(", median ms"), msCell(figure.ns.medianA),
                                 msCell(figure.ns.medianB), ratioCell(figure.ns)));
        if (figure.key == "period" || figure.key == "wall")
            rows.push_back(figureRow(traceText(figure.label) + tr(", spread ms"), msCell(figure.ns.spreadA),
                                     msCell(figure.ns.spreadB), {}));
    }
    addStalls(rows, comparison.stallsA, comparison.stallsB);
    const auto hbm = [](const std::optional<ComparedHbm>& side, bool kernel) {
        return side ? percentCell(kernel ? side->kernelPercent : side->stepPercent)
                    : TableCell(tr("model not named"));
    };
    rows.push_back(figureRow(tr("HBM efficiency of the step"), hbm(comparison.hbmA, false),
                             hbm(comparison.hbmB, false), {}));
    if (comparison.hbmA || comparison.hbmB)
        rows.push_back(figureRow(tr("HBM efficiency of GEMMs and attention"), hbm(comparison.hbmA, true),
                                 hbm(comparison.hbmB, true), {}));
    std::int64_t key = 0;
    for (TableRow& row : rows)
        row.key = key++;
    return rows;
}

} // namespace lockstep
