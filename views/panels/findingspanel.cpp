#include "views/panels/findingspanel.h"

#include "views/common/format.h"
#include "views/panels/plainlabel.h"

#include <QVBoxLayout>

namespace lockstep {

FindingsPanel::FindingsPanel(const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_title(new PlainLabel(title, this))
    , m_sentences(new QVBoxLayout) {
    setAccessibleName(title);
    QFont bold = font();
    bold.setBold(true);
    m_title->setFont(bold);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    column->addWidget(m_title);
    m_sentences->setSpacing(5);
    column->addLayout(m_sentences);
    setVisible(false);
}

void FindingsPanel::setFindings(const std::vector<Finding>& findings, std::size_t most) {
    while (QLayoutItem* item = m_sentences->takeAt(0)) {
        item->widget()->deleteLater();
        item->widget()->hide();
        delete item; // NOLINT(cppcoreguidelines-owning-memory): a layout hands its items over
    }
    for (std::size_t i = 0; i < std::min(most, findings.size()); ++i) {
        auto* sentence = new PlainLabel(traceText(findings[i].sentence), this);
        sentence->setWordWrap(true);
        sentence->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        m_sentences->addWidget(sentence);
    }
    setVisible(!findings.empty());
}

QStringList FindingsPanel::text() const {
    QStringList lines;
    for (int i = 0; i < m_sentences->count(); ++i)
        lines << static_cast<QLabel*>(m_sentences->itemAt(i)->widget())->text(); // NOLINT: made above
    return lines;
}

} // namespace lockstep
