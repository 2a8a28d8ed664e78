#pragma once

#include "model/core/ids.h"
#include "model/core/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// A trace that a session refers to.
struct SessionFile {
    std::string path; ///< absolute, or as given; in the file itself relative to the session's folder
    std::string sha256;
    std::uint64_t bytes = 0;
    friend bool operator==(const SessionFile&, const SessionFile&) = default;
};

/// A note at a moment of the run.
struct SessionMark {
    TimeNs atNs = 0; ///< on the run's clock
    std::string note;
    friend bool operator==(const SessionMark&, const SessionMark&) = default;
};

/// A rank's clock as it was aligned.
struct SessionClock {
    int rank = 0;
    double offsetNs = 0;
    double driftPpm = 0;
    friend bool operator==(const SessionClock&, const SessionClock&) = default;
};

/// What every view was narrowed to; empty: not at all.
struct SessionFilters {
    std::vector<int> ranks;
    std::vector<std::string> categories;
    std::vector<std::string> streams;
    bool decodeOnly = false;
    std::optional<TimeNs> beginNs; ///< on the run's clock
    std::optional<TimeNs> endNs;
    friend bool operator==(const SessionFilters&, const SessionFilters&) = default;
};

/// How the window showed the run: for the window alone.
struct SessionView {
    std::optional<TimeNs> selectedBeginNs; ///< the selected range, on the run's clock
    std::optional<TimeNs> selectedEndNs;
    int selectedRank = -1; ///< of the selected event; -1: none is
    std::uint32_t selectedEvent = 0;
    std::optional<std::uint32_t> stall; ///< the current one
    std::vector<std::uint32_t> steps;   ///< chosen by hand
    std::string search;
    bool medianBeside = false;
    std::vector<int> foldedRanks;
    std::vector<int> hiddenRanks;
    std::vector<int> rankOrder;
    std::vector<std::string> openSections; ///< "0 cpu", "3 rest"
    std::vector<std::string> hiddenTracks; ///< by label
    std::vector<std::string> trackOrder;
    std::string panels;                   ///< the window's own account of its panels, base64
    std::vector<std::string> frontPanels; ///< those in front of their tabs
    friend bool operator==(const SessionView&, const SessionView&) = default;
};

/// All that brings a run back as it was seen: a `.lockstep` file.
struct Session {
    std::vector<SessionFile> files;
    std::vector<SessionFile> comparison; ///< the other run's; empty: none
    std::string categories;              ///< the user's rules; empty: the built-in ones
    std::string attribution = "sum";
    std::optional<std::uint32_t> step;
    std::optional<TimeNs> zoomBeginNs; ///< on the run's clock
    std::optional<TimeNs> zoomEndNs;
    SessionFilters filters;
    std::vector<SessionClock> clocks;
    std::vector<SessionMark> marks;
    SessionView view;
    friend bool operator==(const Session&, const Session&) = default;
};

/// A file of a session that is not as it was.
struct SessionProblem {
    std::string path;
    bool missing = false; ///< else it has changed
};

/// `path` with its size and hash. Errors: it cannot be read.
[[nodiscard]] Result<SessionFile> sessionFile(const std::string& path);
/// `path` as sessions keep it: absolute, without detours.
[[nodiscard]] std::string sessionPath(const std::string& path);
/// Writes `session` whole or not at all.
[[nodiscard]] Result<void> writeSession(const Session& session, const std::string& path);
/// Errors: it cannot be read, is no session, or of a newer version than this program knows.
[[nodiscard]] Result<Session> readSession(const std::string& path);
/// The files that are missing or have changed since the session was saved.
[[nodiscard]] std::vector<SessionProblem> problemsOf(const Session& session);
/// Whether a file's name says that it is a session.
[[nodiscard]] bool isSessionName(std::string_view path);

} // namespace lockstep
