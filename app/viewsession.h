#pragma once

#include "model/report/session.h"

namespace lockstep {

class ViewState;

/// What `state` shows, to be saved. Errors: no run is open, or one of its files cannot be read any more.
[[nodiscard]] Result<Session> sessionOf(const ViewState& state);
/// Shows an analysed run as it was saved: step, filters, attribution, marks and visible range.
void applySession(const Session& session, ViewState& state);
/// Whether the session is of the run that `state` shows.
[[nodiscard]] bool isOf(const Session& session, const ViewState& state);

} // namespace lockstep
