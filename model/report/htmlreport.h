#pragma once

#include "model/report/comparisonreport.h"
#include "model/report/reportsubject.h"
#include "model/report/session.h"

#include <string>
#include <vector>

namespace lockstep {

/// One file of a report, by its path below the report's folder.
struct ReportFile {
    std::string path;
    std::string text;
};

/// The report on a run: `index.html`, whole in itself (inline SVG, no script, nothing from elsewhere), and
/// beside it every chart (`charts/*.svg`) and table (`tables/*.csv`, `*.md`). `comparison`, with
/// `other`, may be null; `marks` are the notes of a session.
[[nodiscard]] std::vector<ReportFile> reportFiles(const ReportSubject& subject, const Comparison* comparison,
                                                  const ReportSubject* other = nullptr,
                                                  const std::vector<SessionMark>& marks = {});

} // namespace lockstep
