#include "views/panels/searchbar.h"

#include "views/common/format.h"
#include "views/panels/plainlabel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QToolButton>

namespace lockstep {

namespace {
constexpr int kTypingRest = 150; ///< milliseconds
} // namespace

SearchBar::SearchBar(ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_line(new QLineEdit(this))
    , m_summary(new PlainLabel({}, this))
    , m_previous(new QToolButton(this))
    , m_next(new QToolButton(this)) {
    m_line->setPlaceholderText(tr("/ search names (regex)"));
    m_line->setAccessibleName(tr("Search names"));
    m_line->setClearButtonEnabled(true);
    m_line->setMinimumWidth(120);
    m_line->setMaximumWidth(360);
    m_line->installEventFilter(this);
    m_previous->setText(QStringLiteral("↑"));
    m_previous->setToolTip(tr("Previous hit (Shift+Enter)"));
    m_previous->setAccessibleName(tr("Previous hit"));
    m_next->setText(QStringLiteral("↓"));
    m_next->setToolTip(tr("Next hit (Enter)"));
    m_next->setAccessibleName(tr("Next hit"));
    for (QToolButton* button : {m_previous, m_next})
        button->setAutoRaise(true);
    m_typing.setSingleShot(true);
    m_typing.setInterval(kTypingRest);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    row->addStretch(1);
    row->addWidget(m_summary);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    row->addWidget(m_line, 2);
    connect(m_line, &QLineEdit::textEdited, &m_typing, qOverload<>(&QTimer::start));
    connect(m_line, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.isEmpty())
            Q_EMIT searchWanted({});
    });
    connect(&m_typing, &QTimer::timeout, this, [this] {
        Q_EMIT searchWanted(m_line->text());
    });
    connect(m_previous, &QToolButton::clicked, this, [this] {
        goToHit(-1);
    });
    connect(m_next, &QToolButton::clicked, this, [this] {
        goToHit(1);
    });
    connect(&m_state, &ViewState::searchChanged, this, [this] {
        refresh();
        if (const int direction = std::exchange(m_pending, 0); direction != 0 && m_state.search())
            goToHit(direction);
    });
    connect(&m_state, &ViewState::currentHitChanged, this, &SearchBar::refresh);
    // Another run: the search of the last one is over.
    connect(&m_state, &ViewState::shownChanged, this, [this] {
        if (!m_state.search() && !m_line->text().isEmpty() && m_state.shown()->run)
            Q_EMIT searchWanted(m_line->text());
    });
    refresh();
}

void SearchBar::edit() {
    m_line->setFocus(Qt::ShortcutFocusReason);
    m_line->selectAll();
}

void SearchBar::setPattern(const QString& pattern, bool go) {
    m_line->setText(pattern);
    m_typing.stop();
    m_pending = pattern.isEmpty() || !go ? 0 : 1;
    Q_EMIT searchWanted(pattern);
}

QString SearchBar::pattern() const {
    return m_line->text();
}

QString SearchBar::summary() const {
    return m_summary->text();
}

void SearchBar::goToHit(int direction) {
    const std::shared_ptr<const SearchResult>& search = m_state.search();
    if (m_typing.isActive() || !search || search->pattern != m_line->text()) {
        // The hits of what stands in the line are still to come.
        m_typing.stop();
        m_pending = direction;
        if (!m_line->text().isEmpty())
            Q_EMIT searchWanted(m_line->text());
        return;
    }
    const std::size_t count = search->hits.size();
    if (count == 0)
        return;
    std::size_t next = 0;
    if (const std::optional<std::size_t> current = m_state.currentHit()) {
        next = direction > 0 ? (*current + 1) % count : (*current + count - 1) % count;
    } else {
        // The first hit in what is visible, so that the view does not jump away.
        const TimeNs from = m_state.visibleRange().begin;
        const auto at = std::lower_bound(
            search->hits.begin(), search->hits.end(), from, [this](const EventRef& hit, TimeNs time) {
                const ShownRank& rank = m_state.shown()->ranks[hit.rank];
                return rank.clock.toRunTime(rank.trace->events.begin(hit.event)) < time;
            });
        next = at == search->hits.end() ? 0 : static_cast<std::size_t>(at - search->hits.begin());
    }
    m_state.showHit(next);
}

void SearchBar::refresh() {
    const std::shared_ptr<const SearchResult>& search = m_state.search();
    const bool any = search && !search->hits.empty();
    m_previous->setVisible(any);
    m_next->setVisible(any);
    m_summary->setVisible(search != nullptr);
    if (!search) {
        m_summary->clear();
        return;
    }
    m_summary->setToolTip(search->error.toHtmlEscaped());
    if (!search->error.isEmpty()) {
        m_summary->setText(tr("no valid regex"));
    } else if (search->hits.empty()) {
        m_summary->setText(tr("no hits"));
    } else {
        const QString count = countText(search->hits.size());
        const QString hits = m_state.currentHit()
                                 ? tr("%1 of %2").arg(countText(*m_state.currentHit() + 1), count)
                                 : countedText(search->hits.size(), tr("hit"), tr("hits"));
        // Times of kernels and of the calls that launched them are not to be taken for one.
        const bool mixed = search->gpuHits > 0 && search->gpuHits < search->hits.size();
        m_summary->setText(
            hits + QStringLiteral(" · ") +
            (mixed ? tr("GPU %1 in %2").arg(durationText(search->gpuNs), countText(search->gpuHits))
                   : durationText(search->totalNs)));
        m_summary->setToolTip(
            tr("GPU: %1, %2 in all. CPU: %3, %4 in all.")
                .arg(countedText(search->gpuHits, tr("hit"), tr("hits")), durationText(search->gpuNs),
                     countedText(search->hits.size() - search->gpuHits, tr("hit"), tr("hits")),
                     durationText(search->totalNs - search->gpuNs)));
    }
}

bool SearchBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            goToHit(key->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
            return true;
        }
    }
    // Escape is a key of the window as well: while the line has the keyboard it ends the search.
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        m_line->clear();
        Q_EMIT left();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace lockstep
