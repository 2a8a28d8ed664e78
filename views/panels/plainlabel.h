#pragma once

#include <QLabel>

namespace lockstep {

/// A label that never takes its text for markup.
class PlainLabel : public QLabel {
public:
    explicit PlainLabel(const QString& text = {}, QWidget* parent = nullptr)
        : QLabel(parent) {
        setTextFormat(Qt::PlainText);
        setText(text);
    }
};

} // namespace lockstep
