#include "views/timeline/legend.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/timeline/lanecolours.h"

#include <QMouseEvent>
#include <QPainter>

namespace lockstep {

namespace {

constexpr int kMargin = 8;
constexpr int kGap = 14; ///< between entries
constexpr int kBoxGap = 5;

/// Which classes some event of a GPU lane has.
std::array<bool, LaneMix::kClasses> classesIn(const Colouring& colouring) {
    std::array<bool, LaneMix::kClasses> seen{};
    constexpr auto kWaiting = static_cast<std::size_t>(ColourRole::Waiting);
    for (const auto& rank : colouring.ranks)
        for (const EventClass& which : rank->classes) {
            seen[which.own] = true;
            seen[kWaiting] = seen[kWaiting] || which.waiting > 0;
        }
    return seen;
}

} // namespace

Legend::Legend(ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_state(state) {
    setAccessibleName(tr("What the colours mean"));
    setToolTip(tr("Click a colour to leave it alone in all views"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&m_state, &ViewState::colouringChanged, this, &Legend::refresh);
    connect(&m_state, &ViewState::categoriesChanged, this, &Legend::refresh);
    connect(&m_state, &ViewState::shownChanged, this, &Legend::refresh);
    connect(&m_state, &ViewState::filtersChanged, this, [this] {
        update();
    });
}

QFont Legend::smallFont() const {
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.85);
    return small;
}

QSize Legend::sizeHint() const {
    return {200, QFontMetrics(smallFont()).height() + 8};
}

QStringList Legend::texts() const {
    QStringList texts;
    for (const Entry& entry : m_entries)
        texts << entry.text;
    return texts;
}

void Legend::refresh() {
    const std::shared_ptr<const ShownCategories>& categories = m_state.categories();
    const std::shared_ptr<const Colouring>& colouring = m_state.colouring();
    if (!categories || !colouring) {
        if (m_state.shown()->ranks.empty())
            m_entries.clear();
        update();
        return;
    }
    // With a filter on, its colours alone are left: the words must stay.
    if (m_state.filters().any() && !m_entries.empty())
        return;
    m_entries.clear();
    const CategorySet& set = categories->rules.set;
    const auto seen = classesIn(*colouring);
    const auto add = [&](ColourRole role, const QString& text) {
        if (!seen[static_cast<std::size_t>(role)])
            return;
        Entry entry{role, text, {}};
        for (std::size_t i = 0; i < set.categories.size(); ++i)
            if (roleOfCategory(set, static_cast<std::uint8_t>(i)) == role)
                entry.categories.insert(static_cast<std::uint8_t>(i));
        m_entries.push_back(std::move(entry));
    };
    add(ColourRole::AllReduce, tr("AllReduce"));
    add(ColourRole::Waiting, tr("waiting"));
    add(ColourRole::AllToAll, tr("All-to-all"));
    for (std::size_t group = 0; group < set.groups.size(); ++group) {
        const ColourRole role = roleOfGroup(set, static_cast<std::uint8_t>(group));
        if (role != ColourRole::AllReduce && role != ColourRole::EverythingElse)
            add(role, traceText(set.groups[group].label));
    }
    add(ColourRole::EverythingElse, tr("everything else"));
    update();
}

int Legend::widthOf(const Entry& entry) const {
    const QFontMetrics metrics(smallFont());
    return metrics.ascent() + kBoxGap + metrics.horizontalAdvance(entry.text) + kGap;
}

void Legend::paintEvent(QPaintEvent*) {
    const Palette& colours = Palette::of(palette());
    const LaneColours lanes = LaneColours::of(colours);
    QPainter painter(this);
    painter.fillRect(rect(), colours.window);
    painter.setPen(colours.line);
    painter.drawLine(0, 0, width(), 0);
    painter.setFont(smallFont());
    const int box = painter.fontMetrics().ascent();
    int x = kMargin;
    for (const Entry& entry : m_entries) {
        const bool muted =
            !m_state.filters().categories.empty() &&
            std::none_of(entry.categories.begin(), entry.categories.end(), [&](std::uint8_t one) {
                return m_state.filters().categories.contains(one);
            });
        const QRect square(x, (height() - box) / 2 + 1, box, box);
        painter.fillRect(
            square, QColor::fromRgb(
                        lanes.fill[muted ? Colouring::kMutedClass : static_cast<std::size_t>(entry.role)]));
        if (entry.role == ColourRole::Waiting)
            painter.fillRect(square, QBrush(QColor::fromRgb(lanes.hatch), Qt::BDiagPattern));
        if (entry.role == ColourRole::DtypeCast) {
            painter.setPen(colours.mutedText);
            painter.drawRect(square.adjusted(0, 0, -1, -1));
        }
        painter.setPen(muted ? colours.mutedText : colours.text);
        painter.drawText(QRect(x + box + kBoxGap, 0, width(), height()),
                         Qt::AlignVCenter | Qt::TextSingleLine, entry.text);
        x += widthOf(entry);
    }
}

void Legend::mousePressEvent(QMouseEvent* event) {
    int x = kMargin;
    for (const Entry& entry : m_entries) {
        const int right = x + widthOf(entry);
        const double at = event->position().x();
        if (at >= x && at < right && !entry.categories.empty()) {
            Filters filters = m_state.filters();
            filters.categories =
                filters.categories == entry.categories ? std::set<std::uint8_t>{} : entry.categories;
            m_state.setFilters(std::move(filters));
            return;
        }
        x = right;
    }
}

} // namespace lockstep
