#pragma once

#include "model/analysis/whatif.h"

#include <QWidget>

class QCustomPlot;

namespace lockstep {

/// From the measured step down to the projected one, a bar a substitution: what the transfer part alone gains
/// is solid, what only the naive figure gains beyond it pale.
class WhatIfChart : public QWidget {
    Q_OBJECT
public:
    explicit WhatIfChart(QWidget* parent = nullptr);

    void setResult(WhatIfResult result);
    void clear();
    [[nodiscard]] QCustomPlot& plot() const { return *m_plot; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void draw();

    QCustomPlot* m_plot;
    WhatIfResult m_result;
};

} // namespace lockstep
