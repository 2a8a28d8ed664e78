#include "views/tables/stalltables.h"

#include "model/analysis/runanalysis.h"
#include "views/common/format.h"
#include "views/tables/numbers.h"

#include <QCoreApplication>
#include <algorithm>

namespace lockstep {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("StallTables", text);
}

QString kindText(CollectiveKind kind) {
    switch (kind) {
    case CollectiveKind::AllReduce:
        return tr("all-reduce");
    case CollectiveKind::AllGather:
        return tr("all-gather");
    case CollectiveKind::ReduceScatter:
        return tr("reduce-scatter");
    case CollectiveKind::AllToAll:
        return tr("all-to-all");
    case CollectiveKind::SendReceive:
        return tr("send/receive");
    default:
        return traceText(nameOf(kind));
    }
}

/// The cause in a few words, and the evidence for it.
TableCell causeCell(const StallCause& cause, const Stall& stall) {
    TableCell cell;
    if (stall.headTransient) {
        cell.text = tr("capture began late");
        cell.hint =
            tr("head transient: this rank's profiler started later than the others'; left out of averages");
        return cell;
    }
    const QString name = traceText(shortName(cause.name));
    switch (cause.kind) {
    case CauseKind::Kernel:
        cell.text = tr("kernel: ") + name;
        break;
    case CauseKind::Host:
        cell.text = name.isEmpty() ? tr("host") : tr("host: ") + name;
        break;
    case CauseKind::Copy:
        cell.text = tr("copy: ") + name;
        break;
    case CauseKind::Unknown:
        cell.text = tr("unknown");
        break;
    }
    if (cause.excessNs > 0) // first, as names may be cut short
        cell.text.prepend(QStringLiteral("+") + durationText(cause.excessNs) + QStringLiteral(" "));
    if (!cause.evidence.empty()) { // with the whole name, for copying
        QString whole = cell.text;
        cell.hint =
            whole.replace(name, traceText(cause.name)) + QStringLiteral(". ") + traceText(cause.evidence);
    }
    return cell;
}

} // namespace

std::vector<TableColumn> stallRankColumns() {
    return {{tr("rank"), false, {}},
            {tr("waited ms"), true, tr("what this rank waited in collectives, added up")},
            {tr("caused ms"), true, tr("what the other ranks waited for this one, added up")},
            {tr("last"), true, tr("collectives in which it arrived last")},
            {tr("last %"), true, tr("of all matched collectives that are counted here")}};
}

std::vector<TableRow> stallRankRows(const RunFigures& figures) {
    std::vector<TableRow> rows;
    if (figures.stalls.collectives == 0)
        return rows;
    TimeNs most = 0;
    for (const RankStalls& rank : figures.stalls.ranks)
        most = std::max(most, rank.causedNs);
    for (std::size_t i = 0; i < figures.stalls.ranks.size(); ++i) {
        const auto& chosen = figures.selection.ranks;
        if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), i) == chosen.end())
            continue;
        const RankStalls& rank = figures.stalls.ranks[i];
        TableRow row;
        row.key = static_cast<std::int64_t>(i);
        row.strong = rank.causedNs == most && most > 0;
        const int number = figures.analysis->run->ranks[i].rank;
        row.cells = {
            {tr("rank %1").arg(number), static_cast<double>(number)},
            msCell(static_cast<double>(rank.waitedNs)),
            msCell(static_cast<double>(rank.causedNs)),
            {countText(rank.lastArrivals), static_cast<double>(rank.lastArrivals)},
            numberCell(100.0 * rank.lastArrivals / static_cast<double>(figures.stalls.collectives), 1)};
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<TableColumn> worstStallColumns() {
    return {{tr("step"), true, {}},
            {tr("layer"), true, {}},
            {tr("last"), false, tr("the rank that arrived last")},
            {tr("skew µs"), true, tr("last minus first arrival")},
            {tr("cause"), false, tr("what the late rank did differently since the collective before")},
            {tr("kind"), false, {}},
            {tr("ordinal"), true, tr("counts the matched collectives from 0 in time order")}};
}

std::vector<TableRow> worstStallRows(const RunFigures& figures) {
    std::vector<TableRow> rows;
    const RunAnalysis& analysis = *figures.analysis;
    for (std::size_t i = 0; i < figures.causes.size(); ++i) {
        const std::uint32_t index = figures.stalls.worst[i];
        const Stall& stall = analysis.stalls.stalls[index];
        const Collective& collective = analysis.collectives.matched[index];
        TableRow row;
        row.key = index;
        row.muted = stall.headTransient;
        const int rank = analysis.run->ranks[stall.straggler].rank;
        row.cells = {collective.step == RankActivities::kNone
                         ? TableCell(tr("none"), -1)
                         : TableCell(QString::number(collective.step), collective.step),
                     collective.layer == RankActivities::kNoLayer
                         ? TableCell(QString(), -1)
                         : TableCell(QString::number(collective.layer), collective.layer),
                     {tr("rank %1").arg(rank), static_cast<double>(rank)},
                     usCell(static_cast<double>(stall.skewNs)),
                     causeCell(figures.causes[i], stall),
                     kindText(analysis.collectives.groups[collective.group].kind),
                     {QString::number(collective.ordinal), static_cast<double>(collective.ordinal)}};
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace lockstep
