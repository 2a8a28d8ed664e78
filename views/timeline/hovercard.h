#pragma once

#include <QStringList>
#include <QWidget>

namespace lockstep {

/// A small card beside the pointer. It draws plain text only: kernel names hold '<' and '>', which a tooltip
/// would take for markup.
class HoverCard : public QWidget {
    Q_OBJECT
public:
    explicit HoverCard(QWidget* parent);

    /// Shows the card near `pointer`, inside the parent.
    void showAt(QPoint pointer, const QString& title, const QStringList& lines);
    [[nodiscard]] const QString& title() const { return m_title; }
    [[nodiscard]] const QStringList& lines() const { return m_lines; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_title;
    QStringList m_lines;
};

} // namespace lockstep
