#include "app/breakdownpanel.h"

#include "app/scrolled.h"
#include "model/analysis/comparisonhbm.h"
#include "views/charts/stackedbar.h"
#include "views/common/format.h"
#include "views/panels/findingspanel.h"
#include "views/panels/hbmpanel.h"
#include "views/panels/plainlabel.h"
#include "views/tables/breakdowntable.h"
#include "views/tables/tablepanel.h"

#include <QVBoxLayout>
#include <optional>

namespace lockstep {

namespace {

/// The parts of a step in the table's order: waiting and moving data of all-reduce apart, idle last.
std::vector<BarPart> partsOf(const Breakdown& breakdown, const CategorySet& set) {
    std::vector<BarPart> parts;
    const auto ms = [&](TimeNs ns) {
        return breakdown.perStep(ns) / 1e6;
    };
    for (const BreakdownRow& group : breakdown.groups) {
        if (group.totalNs == 0)
            continue;
        if (group.category == BreakdownRow::kIdle) {
            parts.push_back(
                {QObject::tr("idle"), ms(group.totalNs), ColourRole::EverythingElse, false, true});
            continue;
        }
        const ColourRole role = roleOfGroup(set, group.category);
        const QString label = traceText(group.label);
        if (group.waitNs && set.groups[group.category].id == "allreduce") {
            parts.push_back({QObject::tr("waiting"), ms(*group.waitNs), role, true, false});
            parts.push_back({label, ms(group.totalNs - *group.waitNs), role, false, false});
        } else {
            parts.push_back({label, ms(group.totalNs), role, false, false});
        }
    }
    return parts;
}

} // namespace

BreakdownPanel::BreakdownPanel(FigureFeed& feed, QWidget* parent)
    : QWidget(parent)
    , m_feed(feed)
    , m_state(feed.state()) {
    setAccessibleName(tr("Breakdown"));
    auto* content = new QWidget;
    m_scope = new PlainLabel({}, content);
    m_scope->setWordWrap(true);
    m_scope->setForegroundRole(QPalette::PlaceholderText);
    m_table = new TablePanel(tr("Breakdown by category"), TablePanel::Use::Reading, content);
    m_table->setColumns(breakdownColumns());
    m_bar = new StackedBar(content);
    m_findings = new FindingsPanel(tr("Findings"), content);
    m_hbm = new HbmPanel(content);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(8, 6, 8, 8);
    column->setSpacing(8);
    column->addWidget(m_scope);
    column->addWidget(m_table);
    column->addWidget(m_bar);
    column->addWidget(m_findings);
    column->addWidget(m_hbm);
    column->addStretch(1);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scrolled(content, this));
    connect(&m_feed, &FigureFeed::changed, this, &BreakdownPanel::refresh);
    connect(&m_state, &ViewState::attributionChanged, this, &BreakdownPanel::refresh);
    connect(&m_state, &ViewState::shownChanged, this, &BreakdownPanel::refresh);
    refresh();
}

QString BreakdownPanel::scopeText() const {
    return m_scope->text();
}

void BreakdownPanel::refresh() {
    const Attribution attribution = m_state.attribution();
    const std::shared_ptr<const RunFigures> figures = m_feed.figures();
    if (!figures) {
        m_scope->setText(m_feed.reason());
        m_table->setRows({});
        m_table->setVisible(false);
        m_bar->setParts({});
        m_findings->setFindings({});
        m_hbm->clear();
        return;
    }
    const Breakdown& breakdown = figures->breakdown(attribution);
    m_table->setVisible(true);
    const bool first = m_table->table().rowCount() == 0;
    m_table->setRows(breakdownRows(breakdown, figures->set));
    if (first) // the parts of a group are there to be unfolded; all-reduce, what most ask for, is open
        for (std::size_t group = 0; group < figures->set.groups.size(); ++group)
            m_table->setFolded(keyOfGroup(static_cast<std::uint8_t>(group)),
                               figures->set.groups[group].id != "allreduce");
    m_bar->setParts(partsOf(breakdown, figures->set));
    m_findings->setFindings(figures->findings);
    QString scope = m_feed.scopeText() +
                    (attribution == Attribution::Sum ? tr(" · durations added up") : tr(" · wall time"));
    scope += breakdown.unclassifiedShare > 0
                 ? tr(" · no rule matches %1 %").arg(100 * breakdown.unclassifiedShare, 0, 'f', 2)
                 : tr(" · a rule matches every kernel");
    m_scope->setText(scope);
    refreshHbm(*figures);
}

void BreakdownPanel::refreshHbm(const RunFigures& figures) {
    if (figures.selection.only) { // of part of the kernels no efficiency can be said
        m_hbm->clear();
        return;
    }
    const std::string& name = figures.portrait.device;
    std::optional<HbmDevice> device;
    if (const Result<HbmDevice> found = findHbmDevice(name))
        device = *found;
    // Model and hardware are the panel's to choose: any known ones serve to take the times from the run.
    const Result<HbmInputs> measured = hbmInputsOf(*figures.analysis, figures.sum, figures.set,
                                                   hbmModelNames().front(), hbmDeviceNames().front());
    if (!measured) {
        m_hbm->clear();
        return;
    }
    const QString guess = figures.portrait.model == "unknown" ? QString() : traceText(figures.portrait.model);
    m_hbm->setMeasured(*measured, device, traceText(name), guess,
                       reinterpret_cast<quintptr>(figures.analysis.get())); // NOLINT: only told apart
}

} // namespace lockstep
