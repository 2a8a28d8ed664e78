#pragma once

#include "model/report/reportsubject.h"
#include "model/report/tables.h"

#include <QString>
#include <functional>
#include <memory>
#include <vector>

namespace lockstep {

/// One view that can be exported: as a picture (SVG text of a size) and as a table.
struct ExportView {
    QString name;     ///< for people
    QString fileName; ///< without ending
    std::function<std::string(double width)> figure;
    std::function<ReportTable()> table;
};

/// All views of a run that can be exported.
[[nodiscard]] std::vector<ExportView> exportViews(std::shared_ptr<const ReportSubject> subject);

} // namespace lockstep
