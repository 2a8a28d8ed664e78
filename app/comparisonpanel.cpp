#include "app/comparisonpanel.h"

#include "app/errortext.h"
#include "app/scrolled.h"
#include "model/analysis/comparisonhbm.h"
#include "views/charts/comparisonchart.h"
#include "views/common/format.h"
#include "views/panels/findingspanel.h"
#include "views/panels/loadingpanel.h"
#include "views/panels/plainlabel.h"
#include "views/panels/tonelabel.h"
#include "views/tables/breakdowntable.h"
#include "views/tables/comparisontables.h"
#include "views/tables/tablepanel.h"

#include <QComboBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <initializer_list>
#include <utility>

namespace lockstep {

namespace {

QString tracesFilter() {
    return QObject::tr("Traces (*.json *.gz *.zst *.zstd);;All files (*)");
}

/// Wall times of the chosen steps, mean over the ranks, in milliseconds.
std::vector<double> stepTimes(const RunAnalysis& analysis, const std::vector<std::uint32_t>& steps) {
    std::vector<double> times;
    for (const std::uint32_t step : steps.empty() ? analysis.steps.typicalSteps() : steps) {
        double sum = 0;
        double ranks = 0;
        for (const RankStep& rank : analysis.steps.steps[step].ranks)
            if (rank.present) {
                sum += static_cast<double>(rank.wallNs()) / 1e6;
                ++ranks;
            }
        if (ranks > 0)
            times.push_back(sum / ranks);
    }
    return times;
}

/// The HBM efficiency of a side whose model the user has named; else the sentence that asks for what is
/// missing.
QString addHbm(ComparisonSide& side, const CategorySet& set, const std::string& hardware) {
    if (side.model.empty())
        return {};
    const auto hbm = comparedHbm(*side.analysis, *side.categories, set, side.model, hardware);
    if (!hbm)
        return traceText(hbm.error().message);
    side.hbm = *hbm;
    return {};
}

QComboBox* modelBox(const QString& name, QWidget* parent) {
    auto* box = new QComboBox(parent);
    box->addItem(QObject::tr("model…"), QString());
    for (const std::string& model : hbmModelNames())
        box->addItem(traceText(model), traceText(model));
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    box->setAccessibleName(name);
    box->setToolTip(QObject::tr("The model, for the HBM efficiency"));
    return box;
}

QComboBox* gpuBox(const QString& name, QWidget* parent) {
    auto* box = new QComboBox(parent);
    box->addItem(QObject::tr("GPU as traced"), QString());
    for (const std::string& device : hbmDeviceNames())
        box->addItem(traceText(device), traceText(device));
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    box->setAccessibleName(name);
    return box;
}

} // namespace

ComparisonPanel::ComparisonPanel(FigureFeed& feed, QWidget* parent)
    : QWidget(parent)
    , m_feed(feed)
    , m_state(feed.state())
    , m_loads(new LoadController(this))
    , m_job(*this) {
    setAccessibleName(tr("Comparison"));
    if (auto runs = reportedRuns())
        m_reportedRuns = std::move(*runs);
    auto* content = new QWidget;
    m_loading = new LoadingPanel(content);
    m_message = new ToneLabel(content);
    m_chooser = new QWidget(content);
    auto* files = new QPushButton(tr("Compare with files…"), m_chooser);
    auto* folder = new QPushButton(tr("Compare with folder…"), m_chooser);
    auto* chooser = new QHBoxLayout(m_chooser);
    chooser->setContentsMargins(0, 0, 0, 0);
    chooser->addWidget(files);
    chooser->addWidget(folder);
    chooser->addStretch(1);
    buildHead(content);
    m_findings = new FindingsPanel(tr("What differs most"), content);
    m_portraits = new TablePanel(tr("The runs"), TablePanel::Use::Reading, content);
    m_portraits->setColumns(portraitColumns());
    m_portraits->setWideColumn(0, 24);
    m_categories = new TablePanel(tr("Comparison by category"), TablePanel::Use::Reading, content);
    m_chart = new ComparisonChart(content);
    m_figures = new TablePanel(tr("Steps and stalls of both runs"), TablePanel::Use::Reading, content);
    m_figures->setColumns(comparedFigureColumns());
    m_figures->setWideColumn(0, 30);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(8, 6, 8, 8);
    column->setSpacing(8);
    // What differs about the runs comes before what follows from it.
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_loading, m_message, m_chooser, m_head, m_portraits, m_findings,
                                         m_categories, m_chart, m_figures})
        column->addWidget(widget);
    column->addStretch(1);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scrolled(content, this));
    connect(files, &QPushButton::clicked, this, &ComparisonPanel::chooseFiles);
    connect(folder, &QPushButton::clicked, this, &ComparisonPanel::chooseFolder);
    connectLoads();
    connect(&m_state, &ViewState::comparisonChanged, this, &ComparisonPanel::start);
    connect(&m_state, &ViewState::attributionChanged, this, &ComparisonPanel::start);
    connect(&m_feed, &FigureFeed::changed, this, &ComparisonPanel::start);
    start();
}

// The controller is a child and outlives the members: its answers must find none of them half gone.
ComparisonPanel::~ComparisonPanel() {
    delete m_loads;
}

void ComparisonPanel::buildHead(QWidget* content) {
    m_head = new QWidget(content);
    m_labelA = new PlainLabel({}, m_head);
    m_labelB = new PlainLabel({}, m_head);
    m_labelA->setWordWrap(true);
    m_labelB->setWordWrap(true);
    m_modelA = modelBox(tr("Model of run A"), m_head);
    m_modelB = modelBox(tr("Model of run B"), m_head);
    m_gpuA = gpuBox(tr("GPU of run A"), m_head);
    m_gpuB = gpuBox(tr("GPU of run B"), m_head);
    m_reported = new QComboBox(m_head);
    m_reported->setAccessibleName(tr("Reported figures beside"));
    m_reported->addItem(tr("no reported figures"), -1);
    for (std::size_t i = 0; i < m_reportedRuns.size(); ++i)
        m_reported->addItem(tr("reported: %1").arg(traceText(m_reportedRuns[i].model)), static_cast<int>(i));
    auto* close = new QToolButton(m_head);
    close->setText(QStringLiteral("×"));
    close->setAutoRaise(true);
    close->setAccessibleName(tr("End the comparison"));
    close->setToolTip(tr("End the comparison"));
    auto* grid = new QGridLayout(m_head);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(3);
    grid->addWidget(m_labelA, 0, 0, 1, 3);
    grid->addWidget(close, 0, 3, Qt::AlignTop);
    grid->addWidget(m_labelB, 1, 0, 1, 4);
    grid->addWidget(new PlainLabel(QStringLiteral("A"), m_head), 2, 0);
    grid->addWidget(m_modelA, 2, 1);
    grid->addWidget(m_gpuA, 2, 2, 1, 2);
    grid->addWidget(new PlainLabel(QStringLiteral("B"), m_head), 3, 0);
    grid->addWidget(m_modelB, 3, 1);
    grid->addWidget(m_gpuB, 3, 2, 1, 2);
    grid->addWidget(m_reported, 4, 1, 1, 3);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(2, 1);
    connect(close, &QToolButton::clicked, this, &ComparisonPanel::close);
    for (QComboBox* box : {m_modelA, m_modelB, m_gpuA, m_gpuB})
        connect(box, &QComboBox::currentIndexChanged, this, &ComparisonPanel::start);
    connect(m_reported, &QComboBox::activated, this, [this] {
        m_reportedByHand = true;
    });
    connect(m_reported, &QComboBox::currentIndexChanged, this, &ComparisonPanel::showTables);
}

void ComparisonPanel::connectLoads() {
    connect(m_loading, &LoadingPanel::cancelRequested, m_loads, &LoadController::cancel);
    connect(m_loads, &LoadController::started, this,
            [this](const std::shared_ptr<const LoadProgress>& progress) {
                m_problem.clear();
                m_state.setComparison({});
                m_loading->follow(progress);
                refreshState();
                Q_EMIT opened();
            });
    connect(m_loads, &LoadController::loaded, this, [this] {
        m_loading->stop();
        refreshState();
    });
    connect(m_loads, &LoadController::analysed, this, [this](const std::shared_ptr<const ShownRun>& shown) {
        m_state.setComparison({shown, nullptr});
    });
    connect(m_loads, &LoadController::failed, this, [this](const QString& sentence) {
        m_loading->stop();
        m_problem = sentence;
        refreshState();
    });
    connect(m_loads, &LoadController::cancelled, this, [this] {
        m_loading->stop();
        refreshState();
    });
}

void ComparisonPanel::compareWith(const QStringList& paths) {
    m_loads->open(paths);
}

void ComparisonPanel::chooseFiles() {
    compareWith(
        QFileDialog::getOpenFileNames(this, tr("Compare with traces of another run"), {}, tracesFilter()));
}

void ComparisonPanel::chooseFolder() {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Compare with the folder of another run"));
    if (!folder.isEmpty())
        compareWith({folder});
}

void ComparisonPanel::close() {
    m_loads->cancel();
    m_loading->stop();
    m_problem.clear();
    m_state.setComparison({});
}

QString ComparisonPanel::message() const {
    return m_message->text();
}

void ComparisonPanel::start() {
    const std::shared_ptr<const RunFigures> figures = m_feed.figures();
    const ComparedRun other = m_state.comparison();
    const std::shared_ptr<const ShownCategories> categories = m_state.categories();
    if (!figures || !categories || categories->analysis != figures->analysis || !other.run ||
        !other.categories) {
        m_job.cancel();
        show(nullptr);
        return;
    }
    const auto textOf = [](const QComboBox& box) {
        return box.currentData().toString().toStdString();
    };
    m_job.start(
        [figures, other, categories, filters = m_state.filters(), attribution = m_state.attribution(),
         modelA = textOf(*m_modelA), modelB = textOf(*m_modelB), gpuA = textOf(*m_gpuA),
         gpuB = textOf(*m_gpuB)](const std::stop_token&) {
            auto result = std::make_shared<Result>();
            result->set = categories->rules.set;
            ComparisonSide a;
            a.analysis = figures->analysis.get();
            a.categories = &categories->table;
            a.model = modelA;
            a.selection = figures->selection;
            ComparisonSide b;
            b.analysis = other.run->analysis.get();
            b.categories = &other.categories->table;
            b.model = modelB;
            // The same filters on both: else what was left out of one would seem to be in the other only.
            b.selection.only =
                activityFilter(*b.analysis, *b.categories, filters.streams, filters.categories);
            result->problem = addHbm(a, result->set, gpuA);
            const QString problemB = addHbm(b, result->set, gpuB);
            if (!problemB.isEmpty())
                result->problem += (result->problem.isEmpty() ? QString() : QStringLiteral("\n")) + problemB;
            result->comparison = compareRuns(a, b, result->set, attribution);
            result->stepsA = stepTimes(*a.analysis, figures->sum.steps);
            result->stepsB = stepTimes(*b.analysis, {});
            return std::shared_ptr<const Result>(std::move(result));
        },
        [this](const std::shared_ptr<const Result>& result) {
            show(result);
            Q_EMIT compared();
        });
    refreshState();
}

void ComparisonPanel::refreshState() {
    QString message = m_problem;
    const bool loading = m_loads->loading();
    const ComparedRun& other = m_state.comparison();
    if (message.isEmpty() && !m_result) {
        if (loading)
            message = tr("The other run is being read.");
        else if (other.run && !m_feed.figures())
            message = m_feed.reason();
        else if (other.run || m_job.running())
            message = tr("The runs are being compared.");
        else if (!m_state.shown()->ranks.empty())
            message =
                tr("Open a second run to see it beside this one: by category, step times, stalls and HBM "
                   "efficiency.");
        else
            message = tr("Open a run first; then another one can be compared with it.");
    }
    if (m_result && !m_result->problem.isEmpty())
        message = m_result->problem;
    m_message->say(message, !m_problem.isEmpty() || (m_result && !m_result->problem.isEmpty()));
    m_message->setVisible(!message.isEmpty());
    m_chooser->setVisible(!m_result && !loading && !m_state.shown()->ranks.empty());
}

const ReportedRun* ComparisonPanel::reported() const {
    const int index = m_reported->currentData().toInt();
    return index < 0 ? nullptr : &m_reportedRuns[static_cast<std::size_t>(index)];
}

void ComparisonPanel::show(std::shared_ptr<const Result> result) {
    m_result = std::move(result);
    const bool any = m_result != nullptr;
    m_head->setVisible(any);
    for (QWidget* table : {m_portraits, m_categories, m_figures})
        table->setVisible(any);
    if (!any) {
        m_findings->setFindings({});
        m_chart->clear();
        m_portraits->setRows({});
        m_categories->setRows({});
        m_figures->setRows({});
        refreshState();
        return;
    }
    const Comparison& comparison = m_result->comparison;
    m_labelA->setText(QStringLiteral("A  %1: %2")
                          .arg(traceText(comparison.labelA), traceText(sentenceOf(comparison.portraitA))));
    m_labelB->setText(QStringLiteral("B  %1: %2")
                          .arg(traceText(comparison.labelB), traceText(sentenceOf(comparison.portraitB))));
    if (!m_reportedByHand) {
        // The case study's figures belong beside its own models, on its own machine.
        int index = 0;
        for (const RunPortrait* portrait : {&comparison.portraitB, &comparison.portraitA})
            if (portrait->synthetic)
                for (int i = 1; i < m_reported->count(); ++i)
                    if (traceText(portrait->model)
                            .startsWith(m_reported->itemText(i).section(QLatin1Char(' '), 1).left(4),
                                        Qt::CaseInsensitive))
                        index = i;
        const QSignalBlocker quiet(m_reported);
        m_reported->setCurrentIndex(index);
    }
    m_findings->setFindings(comparison.findings);
    m_portraits->setRows(portraitRows(comparison));
    m_figures->setRows(comparedFigureRows(comparison));
    m_chart->setComparison(comparison, m_result->stepsA, m_result->stepsB);
    showTables();
    refreshState();
}

void ComparisonPanel::showTables() {
    if (!m_result)
        return;
    m_categories->setColumns(comparedColumns(reported() != nullptr));
    m_categories->setRows(comparedRows(m_result->comparison, m_result->set, reported()));
    if (std::exchange(m_first, false))
        for (std::size_t group = 0; group < m_result->set.groups.size(); ++group)
            m_categories->setFolded(keyOfGroup(static_cast<std::uint8_t>(group)), true);
}

} // namespace lockstep
