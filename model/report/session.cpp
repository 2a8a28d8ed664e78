#include "model/report/session.h"

#include "model/core/sha256.h"
#include "model/synthetic/tracefile.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace lockstep {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr int kVersion = 1;

/// Seen from the session's folder, so that both can be moved together.
std::string relativeTo(const fs::path& folder, const std::string& path) {
    std::error_code code;
    const fs::path relative = fs::relative(fs::absolute(path, code), folder, code);
    return code || relative.empty() ? path : relative.string();
}

std::string resolved(const fs::path& folder, const std::string& path) {
    return fs::path(path).is_absolute() || path.empty() ? path : (folder / path).lexically_normal().string();
}

ordered_json filesJson(const std::vector<SessionFile>& files, const fs::path& folder) {
    ordered_json json = ordered_json::array();
    for (const SessionFile& file : files)
        json.push_back(
            {{"path", relativeTo(folder, file.path)}, {"sha256", file.sha256}, {"bytes", file.bytes}});
    return json;
}

template <class T>
T valueOr(const ordered_json& object, const char* key, T fallback) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    if (!object.is_object() || found == object.end())
        return fallback;
    if constexpr (std::is_same_v<T, std::string>)
        return found->is_string() ? found->template get<std::string>() : fallback;
    else if constexpr (std::is_same_v<T, bool>)
        return found->is_boolean() ? found->template get<bool>() : fallback;
    else
        return found->is_number() ? found->template get<T>() : fallback;
}

template <class T>
std::optional<T> numberOf(const ordered_json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number() ? std::optional(found->template get<T>())
                                                       : std::nullopt;
}

const ordered_json& listOf(const ordered_json& object, const char* key) {
    static const ordered_json kNone = ordered_json::array();
    const auto found = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && found != object.end() && found->is_array() ? *found : kNone;
}

std::vector<SessionFile> filesOf(const ordered_json& json, const fs::path& folder) {
    std::vector<SessionFile> files;
    for (const ordered_json& entry : json)
        if (const std::string path = valueOr(entry, "path", std::string()); !path.empty())
            files.push_back({resolved(folder, path), valueOr(entry, "sha256", std::string()),
                             valueOr(entry, "bytes", std::uint64_t{0})});
    return files;
}

std::vector<std::string> textsOf(const ordered_json& json) {
    std::vector<std::string> texts;
    for (const ordered_json& entry : json)
        if (entry.is_string())
            texts.push_back(entry.get<std::string>());
    return texts;
}

void readFilters(const ordered_json& json, SessionFilters& filters) {
    for (const ordered_json& rank : listOf(json, "ranks"))
        if (rank.is_number_integer())
            filters.ranks.push_back(rank.get<int>());
    filters.categories = textsOf(listOf(json, "categories"));
    filters.streams = textsOf(listOf(json, "streams"));
    filters.decodeOnly = valueOr(json, "decode_only", false);
    filters.beginNs = numberOf<TimeNs>(json, "begin_ns");
    filters.endNs = numberOf<TimeNs>(json, "end_ns");
}

template <class T>
std::vector<T> numbersOf(const ordered_json& json) {
    std::vector<T> numbers;
    for (const ordered_json& entry : json)
        if (entry.is_number_integer())
            numbers.push_back(entry.get<T>());
    return numbers;
}

ordered_json filtersJson(const SessionFilters& filters) {
    ordered_json json = {{"ranks", filters.ranks},
                         {"categories", filters.categories},
                         {"streams", filters.streams},
                         {"decode_only", filters.decodeOnly}};
    if (filters.beginNs && filters.endNs) {
        json["begin_ns"] = *filters.beginNs;
        json["end_ns"] = *filters.endNs;
    }
    return json;
}

ordered_json viewJson(const SessionView& view) {
    ordered_json json;
    if (view.selectedBeginNs && view.selectedEndNs)
        json["selected_range"] = {{"begin_ns", *view.selectedBeginNs}, {"end_ns", *view.selectedEndNs}};
    if (view.selectedRank >= 0)
        json["selected_event"] = {{"rank", view.selectedRank}, {"event", view.selectedEvent}};
    if (view.stall)
        json["stall"] = *view.stall;
    json["steps"] = view.steps;
    json["search"] = view.search;
    json["median_beside"] = view.medianBeside;
    json["folded_ranks"] = view.foldedRanks;
    json["hidden_ranks"] = view.hiddenRanks;
    json["rank_order"] = view.rankOrder;
    json["open_sections"] = view.openSections;
    json["hidden_tracks"] = view.hiddenTracks;
    json["track_order"] = view.trackOrder;
    json["panels"] = view.panels;
    json["front_panels"] = view.frontPanels;
    return json;
}

SessionView viewOf(const ordered_json& json) {
    SessionView view;
    if (const auto range = json.find("selected_range"); range != json.end() && range->is_object()) {
        view.selectedBeginNs = numberOf<TimeNs>(*range, "begin_ns");
        view.selectedEndNs = numberOf<TimeNs>(*range, "end_ns");
    }
    if (const auto event = json.find("selected_event"); event != json.end() && event->is_object()) {
        view.selectedRank = valueOr(*event, "rank", -1);
        view.selectedEvent = valueOr(*event, "event", std::uint32_t{0});
    }
    view.stall = numberOf<std::uint32_t>(json, "stall");
    view.steps = numbersOf<std::uint32_t>(listOf(json, "steps"));
    view.search = valueOr(json, "search", std::string());
    view.medianBeside = valueOr(json, "median_beside", false);
    view.foldedRanks = numbersOf<int>(listOf(json, "folded_ranks"));
    view.hiddenRanks = numbersOf<int>(listOf(json, "hidden_ranks"));
    view.rankOrder = numbersOf<int>(listOf(json, "rank_order"));
    view.openSections = textsOf(listOf(json, "open_sections"));
    view.hiddenTracks = textsOf(listOf(json, "hidden_tracks"));
    view.trackOrder = textsOf(listOf(json, "track_order"));
    view.panels = valueOr(json, "panels", std::string());
    view.frontPanels = textsOf(listOf(json, "front_panels"));
    return view;
}

ordered_json sessionJson(const Session& session, const fs::path& folder) {
    ordered_json json;
    json["schema"] = "lockstep.session";
    json["version"] = kVersion;
    json["written_by"] = "Lockstep " LOCKSTEP_VERSION;
    json["files"] = filesJson(session.files, folder);
    json["comparison"] = filesJson(session.comparison, folder);
    json["categories"] = session.categories.empty() ? "" : relativeTo(folder, session.categories);
    json["attribution"] = session.attribution;
    if (session.step)
        json["step"] = *session.step;
    if (session.zoomBeginNs && session.zoomEndNs)
        json["zoom"] = {{"begin_ns", *session.zoomBeginNs}, {"end_ns", *session.zoomEndNs}};
    json["filters"] = filtersJson(session.filters);
    json["clocks"] = ordered_json::array();
    for (const SessionClock& clock : session.clocks)
        json["clocks"].push_back(
            {{"rank", clock.rank}, {"offset_ns", clock.offsetNs}, {"drift_ppm", clock.driftPpm}});
    json["marks"] = ordered_json::array();
    for (const SessionMark& mark : session.marks)
        json["marks"].push_back({{"at_ns", mark.atNs}, {"note", mark.note}});
    json["view"] = viewJson(session.view);
    return json;
}

Session sessionOf(const ordered_json& json, const fs::path& folder) {
    Session session;
    session.files = filesOf(listOf(json, "files"), folder);
    session.comparison = filesOf(listOf(json, "comparison"), folder);
    session.categories = resolved(folder, valueOr(json, "categories", std::string()));
    session.attribution = valueOr(json, "attribution", std::string("sum"));
    session.step = numberOf<std::uint32_t>(json, "step");
    if (const auto zoom = json.find("zoom"); zoom != json.end() && zoom->is_object()) {
        session.zoomBeginNs = numberOf<TimeNs>(*zoom, "begin_ns");
        session.zoomEndNs = numberOf<TimeNs>(*zoom, "end_ns");
    }
    if (const auto filters = json.find("filters"); filters != json.end())
        readFilters(*filters, session.filters);
    for (const ordered_json& clock : listOf(json, "clocks"))
        session.clocks.push_back(
            {valueOr(clock, "rank", -1), valueOr(clock, "offset_ns", 0.0), valueOr(clock, "drift_ppm", 0.0)});
    for (const ordered_json& mark : listOf(json, "marks"))
        session.marks.push_back({valueOr(mark, "at_ns", TimeNs{0}), valueOr(mark, "note", std::string())});
    if (const auto view = json.find("view"); view != json.end() && view->is_object())
        session.view = viewOf(*view);
    return session;
}

fs::path folderOf(const std::string& path) {
    std::error_code code;
    return fs::absolute(path, code).parent_path();
}

} // namespace

std::string sessionPath(const std::string& path) {
    std::error_code code;
    return fs::absolute(path, code).lexically_normal().string();
}

Result<SessionFile> sessionFile(const std::string& path) {
    std::error_code code;
    const std::string hash = sha256OfFile(path);
    if (hash.empty())
        return make_unexpected(Error{ErrorCode::FileNotFound, path, {}, "cannot be read"});
    return SessionFile{sessionPath(path), hash, fs::file_size(path, code)};
}

Result<void> writeSession(const Session& session, const std::string& path) {
    auto file = TraceFile::create(path, Compression::None);
    if (!file)
        return make_unexpected(file.error());
    file->write(
        sessionJson(session, folderOf(path)).dump(1, ' ', false, ordered_json::error_handler_t::replace));
    file->write("\n");
    return file->finish();
}

Result<Session> readSession(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return make_unexpected(Error{ErrorCode::FileNotFound, path, {}, "there is no such session"});
    std::stringstream text;
    text << in.rdbuf();
    const ordered_json json = ordered_json::parse(text.str(), nullptr, false);
    if (!json.is_object() || valueOr(json, "schema", std::string()) != "lockstep.session")
        return make_unexpected(Error{ErrorCode::NotATrace, path, {}, "this is no Lockstep session"});
    const int version = valueOr(json, "version", 0);
    if (version > kVersion || version < 1)
        return make_unexpected(Error{
            ErrorCode::BadArgument,
            path,
            {},
            fmt::format("this session is of version {}, and this Lockstep ({}) knows version {}: open it "
                        "with a newer one",
                        version, LOCKSTEP_VERSION, kVersion)});
    Session session = sessionOf(json, folderOf(path));
    if (session.files.empty())
        return make_unexpected(Error{ErrorCode::NoRanks, path, {}, "this session names no trace"});
    return session;
}

std::vector<SessionProblem> problemsOf(const Session& session) {
    std::vector<SessionProblem> problems;
    for (const auto* files : {&session.files, &session.comparison})
        for (const SessionFile& file : *files) {
            const std::string hash = sha256OfFile(file.path);
            if (hash.empty() || hash != file.sha256)
                problems.push_back({file.path, hash.empty()});
        }
    return problems;
}

bool isSessionName(std::string_view path) {
    return path.ends_with(".lockstep");
}

} // namespace lockstep
