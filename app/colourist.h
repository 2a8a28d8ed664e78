#pragma once

#include "app/job.h"
#include "views/common/viewstate.h"

#include <QObject>

namespace lockstep {

/// Keeps the categories and colours of a ViewState up to date, off the GUI thread: when another run is shown
/// or compared, when the rules change, when the filters do.
class Colourist : public QObject {
    Q_OBJECT
public:
    explicit Colourist(ViewState& state, QObject* parent = nullptr);

Q_SIGNALS:
    /// The rules that are built in or were asked for could not be used.
    void failed(const QString& sentence);

private:
    struct Coloured {
        std::shared_ptr<const ShownCategories> categories;
        std::shared_ptr<const Colouring> colouring;
    };
    void categoriseShown();
    void categoriseCompared();
    void recolour();
    [[nodiscard]] std::optional<CategoryRules> rules();

    ViewState& m_state;
    Job<Coloured> m_shown; ///< last, with m_compared: they join their threads before the rest goes
    Job<std::shared_ptr<const ShownCategories>> m_compared;
};

} // namespace lockstep
