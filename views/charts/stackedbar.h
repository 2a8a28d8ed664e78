#pragma once

#include "views/common/colourrole.h"

#include <QString>
#include <QWidget>
#include <vector>

namespace lockstep {

/// One part of a whole.
struct BarPart {
    QString label;
    double value = 0;
    ColourRole role = ColourRole::EverythingElse;
    bool hatched = false; ///< waiting
    bool empty = false;   ///< idle time: an outline only
};

/// A bar that shows how a whole divides; names stand in the parts that have room.
class StackedBar : public QWidget {
    Q_OBJECT
public:
    explicit StackedBar(QWidget* parent = nullptr);

    void setParts(std::vector<BarPart> parts);
    [[nodiscard]] const std::vector<BarPart>& parts() const { return m_parts; }
    /// Index of the part at `x`, or −1.
    [[nodiscard]] int partAt(int x) const;

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] double total() const;

    std::vector<BarPart> m_parts;
};

} // namespace lockstep
