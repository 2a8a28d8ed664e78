#include "views/panels/emptypanel.h"

#include "views/common/palette.h"
#include "views/panels/plainlabel.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockstep {

namespace {

/// A recent run in one line: its folder or first file, and how many more.
QString recentText(const QString& entry) {
    const QStringList paths = entry.split(QLatin1Char('\n'));
    QString text = paths.first();
    if (paths.size() > 1)
        text += QStringLiteral("  and %1 more").arg(paths.size() - 1);
    return text;
}

} // namespace

EmptyPanel::EmptyPanel(QWidget* parent)
    : QWidget(parent)
    , m_problem(new PlainLabel({}, this))
    , m_recentTitle(new PlainLabel(tr("Recent runs"), this))
    , m_recentHolder(new QWidget(this))
    , m_recent(new QVBoxLayout(m_recentHolder)) {
    auto* title = new PlainLabel(tr("Drop the traces of all ranks here"), this);
    QFont large = font();
    large.setPointSizeF(font().pointSizeF() * 1.7);
    title->setFont(large);
    auto* hint = new PlainLabel(
        tr("torch.profiler files (.json, .json.gz, .json.zst), one a rank, or their folder."), this);
    m_problem->setWordWrap(true);
    m_problem->setObjectName(QStringLiteral("problem"));
    m_problem->hide();
    auto* buttons = new QHBoxLayout;
    const auto addButton = [&](const QString& text, auto signal) {
        auto* button = new QPushButton(text, this);
        connect(button, &QPushButton::clicked, this, signal);
        buttons->addWidget(button);
    };
    addButton(tr("Open files…"), &EmptyPanel::openFilesRequested);
    addButton(tr("Open folder…"), &EmptyPanel::openFolderRequested);
    addButton(tr("Open the demo"), &EmptyPanel::demoRequested);
    buttons->addStretch();
    m_recent->setContentsMargins(0, 0, 0, 0);
    m_recent->setSpacing(0);

    auto* column = new QVBoxLayout;
    column->setSpacing(10);
    column->addStretch(2);
    column->addWidget(m_problem);
    column->addWidget(title);
    column->addWidget(hint);
    column->addLayout(buttons);
    column->addSpacing(12);
    column->addWidget(m_recentTitle);
    column->addWidget(m_recentHolder);
    column->addStretch(3);
    auto* row = new QHBoxLayout(this);
    row->addStretch(1);
    row->addLayout(column, 3);
    row->addStretch(1);
    setRecent({});
}

void EmptyPanel::setRecent(const QStringList& recent) {
    while (QLayoutItem* item = m_recent->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    for (const QString& entry : recent) {
        auto* button = new QPushButton(this);
        // An ampersand of a path is no mnemonic.
        button->setText(recentText(entry).replace(QLatin1Char('&'), QLatin1String("&&")));
        button->setFlat(true);
        button->setStyleSheet(QStringLiteral("text-align: left; padding: 3px;"));
        connect(button, &QPushButton::clicked, this, [this, entry] {
            Q_EMIT recentRequested(entry);
        });
        m_recent->addWidget(button);
    }
    m_recentTitle->setVisible(!recent.isEmpty());
}

void EmptyPanel::setProblem(const QString& sentence) {
    QPalette red = palette();
    red.setColor(QPalette::WindowText, Palette::of(palette()).of(ColourRole::Lateness));
    m_problem->setPalette(red);
    m_problem->setText(sentence);
    m_problem->setVisible(!sentence.isEmpty());
}

QString EmptyPanel::problem() const {
    return m_problem->text();
}

} // namespace lockstep
