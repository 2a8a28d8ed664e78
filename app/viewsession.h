#pragma once

#include "model/report/session.h"
#include "views/timeline/tracklist.h"

#include <vector>

namespace lockstep {

class ViewState;

/// A session as read, and what is not as it was.
struct SessionRead {
    Session session;
    std::vector<SessionProblem> problems;
};

/// What the window shows, to be shown again; without its files, which addFiles() adds.
[[nodiscard]] Session sessionOf(const ViewState& state, const TrackArrangement& arrangement);
/// Adds the files of a run and of the one it is compared with (or null), with their hashes: reads them whole,
/// so not on the GUI thread. Errors: one cannot be read.
[[nodiscard]] Result<void> addFiles(Session& session, const ShownRun& shown, const ShownRun* comparison);
/// How the lanes were folded, hidden and put.
[[nodiscard]] TrackArrangement arrangementOf(const SessionView& view);
/// Shows the run of `state`, which is analysed, as the session saw it.
void applySession(const Session& session, ViewState& state);
/// Whether the run of `state` is of the session's files.
[[nodiscard]] bool isOf(const Session& session, const ViewState& state);

} // namespace lockstep
