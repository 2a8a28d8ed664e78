#include "views/tables/ruletable.h"

#include "views/common/format.h"
#include "views/common/showncategories.h"

#include <QCoreApplication>

namespace lockstep {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("RuleTable", text);
}

/// All conditions of a rule in words.
QString conditionsOf(const CategoryRule& rule) {
    QStringList parts;
    const auto add = [&](const QString& what, const std::optional<NamePattern>& pattern) {
        if (pattern)
            parts << what + traceText(pattern->expression());
    };
    add(QString(), rule.name);
    add(tr("not "), rule.notName);
    add(tr("CPU op "), rule.op);
    add(tr("collective "), rule.collective);
    if (rule.phase != CategoryRule::Phase::Any)
        parts << tr("in the MoE phase");
    if (rule.afterAttention)
        parts << tr("after attention");
    if (rule.next || rule.nextSelector)
        parts << tr("by what follows");
    if (rule.kind == ActivityKind::Copy)
        parts << tr("a copy");
    if (rule.kind == ActivityKind::Memset)
        parts << tr("a memset");
    return parts.join(tr(" · "));
}

} // namespace

std::vector<TableColumn> ruleColumns() {
    return {{tr("matches"), false, tr("the kernel's name and other conditions, all of which must hold")},
            {tr("category"), false, {}},
            {tr("rule"), false, {}},
            {tr("from"), false, {}},
            {tr("why"), false, {}}};
}

std::vector<TableRow> ruleRows(const CategoryRules& rules) {
    std::vector<TableRow> rows;
    for (std::size_t i = 0; i < rules.rules.size(); ++i) {
        const CategoryRule& rule = rules.rules[i];
        TableRow row;
        row.key = static_cast<std::int64_t>(i);
        row.swatch = roleOfCategory(rules.set, rule.category);
        row.strong = rule.user;
        row.cells = {conditionsOf(rule), traceText(rules.set.categories[rule.category].label),
                     traceText(rule.id), rule.user ? tr("you") : tr("built in"), traceText(rule.why)};
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace lockstep
