#include "views/panels/runpanel.h"

#include "views/common/format.h"
#include "views/common/palette.h"

#include <QFileInfo>
#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace lockstep {

namespace {

QString fileName(const std::string& path) {
    return QFileInfo(traceText(path)).fileName();
}

QString compressionText(Compression compression) {
    switch (compression) {
    case Compression::Gzip:
        return QStringLiteral("gzip");
    case Compression::Zstd:
        return QStringLiteral("zstd");
    case Compression::None:
        break;
    }
    return QStringLiteral("plain");
}

QString sourceText(RankSource source) {
    switch (source) {
    case RankSource::Content:
        return QStringLiteral("from the trace");
    case RankSource::Name:
        return QStringLiteral("from the file name");
    case RankSource::Order:
        break;
    }
    return QStringLiteral("from the order of files");
}

QString warningText(const ImportWarning& warning) {
    QString text = traceText(warning.message);
    if (warning.count > 1)
        text += QStringLiteral(" (%1 times)").arg(countText(warning.count));
    if (warning.offset)
        text += QStringLiteral(", first at byte %1").arg(countText(*warning.offset));
    return text;
}

QTreeWidgetItem* addHeading(QTreeWidget& tree, const QString& text) {
    auto* heading = new QTreeWidgetItem(&tree, {text});
    QFont bold = tree.font();
    bold.setBold(true);
    heading->setFont(0, bold);
    heading->setFirstColumnSpanned(true);
    return heading;
}

void addRow(QTreeWidgetItem& parent, const QString& name, const QString& value) {
    if (value.isEmpty())
        return;
    auto* row = new QTreeWidgetItem(&parent, {name, value});
    // Elided cells can be read whole; a tooltip must not take the text for markup.
    row->setToolTip(1, value.toHtmlEscaped());
}

/// Rows as high as their text needs in the columns' widths, which a tree does not see to itself.
class WrappedRows : public QStyledItemDelegate {
public:
    explicit WrappedRows(QTreeView* tree)
        : QStyledItemDelegate(tree)
        , m_tree(*tree) {}

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override {
        int width = m_tree.header()->sectionSize(index.column());
        for (QModelIndex at = index; index.column() == 0 && at.isValid(); at = at.parent())
            width -= m_tree.indentation();
        QStyleOptionViewItem cell = option;
        cell.rect = QRect(0, 0, width, QWIDGETSIZE_MAX);
        return QStyledItemDelegate::sizeHint(cell, index);
    }

private:
    QTreeView& m_tree;
};

} // namespace

std::vector<QualityLine> qualityOf(const ShownRun& shown) {
    std::vector<QualityLine> lines;
    for (const ShownRank& rank : shown.ranks) {
        const ImportReport& report = rank.trace->report;
        const QString file = fileName(report.file);
        if (report.truncated)
            lines.push_back(
                {file, QStringLiteral("cut off: the end of the file is missing, what came before is shown"),
                 true});
        if (report.skipped > 0)
            lines.push_back({file,
                             countedText(report.skipped, QStringLiteral("event"), QStringLiteral("events")) +
                                 QStringLiteral(" skipped"),
                             true});
        if (report.repaired > 0)
            lines.push_back({file,
                             countedText(report.repaired, QStringLiteral("event"), QStringLiteral("events")) +
                                 QStringLiteral(" repaired"),
                             false});
        for (const ImportWarning& warning : report.warnings)
            lines.push_back({file, warningText(warning), false});
    }
    return lines;
}

QString alignmentText(const ClockAlignment& alignment) {
    QString text;
    switch (alignment.method) {
    case AlignmentMethod::Collectives:
        text = QStringLiteral("aligned on %1 collectives, ±%2 p99")
                   .arg(countText(alignment.matchedCollectives),
                        durationText(static_cast<TimeNs>(std::llround(alignment.residualP99Ns))));
        break;
    case AlignmentMethod::WallClock:
        text = QStringLiteral("aligned by wall clock");
        break;
    case AlignmentMethod::FirstStep:
        text = QStringLiteral("aligned by the first step's begin");
        break;
    case AlignmentMethod::None:
        return QStringLiteral("not aligned");
    }
    return alignment.uncertain ? text + QStringLiteral(", uncertain") : text;
}

QString qualitySummary(const ShownRun& shown) {
    std::size_t notes = qualityOf(shown).size();
    if (shown.run)
        notes += shown.run->notes.size();
    if (notes == 0)
        return QStringLiteral("no notes on data quality");
    return QStringLiteral("⚠ ") + countedText(notes, QStringLiteral("note"), QStringLiteral("notes")) +
           QStringLiteral(" on data quality");
}

RunPanel::RunPanel(ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_tree(new QTreeWidget(this)) {
    setAccessibleName(tr("Run"));
    m_tree->setColumnCount(2);
    m_tree->setHeaderHidden(true);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setIndentation(12);
    m_tree->setUniformRowHeights(
        false); // findings go on in the next line: what they end with is the byte offset
    m_tree->setWordWrap(true);
    m_tree->setTextElideMode(Qt::ElideMiddle);
    m_tree->setItemDelegate(new WrappedRows(m_tree));
    m_tree->setAccessibleName(tr("Files and data quality"));
    m_tree->header()->setSectionResizeMode(0, QHeaderView::Interactive);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 6, 4, 0);
    column->addWidget(m_tree);
    connect(&m_state, &ViewState::shownChanged, this, &RunPanel::showRun);
    showRun();
}

void RunPanel::showRun() {
    m_tree->clear();
    const ShownRun& shown = *m_state.shown();
    if (shown.ranks.empty())
        return;
    if (shown.run) {
        QTreeWidgetItem* run = addHeading(*m_tree, traceText(shown.run->name));
        addRow(*run, tr("world size"), QString::number(shown.run->worldSize));
        addRow(*run, tr("events"), countText(shown.run->eventCount()));
        addRow(*run, tr("span"), durationText(shown.span.length()));
        addRow(*run, tr("loaded in"), QString::number(shown.run->loadSeconds, 'f', 2) + QStringLiteral(" s"));
        for (const std::string& note : shown.run->notes)
            addRow(*run, tr("note"), traceText(note));
        run->setExpanded(true);
    }
    addFiles(shown);
    if (shown.analysis)
        addAlignment(shown);
    QTreeWidgetItem* quality = addHeading(*m_tree, tr("Data quality"));
    const std::vector<QualityLine> lines = qualityOf(shown);
    for (const QualityLine& line : lines) {
        addRow(*quality, line.file, line.finding);
        if (line.lost)
            quality->child(quality->childCount() - 1)
                ->setForeground(1, Palette::of(palette()).of(ColourRole::Lateness));
    }
    if (lines.empty())
        addRow(*quality, tr("all files"), tr("read whole, nothing skipped or repaired"));
    quality->setExpanded(true);
    fitColumns();
}

void RunPanel::addAlignment(const ShownRun& shown) {
    const ClockAlignment& alignment = shown.analysis->alignment;
    QTreeWidgetItem* heading = addHeading(*m_tree, tr("One clock"));
    addRow(*heading, tr("method"), alignmentText(alignment));
    if (alignment.method == AlignmentMethod::Collectives) {
        addRow(*heading, tr("residual p50"),
               durationText(static_cast<TimeNs>(std::llround(alignment.residualP50Ns))));
        addRow(*heading, tr("residual p99"),
               durationText(static_cast<TimeNs>(std::llround(alignment.residualP99Ns))));
        addRow(*heading, tr("causality violations"), countText(alignment.causalityViolations));
    }
    for (std::size_t r = 0; r < alignment.ranks.size() && r < shown.ranks.size(); ++r) {
        const RankClock& clock = alignment.ranks[r];
        const QString drift =
            clock.driftPpm == 0 ? QString() : tr(", drift %1 ppm").arg(clock.driftPpm, 0, 'f', 3);
        addRow(*heading, tr("rank %1").arg(shown.ranks[r].trace->rank),
               r == alignment.reference
                   ? tr("reference")
                   : durationText(static_cast<TimeNs>(std::llround(clock.offsetNs))) + drift);
    }
    for (const auto* notes : {&alignment.notes, &shown.analysis->steps.notes,
                              &shown.analysis->collectives.notes, &shown.analysis->stalls.notes})
        for (const std::string& note : *notes)
            addRow(*heading, tr("note"), traceText(note));
    heading->setExpanded(true);
}

void RunPanel::addFiles(const ShownRun& shown) {
    QTreeWidgetItem* files = addHeading(*m_tree, tr("Files"));
    for (const ShownRank& rank : shown.ranks)
        addFile(*files, rank);
    files->setExpanded(true);
    if (!shown.run || shown.run->setAside.empty())
        return;
    QTreeWidgetItem* aside = addHeading(*m_tree, tr("Set aside"));
    for (const SetAsideFile& file : shown.run->setAside)
        addRow(*aside, fileName(file.file), traceText(file.reason));
    aside->setExpanded(true);
}

void RunPanel::addFile(QTreeWidgetItem& heading, const ShownRank& rank) {
    const RankTrace& trace = *rank.trace;
    auto* file = new QTreeWidgetItem(&heading, {tr("rank %1").arg(trace.rank), fileName(trace.report.file)});
    file->setToolTip(1, traceText(trace.report.file).toHtmlEscaped());
    addRow(*file, tr("rank"), sourceText(trace.rankSource));
    addRow(*file, tr("device"), traceText(rank.device));
    addRow(*file, tr("events"), countText(trace.events.size()));
    addRow(*file, tr("size"),
           QStringLiteral("%1 %2, %3 of JSON")
               .arg(bytesText(static_cast<double>(trace.report.bytes)),
                    compressionText(trace.report.compression),
                    bytesText(static_cast<double>(trace.report.jsonBytes))));
    addRow(*file, tr("span"), durationText(rank.span.length()));
    if (trace.header.distributed) {
        addRow(*file, tr("backend"), traceText(trace.header.distributed->backend));
        addRow(*file, tr("NCCL"), traceText(trace.header.distributed->ncclVersion));
    }
}

void RunPanel::fitColumns() {
    constexpr double kMostOfWidth = 0.36;
    m_tree->resizeColumnToContents(0);
    m_tree->setColumnWidth(0, std::min(m_tree->columnWidth(0), static_cast<int>(kMostOfWidth * width())));
    m_tree->doItemsLayout();
}

void RunPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitColumns();
}

QStringList RunPanel::text() const {
    QStringList lines;
    for (QTreeWidgetItemIterator at(m_tree); *at; ++at)
        lines << (*at)->text(0) + QLatin1Char('\t') + (*at)->text(1);
    return lines;
}

} // namespace lockstep
