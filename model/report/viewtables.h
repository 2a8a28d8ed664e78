#pragma once

#include "model/report/reportsubject.h"
#include "model/report/tables.h"

namespace lockstep {

/// `table` with where its numbers come from, as notes.
[[nodiscard]] ReportTable withProvenance(ReportTable table, const ReportSubject& subject,
                                         const ProvenanceOf& what = {});
/// The GPU activities of the shown step on all ranks, by time on the run's clock.
[[nodiscard]] ReportTable timelineTable(const ReportSubject& subject);
/// The same of a stretch of time on the run's clock.
[[nodiscard]] ReportTable timelineTable(const ReportSubject& subject, TimeRange range);
/// A row a step and rank.
[[nodiscard]] ReportTable stepsTable(const ReportSubject& subject);
/// Per rank: waited, caused, last arrivals.
[[nodiscard]] ReportTable rankStallsTable(const ReportSubject& subject);
/// The largest stalls of the chosen steps and ranks with their causes; at most `limit`, since each cause is
/// searched for.
[[nodiscard]] ReportTable worstStallsTable(const ReportSubject& subject, std::size_t limit = 1000);
/// Groups of collectives: durations, waiting and transfer.
[[nodiscard]] ReportTable collectivesTable(const ReportSubject& subject);
/// The stall map: a row a rank, a column a step (or layer).
[[nodiscard]] ReportTable stallMapTable(const ReportSubject& subject);
/// Clocks: what was added to each rank's.
[[nodiscard]] ReportTable alignmentTable(const ReportSubject& subject);
/// Per file: what was read, repaired, skipped or missing.
[[nodiscard]] ReportTable qualityTable(const ReportSubject& subject);

} // namespace lockstep
