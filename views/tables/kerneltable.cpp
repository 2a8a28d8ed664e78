#include "views/tables/kerneltable.h"

#include "model/analysis/categories.h"
#include "model/core/stringpool.h"
#include "views/common/format.h"
#include "views/common/showncategories.h"
#include "views/tables/numbers.h"

#include <QCoreApplication>

namespace lockstep {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("KernelTable", text);
}

} // namespace

std::vector<TableColumn> kernelColumns() {
    return {{tr("kernel"), false, {}},
            {tr("category"), false, {}},
            {tr("calls"), true, tr("over all chosen steps and ranks")},
            {tr("total ms"), true, tr("over all chosen steps and ranks")},
            {tr("%"), true, tr("of the GPU time of all rows")},
            {tr("mean µs"), true, {}},
            {tr("p50 µs"), true, {}},
            {tr("p99 µs"), true, {}}};
}

std::vector<TableRow> kernelRows(const KernelStatsTable& stats, const StringPool& strings,
                                 const CategorySet& set, const Filters& filters) {
    std::vector<TableRow> rows;
    for (std::size_t i = 0; i < stats.rows.size(); ++i) {
        const KernelStats& kernel = stats.rows[i];
        if (!filters.passesCategory(kernel.category))
            continue;
        TableRow row;
        row.key = static_cast<std::int64_t>(i);
        row.swatch = roleOfCategory(set, kernel.category);
        TableCell name(traceText(shortName(strings.view(kernel.name))));
        name.hint = traceText(strings.view(kernel.name));
        row.cells = {name,
                     traceText(set.categories[kernel.category].label),
                     {countText(kernel.count), static_cast<double>(kernel.count)},
                     msCell(static_cast<double>(kernel.totalNs)),
                     numberCell(100 * kernel.share, 2),
                     usCell(kernel.meanNs, 2),
                     usCell(kernel.p50Ns, 2),
                     usCell(kernel.p99Ns, 2)};
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace lockstep
