#pragma once

#include "views/common/viewstate.h"

#include <QWidget>
#include <vector>

namespace lockstep {

/// What the colours of the lanes mean, one line: a click on a colour leaves that one alone in all views, a
/// second click brings the others back.
class Legend : public QWidget {
    Q_OBJECT
public:
    explicit Legend(ViewState& state, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }
    /// The words, from left to right.
    [[nodiscard]] QStringList texts() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    struct Entry {
        ColourRole role = ColourRole::Kernel;
        QString text;
        std::set<std::uint8_t> categories; ///< empty: cannot be filtered by
    };
    void refresh();
    [[nodiscard]] QFont smallFont() const;
    [[nodiscard]] int widthOf(const Entry& entry) const;

    ViewState& m_state;
    std::vector<Entry> m_entries;
};

} // namespace lockstep
