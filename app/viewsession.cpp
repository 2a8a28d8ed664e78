#include "app/viewsession.h"

#include "views/common/viewstate.h"

#include <algorithm>
#include <set>

namespace lockstep {

namespace {

constexpr QLatin1String kCpuSection("cpu");

/// The files of a run, each once.
Result<std::vector<SessionFile>> filesOf(const ShownRun& shown) {
    std::vector<SessionFile> files;
    std::set<std::string> seen;
    for (const ShownRank& rank : shown.ranks) {
        if (!seen.insert(rank.trace->report.file).second)
            continue;
        auto file = sessionFile(rank.trace->report.file);
        if (!file)
            return make_unexpected(file.error());
        files.push_back(std::move(*file));
    }
    return files;
}

const CategorySet* categorySet(const ViewState& state) {
    return state.rules() ? &state.rules()->set : nullptr;
}

/// Categories are kept by id, since their place in the set can change.
void keepFilters(const ViewState& state, SessionFilters& to) {
    const Filters& filters = state.filters();
    to.ranks.assign(filters.ranks.begin(), filters.ranks.end());
    for (const std::int64_t stream : filters.streams)
        to.streams.push_back(std::to_string(stream));
    to.decodeOnly = filters.decodeOnly;
    if (filters.range) {
        to.beginNs = filters.range->begin;
        to.endNs = filters.range->end;
    }
    const auto builtin = CategoryRules::builtin();
    const CategorySet* set = categorySet(state);
    if (!set && builtin)
        set = &builtin->set;
    for (const std::uint8_t category : filters.categories)
        if (set && category < set->categories.size())
            to.categories.push_back(set->categories[category].id);
}

Filters filtersOf(const SessionFilters& kept, const ViewState& state) {
    Filters filters;
    filters.ranks.insert(kept.ranks.begin(), kept.ranks.end());
    for (const std::string& stream : kept.streams) {
        bool number = false;
        const qint64 value = QString::fromStdString(stream).toLongLong(&number);
        if (number)
            filters.streams.insert(value);
    }
    filters.decodeOnly = kept.decodeOnly;
    if (kept.beginNs && kept.endNs && *kept.beginNs < *kept.endNs)
        filters.range = TimeRange{*kept.beginNs, *kept.endNs};
    const auto builtin = CategoryRules::builtin();
    const CategorySet* set = categorySet(state);
    if (!set && builtin)
        set = &builtin->set;
    for (const std::string& id : kept.categories)
        if (const auto category = set ? set->find(id) : std::nullopt)
            filters.categories.insert(*category);
    return filters;
}

void keepView(const ViewState& state, const TrackArrangement& arrangement, SessionView& to) {
    if (const auto range = state.selectedRange()) {
        to.selectedBeginNs = range->begin;
        to.selectedEndNs = range->end;
    }
    if (const EventRef selected = state.selection(); selected.valid()) {
        to.selectedRank = state.shown()->ranks[selected.rank].trace->rank;
        to.selectedEvent = selected.event.value;
    }
    to.stall = state.currentStall();
    to.steps = state.stepSet();
    to.search = state.search() ? state.search()->pattern.toStdString() : std::string();
    to.medianBeside = state.medianBeside();
    to.foldedRanks.assign(arrangement.foldedRanks.begin(), arrangement.foldedRanks.end());
    to.hiddenRanks.assign(arrangement.hiddenRanks.begin(), arrangement.hiddenRanks.end());
    to.rankOrder = arrangement.rankOrder;
    for (const auto& [rank, section] : arrangement.openSections)
        to.openSections.push_back(std::to_string(rank) +
                                  (section == TrackSection::CpuThreads ? " cpu" : " rest"));
    for (const QString& track : arrangement.hiddenTracks)
        to.hiddenTracks.push_back(track.toStdString());
    for (const QString& track : arrangement.trackOrder)
        to.trackOrder.push_back(track.toStdString());
}

} // namespace

Session sessionOf(const ViewState& state, const TrackArrangement& arrangement) {
    Session session;
    session.attribution = std::string(nameOf(state.attribution()));
    if (state.step())
        session.step = static_cast<std::uint32_t>(*state.step());
    session.zoomBeginNs = state.visibleRange().begin;
    session.zoomEndNs = state.visibleRange().end;
    keepFilters(state, session.filters);
    if (const auto& analysis = state.shown()->analysis)
        for (std::size_t rank = 0; rank < analysis->run->ranks.size(); ++rank)
            session.clocks.push_back({analysis->run->ranks[rank].rank,
                                      analysis->alignment.ranks[rank].offsetNs,
                                      analysis->alignment.ranks[rank].driftPpm});
    for (const Mark& mark : state.marks())
        session.marks.push_back({mark.at, mark.label.toStdString()});
    keepView(state, arrangement, session.view);
    return session;
}

Result<void> addFiles(Session& session, const ShownRun& shown, const ShownRun* comparison) {
    auto files = filesOf(shown);
    if (!files)
        return make_unexpected(files.error());
    session.files = std::move(*files);
    if (!comparison)
        return {};
    auto other = filesOf(*comparison);
    if (!other)
        return make_unexpected(other.error());
    session.comparison = std::move(*other);
    return {};
}

TrackArrangement arrangementOf(const SessionView& view) {
    TrackArrangement arrangement;
    arrangement.foldedRanks.insert(view.foldedRanks.begin(), view.foldedRanks.end());
    arrangement.hiddenRanks.insert(view.hiddenRanks.begin(), view.hiddenRanks.end());
    arrangement.rankOrder = view.rankOrder;
    for (const std::string& section : view.openSections) {
        const QStringList parts = QString::fromStdString(section).split(QLatin1Char(' '));
        if (parts.size() == 2)
            arrangement.openSections.emplace(
                parts[0].toInt(), parts[1] == kCpuSection ? TrackSection::CpuThreads : TrackSection::Rest);
    }
    for (const std::string& track : view.hiddenTracks)
        arrangement.hiddenTracks.insert(QString::fromStdString(track));
    for (const std::string& track : view.trackOrder)
        arrangement.trackOrder << QString::fromStdString(track);
    return arrangement;
}

void applySession(const Session& session, ViewState& state) {
    const SessionView& view = session.view;
    state.setAttribution(session.attribution == "wall" ? Attribution::Wall : Attribution::Sum);
    state.setFilters(filtersOf(session.filters, state));
    state.setStep(session.step && *session.step < state.shown()->steps.size()
                      ? std::optional<std::size_t>(*session.step)
                      : std::nullopt);
    state.setStepSet(view.steps);
    state.setMedianBeside(view.medianBeside);
    std::vector<Mark> marks;
    for (const SessionMark& mark : session.marks)
        marks.push_back({mark.atNs, QString::fromStdString(mark.note)});
    state.setMarks(std::move(marks));
    for (std::size_t rank = 0; rank < state.shown()->ranks.size(); ++rank)
        if (state.shown()->ranks[rank].trace->rank == view.selectedRank &&
            view.selectedEvent < state.shown()->ranks[rank].trace->events.size())
            state.setSelection({rank, EventId{view.selectedEvent}});
    state.setCurrentStall(view.stall);
    if (view.selectedBeginNs && view.selectedEndNs)
        state.setSelectedRange(TimeRange{*view.selectedBeginNs, *view.selectedEndNs});
    // Last: a selection moves what is visible.
    if (session.zoomBeginNs && session.zoomEndNs && *session.zoomBeginNs < *session.zoomEndNs)
        state.setVisibleRange({*session.zoomBeginNs, *session.zoomEndNs});
}

bool isOf(const Session& session, const ViewState& state) {
    return !state.shown()->ranks.empty() &&
           std::all_of(state.shown()->ranks.begin(), state.shown()->ranks.end(), [&](const ShownRank& rank) {
               return std::any_of(session.files.begin(), session.files.end(), [&](const SessionFile& file) {
                   return file.path == sessionPath(rank.trace->report.file);
               });
           });
}

} // namespace lockstep
