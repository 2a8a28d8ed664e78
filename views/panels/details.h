#pragma once

#include "views/panels/eventdetails.h"

#include <QWidget>

class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace lockstep {

/// Everything about the selected event. What the columns keep is shown at once; the file's own arguments
/// follow when they have been read again.
class DetailsPanel : public QWidget {
    Q_OBJECT
public:
    explicit DetailsPanel(ViewState& state, QWidget* parent = nullptr);

    /// The event's arguments, as the file has them; ignored unless `event` is still the selected one.
    void setArguments(lockstep::EventRef event, std::vector<lockstep::DetailRow> arguments);
    /// Why they could not be read.
    void setArgumentsError(lockstep::EventRef event, const QString& reason);
    /// All rows as "heading / name: value" lines.
    [[nodiscard]] QStringList text() const;

Q_SIGNALS:
    /// The panel shows `event` and would like its arguments from the file.
    void argumentsWanted(lockstep::EventRef event);

private:
    void showSelection();
    void addGroup(const DetailGroup& group);
    void copy() const;

    ViewState& m_state;
    QLabel* m_title;
    QTreeWidget* m_tree;
};

} // namespace lockstep
