#include "views/panels/hbmpanel.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/panels/plainlabel.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <algorithm>

namespace lockstep {

namespace {

PlainLabel* mutedLabel(const QString& text, QWidget* parent) {
    auto* label = new PlainLabel(text, parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setWordWrap(true);
    return label;
}

QString percentText(double percent) {
    return QString::number(percent, 'f', 1) + QStringLiteral(" %");
}

} // namespace

HbmPanel::HbmPanel(QWidget* parent)
    : QWidget(parent)
    , m_headline(new PlainLabel(tr("HBM efficiency"), this))
    , m_percent(new PlainLabel({}, this))
    , m_bar(new QProgressBar(this))
    , m_formula(mutedLabel({}, this))
    , m_inputs(new QWidget(this))
    , m_model(new QComboBox(m_inputs))
    , m_hardware(new QComboBox(m_inputs))
    , m_batch(new QSpinBox(m_inputs))
    , m_parallel(new QSpinBox(m_inputs))
    , m_context(new QSpinBox(m_inputs))
    , m_stepMs(new QDoubleSpinBox(m_inputs))
    , m_unfold(new QPushButton(tr("Show the byte model"), this))
    , m_terms(new PlainLabel({}, this)) {
    setAccessibleName(tr("HBM efficiency"));
    QFont bold = font();
    bold.setBold(true);
    m_headline->setFont(bold);
    bold.setPointSizeF(bold.pointSizeF() * 1.35);
    m_percent->setFont(bold);
    m_bar->setRange(0, 1000);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(6);
    m_bar->setAccessibleName(tr("HBM efficiency of the step"));
    m_terms->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_terms->setWordWrap(true);
    m_unfold->setCheckable(true);
    m_unfold->setFlat(true);
    m_unfold->setStyleSheet(QStringLiteral("text-align: left; padding: 2px;"));
    buildInputs();
    auto* head = new QHBoxLayout;
    head->addWidget(m_headline, 1);
    head->addWidget(m_percent);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(m_bar);
    column->addWidget(m_formula);
    column->addWidget(m_inputs);
    column->addWidget(m_unfold);
    column->addWidget(m_terms);
    connect(m_unfold, &QPushButton::toggled, this, [this](bool on) {
        m_terms->setVisible(on && m_result.has_value());
        m_unfold->setText(on ? tr("Hide the byte model") : tr("Show the byte model"));
    });
    clear();
}

void HbmPanel::buildInputs() {
    auto* grid = new QGridLayout(m_inputs);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(3);
    const auto add = [&](int row, int column, const QString& name, QWidget* field, int span = 1) {
        auto* label = new PlainLabel(name, m_inputs);
        label->setBuddy(field);
        field->setAccessibleName(name);
        grid->addWidget(label, row, column * 2);
        grid->addWidget(field, row, column * 2 + 1, 1, span);
    };
    m_model->addItem(tr("choose the model…"), QString());
    for (const std::string& name : hbmModelNames())
        m_model->addItem(traceText(name), traceText(name));
    m_hardware->addItem(tr("choose the GPU…"), QString());
    for (const std::string& name : hbmDeviceNames())
        m_hardware->addItem(traceText(name), traceText(name));
    m_hardware->setEditable(true);
    m_hardware->setInsertPolicy(QComboBox::NoInsert);
    m_hardware->lineEdit()->setPlaceholderText(tr("a GPU, or its bandwidth: 1792GB/s"));
    m_hardware->setToolTip(tr("A GPU, or its bandwidth as in 1792GB/s"));
    for (QComboBox* box : {m_model, m_hardware}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(12);
    }
    m_batch->setRange(1, 100'000);
    m_parallel->setRange(1, 4'096);
    m_context->setRange(0, 10'000'000);
    m_context->setSingleStep(1'000);
    m_context->setSpecialValueText(tr("no KV cache"));
    m_stepMs->setRange(0, 1e6);
    m_stepMs->setDecimals(3);
    m_stepMs->setSpecialValueText(tr("unknown"));
    add(0, 0, tr("model"), m_model, 3);
    add(1, 0, tr("GPU"), m_hardware, 3);
    add(2, 0, tr("batch"), m_batch);
    add(2, 1, tr("GPUs"), m_parallel);
    add(3, 0, tr("context"), m_context);
    add(3, 1, tr("step ms"), m_stepMs);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    connect(m_model, &QComboBox::currentIndexChanged, this, &HbmPanel::refresh);
    connect(m_hardware, &QComboBox::currentTextChanged, this, &HbmPanel::refresh);
    for (QSpinBox* box : {m_batch, m_parallel, m_context})
        connect(box, &QSpinBox::valueChanged, this, &HbmPanel::refresh);
    connect(m_stepMs, &QDoubleSpinBox::valueChanged, this, &HbmPanel::refresh);
}

void HbmPanel::setMeasured(const HbmInputs& measured, const std::optional<HbmDevice>& device,
                           const QString& deviceName, const QString& guess, quintptr runKey) {
    m_filling = true;
    const double before = m_measured.stepNs ? static_cast<double>(*m_measured.stepNs) / 1e6 : 0;
    const bool stepByHand = m_known && runKey == m_runKey && std::abs(m_stepMs->value() - before) > 1e-3;
    if (runKey != m_runKey) {
        m_batch->setValue(measured.batch);
        m_parallel->setValue(measured.tensorParallel);
        m_hardware->setCurrentText(device ? traceText(device->name) : QString());
        if (!device)
            m_hardware->setCurrentIndex(0);
    }
    m_measured = measured;
    if (!stepByHand)
        m_stepMs->setValue(measured.stepNs ? static_cast<double>(*measured.stepNs) / 1e6 : 0);
    m_deviceName = deviceName;
    m_guess = guess;
    m_runKey = runKey;
    m_known = true;
    m_filling = false;
    refresh();
}

void HbmPanel::clear() {
    m_known = false;
    m_runKey = 0;
    m_result.reset();
    m_inputs->setVisible(false);
    m_unfold->setVisible(false);
    m_terms->setVisible(false);
    m_bar->setVisible(false);
    m_formula->setVisible(false);
    m_percent->clear();
    m_headline->setVisible(false);
}

void HbmPanel::setModel(const QString& name) {
    const int index = m_model->findData(name);
    if (index >= 0)
        m_model->setCurrentIndex(index);
}

QString HbmPanel::model() const {
    return m_model->currentData().toString();
}

QString HbmPanel::hardware() const {
    return m_hardware->currentIndex() == 0 && m_hardware->currentText() == m_hardware->itemText(0)
               ? QString()
               : m_hardware->currentText();
}

void HbmPanel::ask(const QString& sentence) {
    m_result.reset();
    m_percent->setText(QStringLiteral("–"));
    m_bar->setVisible(false);
    m_formula->setText(sentence);
    m_unfold->setVisible(false);
    m_terms->setVisible(false);
    Q_EMIT resultChanged();
}

void HbmPanel::refresh() {
    if (m_filling || !m_known)
        return;
    m_inputs->setVisible(true);
    m_formula->setVisible(true);
    m_headline->setVisible(true);
    if (model().isEmpty()) {
        ask(m_guess.isEmpty()
                ? tr("Choose the model: the trace does not name it.")
                : tr("Choose the model: the trace does not name it (it looks like %1).").arg(m_guess));
        return;
    }
    const Result<HbmModel> model = findHbmModel(this->model().toStdString());
    if (!model) {
        ask(traceText(model.error().message));
        return;
    }
    const Result<HbmDevice> device = findHbmDevice(hardware().toStdString());
    if (!device) {
        ask(hardware().isEmpty()
                ? tr("Choose the GPU, or write its bandwidth as in 1792GB/s: %1.")
                      .arg(m_deviceName.isEmpty() ? tr("the trace names none")
                                                  : tr("%1 is not known here").arg(m_deviceName))
                : traceText(device.error().message));
        return;
    }
    HbmInputs inputs = m_measured;
    inputs.model = *model;
    inputs.device = *device;
    inputs.batch = m_batch->value();
    inputs.tensorParallel = m_parallel->value();
    inputs.contextTokens = m_context->value();
    const double measured = m_measured.stepNs ? static_cast<double>(*m_measured.stepNs) / 1e6 : 0;
    if (std::abs(m_stepMs->value() - measured) > 1e-3) {
        inputs.stepNs = static_cast<TimeNs>(m_stepMs->value() * 1e6);
        inputs.stepTimeSource = "given by hand";
    }
    if (m_stepMs->value() <= 0)
        inputs.stepNs.reset();
    m_result = hbmEfficiency(inputs);
    showResult();
    Q_EMIT resultChanged();
}

void HbmPanel::showResult() {
    const HbmResult& result = *m_result;
    m_percent->setText(result.stepPercent ? percentText(*result.stepPercent) : QStringLiteral("–"));
    m_bar->setVisible(result.stepPercent.has_value());
    m_bar->setValue(static_cast<int>(10 * result.stepPercent.value_or(0)));
    QString text =
        tr("%1 GB a step and GPU ÷ (%2 GB/s × %3 ms, %4)")
            .arg(result.bytes() / 1e9, 0, 'f', 2)
            .arg(result.inputs.device.bytesPerSecond / 1e9, 0, 'f', 0)
            .arg(result.inputs.stepNs ? static_cast<double>(*result.inputs.stepNs) / 1e6 : 0.0, 0, 'f', 3)
            .arg(traceText(result.inputs.stepTimeSource));
    if (result.kernelPercent)
        text += tr("\nGEMM and attention kernels alone (%1 ms): %2")
                    .arg(static_cast<double>(result.inputs.kernelNs.value_or(0)) / 1e6, 0, 'f', 3)
                    .arg(percentText(*result.kernelPercent));
    if (result.reportedPercent)
        text += tr("\nreported by the case study: %1").arg(percentText(*result.reportedPercent));
    for (const std::string& problem : result.problems)
        text += QStringLiteral("\n⚠ ") + traceText(problem);
    m_formula->setText(text);
    m_terms->setText(traceText(hbmText(result)).trimmed());
    m_unfold->setVisible(true);
    m_terms->setVisible(m_unfold->isChecked());
}

QStringList HbmPanel::text() const {
    return {m_headline->text() + QLatin1Char(' ') + m_percent->text(), m_formula->text()};
}

} // namespace lockstep
