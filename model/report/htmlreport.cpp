#include "model/report/htmlreport.h"

#include "model/analysis/kernelstats.h"
#include "model/report/figures.h"
#include "model/report/markup.h"
#include "model/report/reportfindings.h"
#include "model/report/tableformats.h"
#include "model/report/viewtables.h"
#include "model/report/whatifview.h"

#include <algorithm>
#include <fmt/format.h>

namespace lockstep {

namespace {

constexpr std::string_view kStyle = R"(
body { font: 15px/1.5 "DejaVu Sans", Helvetica, Arial, sans-serif; color: #202124; background: #fff;
       max-width: 1240px; margin: 2em auto; padding: 0 1.2em; }
h1 { font-size: 1.6em; margin-bottom: 0.1em; } h2 { font-size: 1.2em; margin-top: 2em; border-bottom: 1px solid #dadfe5; }
.sub, .note { color: #5f656b; } .note { font-size: 0.85em; margin: 0.2em 0; }
li { margin: 0.35em 0; } svg { max-width: 100%; height: auto; display: block; margin: 1em 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.85em; margin: 1em 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: bold; padding-bottom: 0.3em; }
th, td { text-align: left; padding: 0.2em 0.7em; border-bottom: 1px solid #dadfe5; vertical-align: top; }
td { overflow-wrap: anywhere; max-width: 34em; min-width: 3em; } th { background: #f5f7fa; }
td:first-child { min-width: 8em; } td.n:first-child { min-width: 0; } th, .n { overflow-wrap: normal; } .n { text-align: right; white-space: nowrap; min-width: 0; }
@media print { body { margin: 0; padding: 0; max-width: none; font-size: 10pt; } h2, caption { break-after: avoid; }
  svg, tr { break-inside: avoid; } .wide { overflow: visible; } thead { display: table-header-group; }
  table { font-size: 6pt; } th, td { padding: 0.1em 0.3em; } }
)";

/// A chart or table with its name among the report's files.
struct Chart {
    std::string name;
    std::string svg;
};
struct NamedTable {
    std::string name;
    ReportTable table;
    std::size_t ownNotes = 0; ///< so many of its notes are about the table itself, not its sources
};

/// Where the numbers of both runs come from.
std::vector<std::string> provenanceOfBoth(const ReportSubject& subject, const ReportSubject* other,
                                          const ProvenanceOf& what = {}) {
    std::vector<std::string> lines = provenanceOf(subject, what);
    if (other)
        for (const std::string& line : provenanceOf(*other, what))
            lines.push_back(line);
    return lines;
}

std::vector<Chart> chartsOf(const ReportSubject& subject, const Comparison* comparison,
                            const ReportSubject* other, const WhatIfResult* whatIf) {
    std::vector<Chart> charts{{"breakdown", breakdownFigure(subject, Attribution::Sum)},
                              {"breakdown-wall", breakdownFigure(subject, Attribution::Wall)},
                              {"timeline", timelineFigure(subject)},
                              {"stalls", stallsFigure(subject)},
                              {"stall-map", heatmapFigure(subject)},
                              {"steps", stepsFigure(subject)}};
    if (whatIf)
        charts.push_back({"what-if", whatIfFigure(subject, *whatIf)});
    if (comparison)
        charts.push_back(
            {"comparison",
             comparisonFigure(*comparison,
                              provenanceOfBoth(subject, other, {comparison->attribution, {}, false}))});
    return charts;
}

std::vector<NamedTable> tablesOf(const ReportSubject& subject, const Comparison* comparison,
                                 const ReportSubject* other, const WhatIfResult* whatIf) {
    const CategorySet& set = subject.rules.set;
    const RunAnalysis& analysis = *subject.analysis;
    std::vector<NamedTable> tables{
        {"breakdown", breakdownTable(subject.sum, set)},
        {"breakdown-wall", breakdownTable(subject.wall, set)},
        {"stall-ranks", rankStallsTable(subject)},
        {"stalls", worstStallsTable(subject)},
        {"collectives", collectivesTable(subject)},
        {"steps", stepsTable(subject)},
        {"kernels",
         kernelTable(kernelStats(analysis, subject.categories, subject.selection), *analysis.run, set)},
        {"stall-map", stallMapTable(subject)},
        {"clocks", alignmentTable(subject)},
        {"data-quality", qualityTable(subject)}};
    if (whatIf)
        tables.push_back({"what-if", whatIfTable(*whatIf)});
    const std::size_t own = tables.size();
    if (comparison) {
        tables.push_back({"comparison-runs", portraitTable(*comparison)});
        tables.push_back({"comparison", comparedCategoriesTable(*comparison)});
        tables.push_back({"comparison-steps", comparedStepsTable(*comparison)});
        tables.push_back({"comparison-kernels", comparedKernelsTable(*comparison)});
    }
    // In the page the sources stand once, at its end; a file may go anywhere alone.
    for (std::size_t i = 0; i < tables.size(); ++i) {
        ProvenanceOf what;
        if (tables[i].name.starts_with("stall"))
            what.over = ProvenanceOf::Over::Capture;
        else if (tables[i].name == "collectives" || tables[i].name == "clocks" ||
                 tables[i].name == "data-quality")
            what.over = ProvenanceOf::Over::Everything;
        if (i < 2 || tables[i].name == "comparison")
            what.attribution = tables[i].name == "breakdown-wall" ? Attribution::Wall : Attribution::Sum;
        tables[i].ownNotes = tables[i].table.notes.size();
        tables[i].table = withProvenance(std::move(tables[i].table), subject, what);
        if (other && i >= own)
            tables[i].table = withProvenance(std::move(tables[i].table), *other, what);
    }
    return tables;
}

std::string section(std::string_view title, const std::string& body) {
    return fmt::format("<h2>{}</h2>\n{}", title, body);
}

std::string list(const std::vector<std::string>& sentences) {
    std::string html = "<ul>\n";
    for (const std::string& sentence : sentences)
        html += "<li>" + escapedMarkup(sentence) + "</li>\n";
    return html + "</ul>\n";
}

/// Kernel names may be kilobytes of template arguments: files have them whole.
std::string shortened(const std::string& cell) {
    constexpr std::size_t kLongest = 150;
    if (cell.size() <= kLongest)
        return cell;
    std::size_t end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(cell[end]) & 0xC0u) == 0x80u)
        --end;
    return cell.substr(0, end) + "…";
}

/// The table as the page shows it; files have it whole.
std::string shown(const std::vector<NamedTable>& tables, std::string_view name, std::size_t most = 40) {
    for (const NamedTable& named : tables) {
        if (named.name != name)
            continue;
        ReportTable table = named.table;
        table.notes.resize(named.ownNotes);
        if (table.rows.size() > most) {
            table.notes.push_back(fmt::format("The first {} of {} rows; tables/{}.csv has them all.", most,
                                              table.rows.size(), name));
            table.rows.resize(most);
        }
        for (auto& row : table.rows)
            for (std::string& cell : row)
                cell = shortened(cell);
        return "<div class=\"wide\">" + toHtml(table) + "</div>\n";
    }
    return {};
}

std::string chart(const std::vector<Chart>& charts, std::string_view name) {
    for (const Chart& one : charts)
        if (one.name == name)
            return one.svg;
    return {};
}

std::string comparisonSection(const std::vector<Chart>& charts, const std::vector<NamedTable>& tables,
                              const Comparison& comparison) {
    std::vector<std::string> sentences;
    for (const Finding& finding : comparison.findings)
        sentences.push_back(finding.sentence);
    return section("Compared with " + escapedMarkup(comparison.labelB),
                   list(sentences) + chart(charts, "comparison") + shown(tables, "comparison-runs") +
                       shown(tables, "comparison") + shown(tables, "comparison-steps") +
                       shown(tables, "comparison-kernels", 20));
}

std::string method() {
    return list(
        {"All times are integer nanoseconds. Clocks: an offset and, where the span supports it, a drift for "
         "each rank, fitted robustly so that the ends of matched synchronising collectives meet.",
         "Step: one execution of the model; its wall time runs from its first GPU activity's begin to its "
         "last one's end. Averages are over typical decode steps; outliers and cut steps are left out.",
         "Durations added up: parts overlap, so that the total can exceed the wall time. Wall time: each "
         "instant is shared equally among the categories active in it, idle is a category, and the parts add "
         "up to the wall time exactly.",
         "Waiting: from a rank's arrival at a collective to the last rank's; transfer: the rest until its "
         "end. The straggler is the rank that arrives last; a cause is named only where its excess covers "
         "half of the skew.",
         "A head transient is a collective far above its group's median on most ranks because profilers "
         "started at different moments; it is left out of averages.",
         "A projection is the measured step with named substitutions; the naive figure takes calls times "
         "difference, the other lets only the transfer gain, the third replays the step over all ranks."});
}

/// Each with its moment since the run's begin.
std::vector<std::string> notesOf(const ReportSubject& subject, const std::vector<SessionMark>& marks) {
    const RunAnalysis& analysis = *subject.analysis;
    const TimeNs begin = beginOfRun(analysis);
    std::vector<std::string> notes;
    for (const SessionMark& mark : marks)
        notes.push_back(
            fmt::format("at {} ms: {}", asMs(static_cast<double>(mark.atNs - begin), 6), mark.note));
    return notes;
}

std::string page(const ReportSubject& subject, const std::vector<Chart>& charts,
                 const std::vector<NamedTable>& tables, const Comparison* comparison,
                 const ReportSubject* other, const WhatIfResult* whatIf,
                 const std::vector<SessionMark>& marks) {
    const std::string name = escapedMarkup(subject.analysis->run->name);
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>{} - Lockstep report</title>\n"
        "<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n<p class=\"sub\">{}</p>\n",
        name, kStyle, name, escapedMarkup(sentenceOf(portraitOf(*subject.analysis))));
    html += section("Findings", list(findingsOf(subject, whatIf)));
    if (!marks.empty())
        html += section("Notes", list(notesOf(subject, marks)));
    if (comparison)
        html += comparisonSection(charts, tables, *comparison);
    html += section("Where a step's time goes", chart(charts, "breakdown") + shown(tables, "breakdown") +
                                                    chart(charts, "breakdown-wall") +
                                                    shown(tables, "breakdown-wall"));
    html += section("Who waits for whom", chart(charts, "timeline") + chart(charts, "stalls") +
                                              shown(tables, "stall-ranks") + chart(charts, "stall-map") +
                                              shown(tables, "stalls", 20) + shown(tables, "collectives"));
    if (const std::string projected = chart(charts, "what-if"); !projected.empty())
        html += section("What expert parallelism would give", projected + shown(tables, "what-if"));
    html += section("Steps", chart(charts, "steps") + shown(tables, "steps", 60));
    html += section("Kernels", shown(tables, "kernels", 30));
    html += section("Data quality", shown(tables, "data-quality", 200) + shown(tables, "clocks", 200));
    html += section("Method", method());
    html += "<h2>Sources</h2>\n" + list(provenanceOfBoth(subject, other));
    return html + "</body>\n</html>\n";
}

} // namespace

std::vector<ReportFile> reportFiles(const ReportSubject& subject, const Comparison* comparison,
                                    const ReportSubject* other, const std::vector<SessionMark>& marks) {
    const auto projected = projectSubject(subject, expertParallelInputs());
    const WhatIfResult* whatIf = projected && !projected->lines.empty() ? &*projected : nullptr;
    const std::vector<Chart> charts = chartsOf(subject, comparison, other, whatIf);
    const std::vector<NamedTable> tables = tablesOf(subject, comparison, other, whatIf);
    std::vector<ReportFile> files{
        {"index.html", page(subject, charts, tables, comparison, other, whatIf, marks)}};
    for (const Chart& one : charts)
        files.push_back({"charts/" + one.name + ".svg", one.svg});
    for (const NamedTable& named : tables)
        for (const char* ending : {"csv", "md"})
            if (auto text = tableAs(named.table, ending))
                files.push_back({fmt::format("tables/{}.{}", named.name, ending), std::move(*text)});
    return files;
}

} // namespace lockstep
