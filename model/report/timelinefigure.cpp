#include "model/analysis/timetext.h"
#include "model/report/figureframe.h"
#include "model/report/figures.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <unordered_map>

namespace lockstep {

namespace {

using Anchor = TextStyle::Anchor;

constexpr double kLane = 20;
constexpr double kNarrow = 0.4; ///< pixels below which a bar joins its neighbour of the same colour

/// The bars of one stream of one rank in one step.
struct Row {
    std::size_t rank = 0;
    LaneId lane;
    std::string label;
    std::vector<std::uint32_t> activities; ///< indices into RankActivities::events
};

/// Draws one step, or a stretch of time, of all ranks.
class TimelinePicture {
public:
    TimelinePicture(const ReportSubject& subject, std::uint32_t step)
        : m_subject(subject)
        , m_analysis(*subject.analysis)
        , m_step(step)
        , m_range(rangeOfStep(m_analysis, step)) {
        findRows();
        findCalls();
    }
    TimelinePicture(const ReportSubject& subject, TimeRange range)
        : m_subject(subject)
        , m_analysis(*subject.analysis)
        , m_range(range) {
        findRows();
        findCalls();
    }
    [[nodiscard]] std::string draw(FigureSize size);

private:
    /// Visits the activities of `rank` that are drawn, in order of begin.
    template <class Visit>
    void forEachShown(std::size_t rank, Visit&& visit) const;
    void findRows();
    [[nodiscard]] bool touches(std::uint32_t collective) const;
    void findCalls();
    [[nodiscard]] bool rankShown(std::size_t rank) const {
        const std::vector<std::size_t>& ranks = m_subject.sum.ranks;
        return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
    }
    void drawRuler(FigureFrame& frame) const;
    void drawRow(FigureFrame& frame, const Row& row, double y, double height) const;
    void drawLastArrival(FigureFrame& frame) const;
    [[nodiscard]] double xOf(TimeNs runTime) const {
        return m_left + m_scale * static_cast<double>(runTime - m_range.begin);
    }
    [[nodiscard]] TimeRange onRun(std::size_t rank, EventId event) const {
        const RankClock& clock = m_analysis.alignment.ranks[rank];
        const TimeRange own = m_analysis.run->ranks[rank].events.range(event);
        const TimeNs begin = clock.toRunTime(own.begin);
        return {begin, begin + own.length()};
    }
    [[nodiscard]] std::string colourOf(std::size_t rank, std::uint32_t activity) const;

    const ReportSubject& m_subject;
    const RunAnalysis& m_analysis;
    std::optional<std::uint32_t> m_step; ///< else a stretch of time
    TimeRange m_range;
    std::vector<Row> m_rows;
    std::vector<std::unordered_map<std::uint32_t, std::uint32_t>> m_stallOf; ///< by rank: event → stall
    double m_left = 150;
    double m_scale = 1;
};

template <class Visit>
void TimelinePicture::forEachShown(std::size_t rank, Visit&& visit) const {
    if (m_step) {
        m_analysis.steps.forEachActivity(*m_step, rank, [&](std::size_t activity, std::uint16_t) {
            visit(activity);
        });
        return;
    }
    const std::vector<EventId>& events = m_analysis.steps.ranks[rank].events;
    for (std::size_t activity = 0; activity < events.size(); ++activity)
        if (onRun(rank, events[activity]).overlaps(m_range))
            visit(activity);
}

void TimelinePicture::findRows() {
    const std::vector<std::size_t>& chosen = m_subject.sum.ranks;
    for (std::size_t rank = 0; rank < m_analysis.run->ranks.size(); ++rank) {
        if (std::find(chosen.begin(), chosen.end(), rank) == chosen.end())
            continue;
        const RankTrace& trace = m_analysis.run->ranks[rank];
        std::map<std::uint32_t, Row> byLane;
        forEachShown(rank, [&](std::size_t activity) {
            if (!m_subject.selection.passes(rank, activity))
                return;
            const LaneId lane = trace.events.lane(m_analysis.steps.ranks[rank].events[activity]);
            byLane[lane.value].activities.push_back(static_cast<std::uint32_t>(activity));
        });
        for (auto& [lane, row] : byLane) {
            row.rank = rank;
            row.lane = LaneId{lane};
            row.label = fmt::format(
                "rank {} stream {}{}", trace.rank, trace.tracks[trace.lanes[lane].track.index()].tid,
                trace.lanes[lane].depth > 0 ? fmt::format(".{}", trace.lanes[lane].depth + 1) : "");
            m_rows.push_back(std::move(row));
        }
    }
}

/// Whether a matched collective has a call in the stretch of time.
bool TimelinePicture::touches(std::uint32_t collective) const {
    for (std::size_t rank = 0; rank < m_analysis.run->ranks.size(); ++rank)
        if (const CollectiveCall* call = m_analysis.collectives.callOf(collective, rank))
            if (onRun(rank, call->event).overlaps(m_range))
                return true;
    return false;
}

void TimelinePicture::findCalls() {
    m_stallOf.resize(m_analysis.run->ranks.size());
    for (std::uint32_t i = 0; i < m_analysis.collectives.matched.size(); ++i)
        if (m_step ? m_analysis.collectives.matched[i].step == *m_step : touches(i))
            for (std::size_t rank = 0; rank < m_stallOf.size(); ++rank)
                if (const CollectiveCall* call = m_analysis.collectives.callOf(i, rank))
                    m_stallOf[rank].emplace(call->event.value, i);
}

std::string TimelinePicture::colourOf(std::size_t rank, std::uint32_t activity) const {
    const std::uint8_t category = m_subject.categories.category[rank][activity];
    const Category& found = m_subject.rules.set.categories[category];
    return std::string(
        groupColour(found.id == "all_to_all" ? found.id : m_subject.rules.set.groupOf(category).id));
}

void TimelinePicture::drawRuler(FigureFrame& frame) const {
    const auto count = static_cast<int>(std::clamp((frame.right - m_left) / 90, 1.0, 10.0));
    const bool inMs = m_range.length() >= 10'000'000;
    const double unit = inMs ? 1e6 : 1e3;
    for (const double tick : roundTicks(static_cast<double>(m_range.length()) / unit, count)) {
        const double x = m_left + tick * unit * m_scale;
        frame.canvas.line(x, frame.top, x, frame.bottom, kGridColour);
        const std::string label = tickText(tick) + (inMs ? " ms" : " µs");
        if (x + 3 + SvgCanvas::textWidth(label, 9) <= frame.right + 8)
            frame.canvas.text(x + 3, frame.top + 9, label, textStyle(9, Anchor::Start, kMutedColour));
    }
}

void TimelinePicture::drawRow(FigureFrame& frame, const Row& row, double y, double height) const {
    frame.canvas.text(m_left - 8, y + height / 2 + 4, SvgCanvas::fitted(row.label, 11, m_left - 20),
                      textStyle(11, Anchor::End));
    const RankTrace& trace = m_analysis.run->ranks[row.rank];
    double openLeft = 0; // a bar of neighbours too narrow to be told apart
    double openRight = -1;
    std::string openColour;
    const auto close = [&] {
        if (openRight > openLeft)
            frame.canvas.rect(openLeft, y, openRight - openLeft, height, openColour);
        openRight = -1;
    };
    for (const std::uint32_t activity : row.activities) {
        const EventId event = m_analysis.steps.ranks[row.rank].events[activity];
        const TimeRange range = onRun(row.rank, event);
        // Of a stretch of time some begin before it, and some end after.
        const double left = std::max(xOf(range.begin), m_left);
        const double right = std::max(std::min(xOf(range.end), frame.right), left + kNarrow);
        const std::string colour = colourOf(row.rank, activity);
        const auto stall = m_stallOf[row.rank].find(event.value);
        if (stall != m_stallOf[row.rank].end() && right - left > 1.5) {
            close();
            const RankWait& wait = m_analysis.stalls.waitOf(stall->second, row.rank);
            const double arrived = std::clamp(xOf(wait.arrivalNs), left, right);
            const double moving = std::clamp(xOf(wait.arrivalNs + wait.waitNs), arrived, right);
            if (moving - left > 0.2)
                frame.canvas.hatchedRect(left, y, moving - left, height, colour);
            frame.canvas.rect(moving, y, right - moving, height, colour);
            continue;
        }
        if (openRight >= 0 && colour == openColour && left - openRight < kNarrow) {
            openRight = std::max(openRight, right);
            continue;
        }
        close();
        openLeft = left;
        openRight = right;
        openColour = colour;
        if (const std::string name = SvgCanvas::fitted(trace.name(event), 9, right - left - 4);
            name.size() > 4 && right - left > 40) {
            close();
            frame.canvas.text(left + 2, y + height / 2 + 3, name,
                              textStyle(9, Anchor::Start, textColourOn(colour)));
        }
    }
    close();
}

/// The largest stall of the step: a line through all ranks where its last rank arrived.
void TimelinePicture::drawLastArrival(FigureFrame& frame) const {
    for (const std::uint32_t index : m_analysis.stalls.worst) {
        const Stall& stall = m_analysis.stalls.stalls[index];
        if (stall.headTransient || !rankShown(stall.straggler))
            continue;
        if (m_step ? m_analysis.collectives.matched[index].step != *m_step
                   : !m_range.contains(stall.beginNs + stall.skewNs))
            continue;
        if (static_cast<double>(stall.skewNs) <= m_analysis.alignment.residualP99Ns)
            return; // the worst one: the clocks cannot tell who came last
        const double x = xOf(stall.beginNs + stall.skewNs);
        const std::string text = fmt::format("rank {} arrives last, {} behind the first",
                                             m_analysis.run->ranks[stall.straggler].rank,
                                             timeText(static_cast<double>(stall.skewNs)));
        const bool leftwards = x + SvgCanvas::textWidth(text, 10) > frame.right;
        frame.canvas.line(x, frame.top + 12, x, frame.bottom, kLateColour, 1.2);
        frame.canvas.text(x + (leftwards ? -4 : 4), frame.top + 21, text,
                          textStyle(10, leftwards ? Anchor::End : Anchor::Start, kLateColour, true));
        return;
    }
}

std::string TimelinePicture::draw(FigureSize size) {
    const std::size_t ranks = m_subject.sum.ranks.size();
    const ClockAlignment& clocks = m_analysis.alignment;
    FigureText text;
    const std::string onRanks = fmt::format(" on {} rank{}", ranks, ranks == 1 ? "" : "s");
    if (m_step) {
        const Step& step = m_analysis.steps.steps[*m_step];
        text.title = fmt::format("{}: step {}{}", m_analysis.run->name, *m_step, onRanks);
        text.subtitle = fmt::format("{} ({}), ", step.name, nameOf(step.kind));
    } else {
        text.title = fmt::format(
            "{}: {} from {}{}", m_analysis.run->name, timeText(static_cast<double>(m_range.length())),
            timeText(static_cast<double>(m_range.begin - beginOfRun(m_analysis))), onRanks);
    }
    text.subtitle += timeText(static_cast<double>(m_range.length()));
    if (m_analysis.run->ranks.size() > 1)
        text.subtitle += clocks.method == AlignmentMethod::None
                             ? "; the clocks of the ranks could not be aligned"
                             : fmt::format("; clocks aligned by {}, residual {:.0f} ns (p99)",
                                           nameOf(clocks.method), clocks.residualP99Ns);
    if (m_step && !m_subject.step)
        text.subtitle += "; the typical step of median length";
    text.footer = provenanceOf(m_subject, {{}, m_step, false});
    text.legend = {{"waiting", "#D55E00", true}};
    for (const CategoryGroup& group : m_subject.rules.set.groups)
        text.legend.push_back({group.label, std::string(groupColour(group.id))});
    FigureFrame frame(size, text, 30 + (kLane + 4) * static_cast<double>(m_rows.size()));
    if (m_rows.empty()) {
        frame.say("No GPU activity lies here.");
        return std::move(frame.canvas).finish();
    }
    m_scale = m_range.empty() ? 0 : (frame.right - m_left) / static_cast<double>(m_range.length());
    drawRuler(frame);
    const double pitch =
        (frame.bottom - frame.top - 28) / std::max<double>(1, static_cast<double>(m_rows.size()));
    double y = frame.top + 26;
    for (const Row& row : m_rows) {
        drawRow(frame, row, y, std::min(pitch - 3, 48.0));
        y += pitch;
    }
    drawLastArrival(frame);
    return std::move(frame.canvas).finish();
}

} // namespace

std::string timelineFigure(const ReportSubject& subject, FigureSize size) {
    const auto step = shownStep(subject);
    if (!step) {
        FigureText text;
        text.title = subject.analysis->run->name + ": timeline of a step";
        text.footer = provenanceOf(subject, {{}, {}, false});
        FigureFrame frame(size, text, 60);
        frame.say("No step was found in this run, so there is no timeline of one.");
        return std::move(frame.canvas).finish();
    }
    return TimelinePicture(subject, *step).draw(size);
}

std::string timelineFigure(const ReportSubject& subject, TimeRange range, FigureSize size) {
    return TimelinePicture(subject, range).draw(size);
}

} // namespace lockstep
