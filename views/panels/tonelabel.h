#pragma once

#include "views/common/palette.h"
#include "views/panels/plainlabel.h"

#include <QApplication>
#include <QEvent>

namespace lockstep {

/// A line of plain text that is quiet, or stands out as a problem; in the colours of the theme of the moment.
class ToneLabel : public PlainLabel {
public:
    explicit ToneLabel(QWidget* parent = nullptr)
        : PlainLabel({}, parent) {
        setWordWrap(true);
        apply();
    }

    void say(const QString& text, bool problem) {
        setText(text);
        m_problem = problem;
        apply();
    }
    [[nodiscard]] bool problem() const { return m_problem; }

protected:
    void changeEvent(QEvent* event) override {
        PlainLabel::changeEvent(event);
        if (event->type() == QEvent::PaletteChange && !m_applying)
            apply();
    }

private:
    void apply() {
        m_applying = true; // setting the palette changes it
        QPalette shown = QApplication::palette();
        const Palette& colours = Palette::of(shown);
        shown.setColor(QPalette::WindowText,
                       m_problem ? colours.of(ColourRole::Lateness) : colours.mutedText);
        setPalette(shown);
        m_applying = false;
    }

    bool m_problem = false;
    bool m_applying = false;
};

} // namespace lockstep
