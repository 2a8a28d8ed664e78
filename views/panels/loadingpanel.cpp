#include "views/panels/loadingpanel.h"

#include "views/common/format.h"
#include "views/panels/plainlabel.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <algorithm>

namespace lockstep {

namespace {
constexpr int kRefreshMs = 100;
constexpr int kSteps = 1000;         ///< of a progress bar
constexpr std::size_t kMostRows = 8; ///< more files share the last row's place in the title
} // namespace

LoadingPanel::LoadingPanel(QWidget* parent)
    : QWidget(parent)
    , m_timer(new QTimer(this))
    , m_title(new PlainLabel({}, this))
    , m_grid(new QGridLayout(this)) {
    setAccessibleName(tr("Loading"));
    m_grid->setContentsMargins(10, 6, 10, 6);
    m_grid->setHorizontalSpacing(12);
    m_grid->setVerticalSpacing(3);
    m_grid->setColumnStretch(1, 1);
    m_grid->addWidget(m_title, 0, 0, 1, 2);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("cancelLoad"));
    connect(cancel, &QPushButton::clicked, this, &LoadingPanel::cancelRequested);
    m_grid->addWidget(cancel, 0, 2, Qt::AlignRight);
    m_timer->setInterval(kRefreshMs);
    connect(m_timer, &QTimer::timeout, this, &LoadingPanel::refresh);
    hide();
}

void LoadingPanel::follow(std::shared_ptr<const LoadProgress> progress) {
    stop();
    m_progress = std::move(progress);
    m_title->setText(tr("Looking for traces…"));
    m_clock.start();
    m_timer->start();
    show();
    refresh();
}

void LoadingPanel::stop() {
    m_timer->stop();
    m_progress.reset();
    for (const FileRow& row : m_rows) {
        delete row.name;
        delete row.bar;
        delete row.speed;
    }
    m_rows.clear();
    hide();
}

void LoadingPanel::addRows() {
    for (const auto& file : m_progress->files) {
        if (m_rows.size() == kMostRows)
            break;
        FileRow row{new PlainLabel(QFileInfo(traceText(file->file)).fileName(), this), new QProgressBar(this),
                    new PlainLabel({}, this)};
        row.bar->setRange(0, kSteps);
        row.bar->setTextVisible(false);
        row.bar->setMaximumHeight(fontMetrics().height() / 2 + 2);
        row.bar->setAccessibleName(row.name->text());
        row.speed->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("1000 MB/s, 100 s left")));
        row.speed->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        const int line = static_cast<int>(m_rows.size()) + 1;
        m_grid->addWidget(row.name, line, 0);
        m_grid->addWidget(row.bar, line, 1);
        m_grid->addWidget(row.speed, line, 2);
        m_rows.push_back(row);
    }
}

void LoadingPanel::refresh() {
    if (!m_progress || !m_progress->started.load(std::memory_order_acquire))
        return;
    if (m_rows.empty())
        addRows();
    const double seconds = std::max(1e-3, static_cast<double>(m_clock.elapsed()) / 1e3);
    std::uint64_t events = 0;
    std::size_t done = 0;
    double json = 0;
    for (std::size_t i = 0; i < m_progress->files.size(); ++i) {
        const FileProgress& file = *m_progress->files[i];
        const auto jsonBytes = static_cast<double>(file.jsonBytes.load(std::memory_order_relaxed));
        events += file.events.load(std::memory_order_relaxed);
        json += jsonBytes;
        const bool fileDone = file.done.load(std::memory_order_relaxed);
        done += fileDone ? 1 : 0;
        if (i >= m_rows.size() || m_rows[i].done)
            continue;
        const auto total = static_cast<double>(file.bytesTotal);
        const double part =
            fileDone ? 1.0
                     : std::min(1.0, static_cast<double>(file.bytesRead.load(std::memory_order_relaxed)) /
                                         std::max(1.0, total));
        m_rows[i].bar->setValue(static_cast<int>(part * kSteps));
        if (fileDone)
            m_rows[i].speed->setText(tr("read"));
        else if (part > 0)
            m_rows[i].speed->setText(tr("%1/s, %2 s left")
                                         .arg(bytesText(jsonBytes / seconds))
                                         .arg(seconds * (1 - part) / part, 0, 'f', 1));
        m_rows[i].done = fileDone;
    }
    m_title->setText(tr("Loading: %1 of %2 read, %3 events, %4/s")
                         .arg(countText(done), countedText(m_progress->files.size(), tr("file"), tr("files")),
                              countText(events), bytesText(json / seconds)));
}

} // namespace lockstep
