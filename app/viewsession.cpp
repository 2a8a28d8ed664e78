#include "app/viewsession.h"

#include "views/common/viewstate.h"

#include <algorithm>
#include <set>

namespace lockstep {

namespace {

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
    const auto builtin = CategoryRules::builtin();
    const CategorySet* set = categorySet(state);
    if (!set && builtin)
        set = &builtin->set;
    for (const std::string& id : kept.categories)
        if (const auto category = set ? set->find(id) : std::nullopt)
            filters.categories.insert(*category);
    return filters;
}

} // namespace

Result<Session> sessionOf(const ViewState& state) {
    if (!state.shown()->run)
        return make_unexpected(Error{ErrorCode::NoRanks, {}, {}, "there is no open run to save"});
    Session session;
    auto files = filesOf(*state.shown());
    if (!files)
        return make_unexpected(files.error());
    session.files = std::move(*files);
    if (state.comparison().run) {
        auto other = filesOf(*state.comparison().run);
        if (!other)
            return make_unexpected(other.error());
        session.comparison = std::move(*other);
    }
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
    return session;
}

void applySession(const Session& session, ViewState& state) {
    state.setAttribution(session.attribution == "wall" ? Attribution::Wall : Attribution::Sum);
    state.setFilters(filtersOf(session.filters, state));
    if (session.step && *session.step < state.shown()->steps.size())
        state.setStep(*session.step);
    state.clearMarks();
    for (const SessionMark& mark : session.marks)
        state.toggleMark(mark.atNs);
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
