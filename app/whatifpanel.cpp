#include "app/whatifpanel.h"

#include "app/errortext.h"
#include "app/scrolled.h"
#include "model/analysis/whatiflabels.h"
#include "views/charts/whatifchart.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/panels/plainlabel.h"
#include "views/tables/tablepanel.h"
#include "views/tables/whatiftable.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QTimer>
#include <QVBoxLayout>
#include <utility>

namespace lockstep {

namespace {

constexpr int kPatienceMs = 150;

QDoubleSpinBox* numberBox(const QString& name, double low, double high, double value, int decimals,
                          const QString& suffix, QWidget* parent) {
    auto* box = new QDoubleSpinBox(parent);
    box->setDecimals(decimals);
    box->setRange(low, high);
    box->setValue(value);
    box->setSuffix(suffix);
    box->setAccessibleName(name);
    box->setAlignment(Qt::AlignRight);
    return box;
}

QComboBox* wordBox(const QString& name, const std::vector<std::pair<QString, QString>>& items,
                   QWidget* parent) {
    auto* box = new QComboBox(parent);
    for (const auto& [text, word] : items)
        box->addItem(text, word);
    box->setAccessibleName(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    return box;
}

} // namespace

WhatIfPanel::WhatIfPanel(FigureFeed& feed, QWidget* parent)
    : QWidget(parent)
    , m_feed(feed)
    , m_state(feed.state())
    , m_soon(new QTimer(this))
    , m_job(*this) {
    setAccessibleName(tr("What-if"));
    m_soon->setSingleShot(true);
    m_soon->setInterval(kPatienceMs);
    auto* content = new QWidget;
    m_message = new PlainLabel({}, content);
    m_message->setWordWrap(true);
    buildForm(content);
    m_table = new TablePanel(tr("Projected step"), TablePanel::Use::Reading, content);
    m_table->setColumns(whatIfColumns());
    m_bounds = new PlainLabel({}, content);
    m_bounds->setWordWrap(true);
    m_bounds->setForegroundRole(QPalette::PlaceholderText);
    m_chart = new WhatIfChart(content);
    auto* lines = new QWidget(content);
    m_lines = new QVBoxLayout(lines);
    m_lines->setContentsMargins(0, 0, 0, 0);
    m_lines->setSpacing(2);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(8, 6, 8, 8);
    column->setSpacing(8);
    column->addWidget(m_form);
    column->addWidget(m_message);
    column->addWidget(lines);
    column->addWidget(m_table);
    column->addWidget(m_bounds);
    column->addWidget(m_chart);
    column->addStretch(1);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scrolled(content, this));
    connect(m_soon, &QTimer::timeout, this, &WhatIfPanel::start);
    connect(&m_feed, &FigureFeed::changed, this, [this] {
        fillCategories();
        start();
    });
    start();
}

void WhatIfPanel::buildForm(QWidget* content) {
    m_form = new QWidget(content);
    m_replace = new QCheckBox(tr("replace"), m_form);
    m_scope = wordBox(tr("All-reduces to replace"),
                      {{tr("MoE all-reduces"), QStringLiteral("moe")},
                       {tr("attention all-reduces"), QStringLiteral("attention")},
                       {tr("all all-reduces"), QString()},
                       {tr("NCCL all-reduces"), QStringLiteral("nccl")},
                       {tr("custom all-reduces"), QStringLiteral("custom")}},
                      m_form);
    m_into = wordBox(tr("What replaces them"),
                     {{tr("all-to-alls"), QStringLiteral("alltoall")},
                      {tr("all-reduces"), QStringLiteral("allreduce")},
                      {tr("reduce-scatters"), QStringLiteral("reduce_scatter")}},
                     m_form);
    m_replaceUs = numberBox(tr("Microseconds a call of the replacement"), 0, 1e6, 19, 1, tr(" µs"), m_form);
    m_scale = new QCheckBox(tr("scale"), m_form);
    m_scaled = wordBox(tr("What to scale"), {{tr("all-reduces"), QStringLiteral("allreduce")}}, m_form);
    m_factor = numberBox(tr("Factor on its time"), 0, 100, 0.5, 2, {}, m_form);
    m_factor->setPrefix(QStringLiteral("× "));
    m_factor->setSingleStep(0.1);
    m_fuse = new QCheckBox(tr("fuse casts into GEMMs"), m_form);
    m_noStalls = new QCheckBox(tr("no waiting for late ranks"), m_form);
    m_imbalance = numberBox(tr("Expert imbalance: busiest rank ÷ mean"), 1, 1024, 1, 2, {}, m_form);
    m_imbalance->setPrefix(tr("imbalance × "));
    m_imbalance->setToolTip(
        tr("Expert GEMMs of the busiest rank ÷ the mean, where experts are spread over ranks"));
    m_tpot = numberBox(tr("Unprofiled time per output token"), 0, 1e5, 0, 2, tr(" ms"), m_form);
    m_tpot->setPrefix(tr("TPOT "));
    m_tpot->setSpecialValueText(tr("TPOT as traced"));
    m_tpot->setToolTip(
        tr("The unprofiled time per output token, from a serving benchmark; savings are taken from it"));
    m_more = new QLineEdit(m_form);
    m_more->setPlaceholderText(tr("more: allreduce:moe=dispatch@9us+combine@12us; attention=0.8"));
    m_more->setAccessibleName(tr("More substitutions, parted by semicolons"));
    m_replace->setChecked(true);
    auto* grid = new QGridLayout(m_form);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(3);
    grid->addWidget(m_replace, 0, 0);
    grid->addWidget(m_scope, 0, 1);
    grid->addWidget(m_into, 0, 2);
    grid->addWidget(m_replaceUs, 0, 3);
    grid->addWidget(m_scale, 1, 0);
    grid->addWidget(m_scaled, 1, 1, 1, 2);
    grid->addWidget(m_factor, 1, 3);
    grid->addWidget(m_noStalls, 2, 0, 1, 2);
    grid->addWidget(m_fuse, 2, 2, 1, 2);
    grid->addWidget(m_imbalance, 3, 0, 1, 2);
    grid->addWidget(m_tpot, 3, 2, 1, 2);
    grid->addWidget(m_more, 4, 0, 1, 4);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(2, 1);
    const auto soon = [this] {
        m_soon->start();
    };
    for (QCheckBox* box : {m_replace, m_scale, m_fuse, m_noStalls})
        connect(box, &QCheckBox::toggled, this, soon);
    for (QComboBox* box : {m_scope, m_into, m_scaled})
        connect(box, &QComboBox::currentIndexChanged, this, soon);
    for (QDoubleSpinBox* box : {m_replaceUs, m_factor, m_imbalance, m_tpot})
        connect(box, &QDoubleSpinBox::valueChanged, this, soon);
    connect(m_more, &QLineEdit::textChanged, this, soon);
}

void WhatIfPanel::fillCategories() {
    const std::shared_ptr<const RunFigures> figures = m_feed.figures();
    if (!figures)
        return;
    const QString before = m_scaled->currentData().toString();
    const QSignalBlocker quiet(m_scaled);
    m_scaled->clear();
    m_scaled->addItem(tr("all-reduces"), QStringLiteral("allreduce"));
    for (const BreakdownRow& row : figures->sum.rows) {
        if (row.category == BreakdownRow::kIdle || figures->set.allReduce(row.category))
            continue;
        m_scaled->addItem(traceText(row.label), traceText(figures->set.categories[row.category].id));
    }
    m_scaled->setCurrentIndex(std::max(0, m_scaled->findData(before)));
}

WhatIfPanel::Chosen WhatIfPanel::chosen() const {
    Chosen chosen;
    std::vector<Substitution>& all = chosen.inputs.substitutions;
    if (m_replace->isChecked()) {
        Substitution replacement;
        replacement.kind = Substitution::Kind::Replace;
        replacement.target = "allreduce";
        replacement.scope = m_scope->currentData().toString().toStdString();
        replacement.parts = {{m_into->currentData().toString().toStdString(), m_replaceUs->value()}};
        all.push_back(std::move(replacement));
    }
    if (m_scale->isChecked()) {
        Substitution scale;
        scale.kind = Substitution::Kind::Scale;
        scale.target = m_scaled->currentData().toString().toStdString();
        scale.factor = m_factor->value();
        all.push_back(std::move(scale));
    }
    for (const QString& text : m_more->text().split(QLatin1Char(';'), Qt::SkipEmptyParts)) {
        const std::string trimmed = text.trimmed().toStdString();
        Result<Substitution> parsed =
            trimmed.find('@') != std::string::npos ? parseReplacement(trimmed) : parseScale(trimmed);
        if (parsed)
            all.push_back(std::move(*parsed));
        else if (!trimmed.empty())
            chosen.problem = errorText(parsed.error());
    }
    if (m_fuse->isChecked())
        all.emplace_back().kind = Substitution::Kind::FuseCast;
    if (m_noStalls->isChecked())
        all.emplace_back().kind = Substitution::Kind::NoStalls;
    chosen.inputs.imbalance = m_imbalance->value();
    if (m_tpot->value() > 0) {
        chosen.inputs.servingTpotMs = m_tpot->value();
        chosen.inputs.servingSource = "given by hand";
    }
    return chosen;
}

void WhatIfPanel::start() {
    m_soon->stop();
    const std::shared_ptr<const RunFigures> figures = m_feed.figures();
    const std::shared_ptr<const ShownCategories> categories = m_state.categories();
    const bool ready = figures && categories && categories->analysis == figures->analysis;
    m_form->setVisible(ready);
    if (!ready) {
        m_job.cancel();
        showNothing(m_feed.reason(), false);
        return;
    }
    Chosen wanted = chosen();
    if (!wanted.problem.isEmpty()) {
        m_job.cancel();
        showNothing(wanted.problem, true);
        return;
    }
    if (wanted.inputs.substitutions.empty() && !(wanted.inputs.imbalance > 1)) {
        m_job.cancel();
        showNothing(tr("Choose what would change: a replacement, a factor, no waiting."), false);
        return;
    }
    wanted.inputs.steps = figures->sum.steps;
    m_job.start(
        [figures, categories, inputs = std::move(wanted.inputs)](const std::stop_token&) {
            return projectRun(*figures->analysis, activityLabels(categories->rules.set, categories->table),
                              inputs);
        },
        [this](const Result<WhatIfResult>& result) {
            show(result);
            Q_EMIT projected();
        });
}

void WhatIfPanel::clearLines() {
    while (QLayoutItem* item = m_lines->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item; // NOLINT(cppcoreguidelines-owning-memory): a layout hands its items over
    }
}

void WhatIfPanel::showNothing(const QString& sentence, bool problem) {
    QPalette shown = palette();
    const Palette& colours = Palette::of(shown);
    shown.setColor(QPalette::WindowText, problem ? colours.of(ColourRole::Lateness) : colours.mutedText);
    m_message->setPalette(shown);
    m_message->setText(sentence);
    m_message->setVisible(true);
    clearLines();
    m_table->setRows({});
    m_table->setVisible(false);
    m_bounds->setVisible(false);
    m_chart->clear();
}

void WhatIfPanel::addLine(const QString& name, const QString& arithmetic) {
    auto* head = new PlainLabel(name, this);
    QFont bold = font();
    bold.setBold(true);
    head->setFont(bold);
    head->setWordWrap(true);
    auto* body = new PlainLabel(arithmetic, this);
    body->setWordWrap(true);
    for (QLabel* label : {static_cast<QLabel*>(head), static_cast<QLabel*>(body)}) {
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_lines->addWidget(label);
    }
}

void WhatIfPanel::show(const Result<WhatIfResult>& result) {
    if (!result) {
        showNothing(errorText(result.error()), true);
        return;
    }
    m_message->setVisible(false);
    clearLines();
    for (const WhatIfLine& line : result->lines) {
        QString text = traceText(line.arithmetic);
        if (line.transferUs > 0)
            text += tr("\nof a call's %1 µs, %2 µs move data: transfer-only %3 ms")
                        .arg(line.fromUs, 0, 'f', 1)
                        .arg(line.transferUs, 0, 'f', 1)
                        .arg(line.transferOnlyMs, 0, 'f', 3);
        if (line.breakEvenUs && line.transferBreakEvenUs)
            text += tr("\nbreaks even at %1 µs a call, transfer-only at %2 µs")
                        .arg(*line.breakEvenUs, 0, 'f', 1)
                        .arg(*line.transferBreakEvenUs, 0, 'f', 1);
        if (!line.remark.empty())
            text += QLatin1Char('\n') + traceText(line.remark);
        addLine(traceText(line.name), text);
    }
    m_table->setVisible(true);
    m_table->setRows(whatIfRows(*result));
    QString bounds =
        tr("bounds: %1 to %2 ms saved · an unchanged replay differs from the measured wall time by %3 %")
            .arg(result->savedLowMs, 0, 'f', 3)
            .arg(result->savedHighMs, 0, 'f', 3)
            .arg(result->replayErrorPercent, 0, 'f', 1);
    if (result->replayBreakEvenUs)
        bounds += tr(" · re-simulated, the replacement breaks even at %1 µs a call")
                      .arg(*result->replayBreakEvenUs, 0, 'f', 1);
    for (const std::string& note : result->notes)
        bounds += QLatin1Char('\n') + traceText(note);
    m_bounds->setText(bounds);
    m_bounds->setVisible(true);
    m_chart->setResult(*result);
}

QStringList WhatIfPanel::lines() const {
    QStringList lines;
    for (int i = 0; i < m_lines->count(); ++i)
        lines << static_cast<QLabel*>(m_lines->itemAt(i)->widget())->text(); // NOLINT: made above
    return lines;
}

QString WhatIfPanel::message() const {
    return m_message->isVisibleTo(this) ? m_message->text() : QString();
}

} // namespace lockstep
