#include "app/colourist.h"

#include "app/errortext.h"

namespace lockstep {

Colourist::Colourist(ViewState& state, QObject* parent)
    : QObject(parent)
    , m_state(state)
    , m_shown(*this)
    , m_compared(*this) {
    connect(&m_state, &ViewState::shownChanged, this, &Colourist::categoriseShown);
    connect(&m_state, &ViewState::filtersChanged, this, &Colourist::recolour);
    connect(&m_state, &ViewState::comparisonChanged, this, &Colourist::categoriseCompared);
    connect(&m_state, &ViewState::rulesChanged, this, [this] {
        categoriseShown();
        if (m_state.comparison().run)
            m_state.setComparison({m_state.comparison().run, nullptr});
    });
}

std::optional<CategoryRules> Colourist::rules() {
    if (m_state.rules())
        return *m_state.rules();
    Result<CategoryRules> builtin = CategoryRules::builtin();
    if (builtin)
        return std::move(*builtin);
    Q_EMIT failed(errorText(builtin.error()));
    return std::nullopt;
}

void Colourist::categoriseShown() {
    const std::shared_ptr<const ShownRun> shown = m_state.shown();
    m_shown.cancel();
    std::optional<CategoryRules> chosen = shown->analysis ? rules() : std::nullopt;
    if (!chosen)
        return;
    m_shown.start(
        [shown, filters = m_state.filters(), chosen = std::move(*chosen)](const std::stop_token&) {
            Coloured coloured;
            coloured.categories = showCategories(shown->analysis, chosen);
            coloured.colouring = colour(*shown, coloured.categories.get(), filters);
            return coloured;
        },
        [this](const Coloured& coloured) {
            m_state.setCategories(coloured.categories);
            m_state.setColouring(coloured.colouring);
        });
}

void Colourist::recolour() {
    const std::shared_ptr<const ShownCategories> categories = m_state.categories();
    // Categories that are being made must not be lost: they are made anew, with the filters of now.
    if (!categories || m_shown.running()) {
        categoriseShown();
        return;
    }
    m_shown.start(
        [shown = m_state.shown(), categories, filters = m_state.filters()](const std::stop_token&) {
            return Coloured{categories, colour(*shown, categories.get(), filters)};
        },
        [this](const Coloured& coloured) {
            m_state.setCategories(coloured.categories);
            m_state.setColouring(coloured.colouring);
        });
}

void Colourist::categoriseCompared() {
    const ComparedRun compared = m_state.comparison();
    m_compared.cancel();
    std::optional<CategoryRules> chosen =
        compared.run && compared.run->analysis && !compared.categories ? rules() : std::nullopt;
    if (!chosen)
        return;
    m_compared.start(
        [compared, chosen = std::move(*chosen)](const std::stop_token&) {
            return showCategories(compared.run->analysis, chosen);
        },
        [this, compared](std::shared_ptr<const ShownCategories> categories) {
            m_state.setComparison({compared.run, std::move(categories)});
        });
}

} // namespace lockstep
