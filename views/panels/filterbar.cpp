#include "views/panels/filterbar.h"

#include "views/common/format.h"
#include "views/panels/plainlabel.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

namespace lockstep {

namespace {

/// A set with `value` in it or not; a set that holds all of `universe` filters nothing, and is empty.
template <class T>
std::set<T> toggled(std::set<T> chosen, T value, const std::set<T>& universe) {
    if (chosen.empty())
        chosen = universe;
    if (!chosen.erase(value))
        chosen.insert(value);
    if (chosen == universe)
        chosen.clear();
    return chosen;
}

/// An entry for each value, checked where it passes.
template <class T, class Label>
void addChoices(QMenu& menu, ViewState& state, const std::set<T>& universe, std::set<T> Filters::*member,
                Label&& label) {
    for (const T value : universe) {
        const std::set<T>& chosen = state.filters().*member;
        QString text = label(value);
        QAction* action = menu.addAction(text.replace(QLatin1Char('&'), QLatin1String("&&")));
        action->setCheckable(true);
        action->setChecked(chosen.empty() || chosen.contains(value));
        QObject::connect(action, &QAction::triggered, &menu, [&state, value, universe, member] {
            Filters filters = state.filters();
            filters.*member = toggled(filters.*member, value, universe);
            state.setFilters(std::move(filters));
        });
    }
}

std::set<std::int64_t> streamsOf(const ShownRun& shown) {
    std::set<std::int64_t> streams;
    for (const ShownRank& rank : shown.ranks)
        for (const Lane& lane : rank.trace->lanes)
            if (lane.count > 0 && rank.trace->tracks[lane.track.index()].kind == TrackKind::GpuStream)
                streams.insert(rank.trace->streamOf(EventId{lane.beginIndex()}));
    return streams;
}

/// Categories that some activity has.
std::set<std::uint8_t> categoriesOf(const ShownCategories& categories) {
    std::array<bool, 256> seen{};
    for (const std::vector<std::uint8_t>& rank : categories.table.category)
        for (const std::uint8_t category : rank)
            seen[category] = true;
    std::set<std::uint8_t> found;
    for (std::size_t i = 0; i < categories.rules.set.categories.size(); ++i)
        if (seen[i])
            found.insert(static_cast<std::uint8_t>(i));
    return found;
}

} // namespace

FilterBar::FilterBar(ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_chips(new QHBoxLayout(this)) {
    setAccessibleName(tr("Filters"));
    m_chips->setContentsMargins(8, 3, 8, 3);
    m_chips->setSpacing(6);
    connect(&m_state, &ViewState::filtersChanged, this, &FilterBar::refresh);
    connect(&m_state, &ViewState::categoriesChanged, this, &FilterBar::refresh);
    refresh();
}

void FilterBar::refresh() {
    // A chip's own click may have led here: it goes when that is over.
    while (QLayoutItem* item = m_chips->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    const CategorySet* set = m_state.categories() ? &m_state.categories()->rules.set : nullptr;
    setVisible(m_state.filters().any());
    if (!m_state.filters().any())
        return;
    m_chips->addWidget(new PlainLabel(tr("Only"), this));
    const auto addChip = [this](const QString& text, const QString& spoken, auto&& clicked) {
        auto* chip = new QToolButton(this);
        QString shown = text;
        chip->setText(shown.replace(QLatin1Char('&'), QLatin1String("&&")) + QStringLiteral("  ×"));
        chip->setToolTip(spoken);
        chip->setAccessibleName(spoken);
        chip->setFocusPolicy(Qt::TabFocus);
        connect(chip, &QToolButton::clicked, this, clicked);
        m_chips->addWidget(chip);
    };
    const std::vector<FilterChip> chips = chipsOf(m_state.filters(), m_state.shown()->span.begin, set);
    for (const FilterChip& chip : chips)
        addChip(chip.text, tr("Remove this filter"), [this, kind = chip.kind] {
            m_state.setFilters(without(m_state.filters(), kind));
        });
    if (chips.size() > 1)
        addChip(tr("clear all filters"), tr("Remove all filters"), [this] {
            m_state.setFilters({});
        });
    m_chips->addStretch(1);
}

void fillFilterMenu(QMenu& menu, ViewState& state) {
    menu.clear();
    const ShownRun& shown = *state.shown();
    if (shown.ranks.empty()) {
        menu.addAction(QObject::tr("No run is open"))->setEnabled(false);
        return;
    }
    QAction* decode = menu.addAction(QObject::tr("&Decode steps only"));
    decode->setCheckable(true);
    decode->setChecked(state.filters().decodeOnly);
    QObject::connect(decode, &QAction::triggered, &menu, [&state](bool on) {
        Filters filters = state.filters();
        filters.decodeOnly = on;
        state.setFilters(std::move(filters));
    });
    const std::optional<TimeRange> range = state.selectedRange();
    const TimeRange visible = state.visibleRange();
    QAction* time = menu.addAction(range ? QObject::tr("Only the &selected range")
                                         : QObject::tr("Only the &visible range"));
    QObject::connect(time, &QAction::triggered, &menu, [&state, kept = range.value_or(visible)] {
        Filters filters = state.filters();
        filters.range = kept;
        state.setFilters(std::move(filters));
    });
    std::set<int> ranks;
    for (const ShownRank& rank : shown.ranks)
        ranks.insert(rank.trace->rank);
    addChoices(*menu.addMenu(QObject::tr("&Ranks")), state, ranks, &Filters::ranks, [](int rank) {
        return QObject::tr("rank %1").arg(rank);
    });
    addChoices(*menu.addMenu(QObject::tr("S&treams")), state, streamsOf(shown), &Filters::streams,
               [](std::int64_t stream) {
                   return QObject::tr("stream %1").arg(stream);
               });
    QMenu* categories = menu.addMenu(QObject::tr("&Categories"));
    categories->setEnabled(state.categories() != nullptr);
    if (const std::shared_ptr<const ShownCategories> known = state.categories())
        addChoices(*categories, state, categoriesOf(*known), &Filters::categories,
                   [known](std::uint8_t category) {
                       return traceText(known->rules.set.categories[category].label);
                   });
    menu.addSeparator();
    QAction* none = menu.addAction(QObject::tr("Remove &all filters"));
    none->setEnabled(state.filters().any());
    QObject::connect(none, &QAction::triggered, &menu, [&state] {
        state.setFilters({});
    });
}

} // namespace lockstep
