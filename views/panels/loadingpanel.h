#pragma once

#include "model/run/runloader.h"

#include <QElapsedTimer>
#include <QWidget>
#include <vector>

class QGridLayout;
class QLabel;
class QProgressBar;
class QTimer;

namespace lockstep {

/// How far a load is: a bar, the speed and the time left for each file, and a button that ends it.
class LoadingPanel : public QWidget {
    Q_OBJECT
public:
    explicit LoadingPanel(QWidget* parent = nullptr);

    /// Follows `progress` until stop() is called.
    void follow(std::shared_ptr<const LoadProgress> progress);
    void stop();

Q_SIGNALS:
    void cancelRequested();

private:
    struct FileRow {
        QLabel* name;
        QProgressBar* bar;
        QLabel* speed;
        bool done = false;
    };
    void refresh();
    void addRows();

    std::shared_ptr<const LoadProgress> m_progress;
    QTimer* m_timer;
    QElapsedTimer m_clock;
    QLabel* m_title;
    QGridLayout* m_grid;
    std::vector<FileRow> m_rows;
};

} // namespace lockstep
