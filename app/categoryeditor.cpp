#include "app/categoryeditor.h"

#include "app/errortext.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/panels/plainlabel.h"
#include "views/tables/ruletable.h"
#include "views/tables/tablepanel.h"

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSaveFile>
#include <QVBoxLayout>
#include <algorithm>
#include <set>
#include <utility>

namespace lockstep {

CategoryEditor::CategoryEditor(ViewState& state, QString file, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_file(std::move(file))
    , m_message(new PlainLabel({}, this))
    , m_table(new TablePanel(tr("Category rules"), TablePanel::Use::Searching, this))
    , m_expression(new QLineEdit(this))
    , m_not(new QLineEdit(this))
    , m_category(new QComboBox(this))
    , m_add(new QPushButton(tr("Add rule"), this))
    , m_remove(new QPushButton(tr("Remove rule"), this)) {
    setAccessibleName(tr("Category rules"));
    m_message->setWordWrap(true);
    m_table->setColumns(ruleColumns());
    buildForm();
    connect(m_table, &TablePanel::rowChosen, this, &CategoryEditor::chooseRule);
    connect(&m_state, &ViewState::selectionChanged, this, &CategoryEditor::explainSelection);
    connect(&m_state, &ViewState::categoriesChanged, this, &CategoryEditor::explainSelection);
    if (Result<CategoryRules> builtin = CategoryRules::builtin())
        m_builtin = std::move(*builtin);
    for (const Category& category : m_builtin.set.categories)
        m_category->addItem(traceText(category.label), traceText(category.id));
    m_rules = m_builtin;
    load();
    refresh();
}

void CategoryEditor::buildForm() {
    m_expression->setPlaceholderText(
        tr("regular expression in the kernel's name, such as fused_moe|grouped_gemm"));
    m_not->setPlaceholderText(tr("and not (optional)"));
    m_expression->setAccessibleName(tr("Expression that the name must match"));
    m_not->setAccessibleName(tr("Expression that the name must not match"));
    m_category->setAccessibleName(tr("Category of the rule"));
    auto* form = new QGridLayout;
    form->setHorizontalSpacing(6);
    form->setVerticalSpacing(3);
    form->addWidget(new PlainLabel(tr("names with"), this), 0, 0);
    form->addWidget(m_expression, 0, 1, 1, 3);
    form->addWidget(m_not, 0, 4);
    form->addWidget(new PlainLabel(tr("are"), this), 1, 0);
    form->addWidget(m_category, 1, 1);
    form->addWidget(m_add, 1, 2);
    form->addWidget(m_remove, 1, 3);
    form->setColumnStretch(1, 1);
    form->setColumnStretch(4, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(4);
    column->addWidget(m_message);
    column->addWidget(m_table, 1);
    column->addLayout(form);
    connect(m_add, &QPushButton::clicked, this, &CategoryEditor::addRule);
    connect(m_expression, &QLineEdit::returnPressed, this, &CategoryEditor::addRule);
    connect(m_remove, &QPushButton::clicked, this, &CategoryEditor::removeRule);
}

void CategoryEditor::load() {
    QFile file(m_file);
    if (!file.exists())
        return;
    if (!file.open(QIODevice::ReadOnly)) {
        m_writable = false;
        say(tr("%1 cannot be read: %2").arg(m_file, file.errorString()), true);
        return;
    }
    Result<UserRules> own = UserRules::parse(file.readAll().toStdString(), m_file.toStdString());
    if (!own) {
        m_writable = false;
        say(errorText(own.error()), true);
        return;
    }
    const Result<CategoryRules> rules = own->over(m_builtin);
    if (!rules) {
        m_writable = false;
        say(errorText(rules.error()), true);
        return;
    }
    m_own = std::move(*own);
    m_rules = *rules;
    m_state.setRules(std::make_shared<CategoryRules>(m_rules));
}

QString CategoryEditor::message() const {
    return m_message->text();
}

void CategoryEditor::say(const QString& sentence, bool problem) {
    QPalette shown = palette();
    const Palette& colours = Palette::of(shown);
    shown.setColor(QPalette::WindowText, problem ? colours.of(ColourRole::Lateness) : colours.mutedText);
    m_message->setPalette(shown);
    m_message->setText(sentence);
}

void CategoryEditor::refresh() {
    m_table->setRows(ruleRows(m_rules));
    m_remove->setEnabled(ownIndexOf(m_table->currentKey()).has_value());
    if (m_message->text().isEmpty())
        say(tr("The first rule that matches decides. Rules of your own come before all others and act at "
               "once; "
               "choose an event to see which rule decided."),
            false);
}

void CategoryEditor::setForm(const QString& expression, const QString& categoryId) {
    m_expression->setText(expression);
    m_category->setCurrentIndex(std::max(0, m_category->findData(categoryId)));
}

std::optional<std::size_t> CategoryEditor::ownIndexOf(std::int64_t rule) const {
    if (rule < 0 || static_cast<std::size_t>(rule) >= m_rules.rules.size())
        return std::nullopt;
    const std::string& id = m_rules.rules[static_cast<std::size_t>(rule)].id;
    for (std::size_t i = 0; i < m_own.rules.size(); ++i)
        if (m_own.rules[i].id == id)
            return i;
    return std::nullopt;
}

void CategoryEditor::chooseRule(std::int64_t index) {
    const auto own = ownIndexOf(index);
    m_remove->setEnabled(own.has_value());
    m_add->setText(own ? tr("Change rule") : tr("Add rule"));
    if (index < 0)
        return;
    const CategoryRule& rule = m_rules.rules[static_cast<std::size_t>(index)];
    m_expression->setText(rule.name ? traceText(rule.name->expression()) : QString());
    m_not->setText(rule.notName ? traceText(rule.notName->expression()) : QString());
    m_category->setCurrentIndex(static_cast<int>(rule.category));
}

void CategoryEditor::addRule() {
    const QString expression = m_expression->text().trimmed();
    if (expression.isEmpty()) {
        say(tr("Write an expression that the kernel's name must match."), true);
        return;
    }
    UserRule rule{{},
                  m_category->currentData().toString().toStdString(),
                  expression.toStdString(),
                  m_not->text().trimmed().toStdString(),
                  "a rule of your own"};
    UserRules wanted = m_own;
    if (const auto own = ownIndexOf(m_table->currentKey())) {
        rule.id = wanted.rules[*own].id;
        wanted.rules[*own] = rule;
    } else {
        std::set<std::string> ids;
        for (const CategoryRule& other : m_rules.rules)
            ids.insert(other.id);
        int number = 1;
        do
            rule.id = "own-" + std::to_string(number++);
        while (ids.contains(rule.id));
        wanted.rules.insert(wanted.rules.begin(), rule);
    }
    const Result<CategoryRules> rules = wanted.over(m_builtin);
    if (!rules) {
        say(errorText(rules.error()), true);
        return;
    }
    m_own = std::move(wanted);
    m_rules = *rules;
    act();
}

void CategoryEditor::removeRule() {
    const auto own = ownIndexOf(m_table->currentKey());
    if (!own)
        return;
    m_own.rules.erase(m_own.rules.begin() + static_cast<std::ptrdiff_t>(*own));
    if (const Result<CategoryRules> rules = m_own.over(m_builtin))
        m_rules = *rules;
    m_table->setCurrentKey(-1);
    m_add->setText(tr("Add rule"));
    act();
}

/// Puts the rules in force, everywhere and for the next time.
void CategoryEditor::act() {
    m_state.setRules(std::make_shared<CategoryRules>(m_rules));
    QDir().mkpath(QFileInfo(m_file).absolutePath());
    QSaveFile file(m_file);
    const QByteArray text = QByteArray::fromStdString(m_own.toText());
    if (!m_writable)
        say(tr("In force until the program ends: %1 holds what is not edited here.").arg(m_file), true);
    else if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
        say(tr("In force until the program ends: %1 cannot be written: %2").arg(m_file, file.errorString()),
            true);
    else
        say(tr("In force, and kept in %1.").arg(m_file), false);
    refresh();
}

void CategoryEditor::explainSelection() {
    const EventRef selected = m_state.selection();
    const std::shared_ptr<const ShownCategories> categories = m_state.categories();
    const ShownRun& shown = *m_state.shown();
    if (!selected.valid() || !categories || categories->analysis != shown.analysis)
        return;
    const std::vector<EventId>& events = shown.analysis->steps.ranks[selected.rank].events;
    const EventStore& store = shown.ranks[selected.rank].trace->events;
    const auto at = std::lower_bound(events.begin(), events.end(), selected.event, [&](EventId a, EventId b) {
        return std::pair(store.begin(a), a) < std::pair(store.begin(b), b);
    });
    if (at == events.end() || *at != selected.event)
        return;
    const auto activity = static_cast<std::uint32_t>(at - events.begin());
    const CategoryVerdict verdict =
        verdictOf(*shown.run, shown.analysis->steps, categories->rules, selected.rank, activity);
    say(tr("%1: %2").arg(traceText(shortName(shown.ranks[selected.rank].trace->name(selected.event))),
                         traceText(verdict.reason)),
        false);
    const std::uint16_t rule = categories->table.rule[selected.rank][activity];
    if (rule != CategoryTable::kNoRule)
        m_table->setCurrentKey(rule);
}

} // namespace lockstep
