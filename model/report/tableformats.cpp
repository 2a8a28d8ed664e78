#include "model/report/tableformats.h"

#include "model/report/markup.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lockstep {

namespace {

using nlohmann::ordered_json;

ordered_json cellJson(const std::string& cell, bool number) {
    if (cell.empty())
        return nullptr;
    double value = 0;
    const char* first = cell.data() + (cell.front() == '+' ? 1 : 0);
    const auto [end, error] = std::from_chars(first, cell.data() + cell.size(), value);
    if (number && error == std::errc{} && end == cell.data() + cell.size() && std::isfinite(value))
        return value;
    return cell;
}

std::string latexCell(std::string_view cell) {
    std::string escaped;
    for (; cell.starts_with("  "); cell.remove_prefix(2)) // parts of what stands above
        escaped += "\\quad ";
    for (const char c : cell) {
        switch (c) {
        case '\\':
            escaped += "\\textbackslash{}";
            break;
        case '~':
            escaped += "\\textasciitilde{}";
            break;
        case '^':
            escaped += "\\textasciicircum{}";
            break;
        case '<':
            escaped += "\\textless{}";
            break;
        case '>':
            escaped += "\\textgreater{}";
            break;
        case '|':
            escaped += "\\textbar{}";
            break;
        case '"':
            escaped += "\\textquotedbl{}";
            break;
        case '&':
        case '%':
        case '$':
        case '#':
        case '_':
        case '{':
        case '}':
            escaped += '\\';
            escaped += c;
            break;
        case '\n':
        case '\r':
        case '\t':
            escaped += ' ';
            break;
        default:
            escaped += c;
        }
    }
    return escaped;
}

/// As people read it; in files for programs "us" stays, which needs no encoding.
std::string shownHeading(std::string heading) {
    const std::size_t at = heading.find(" us");
    const std::size_t end = at + 3;
    if (at != std::string::npos && (end == heading.size() || heading[end] == '/' || heading[end] == ' '))
        heading.replace(at + 1, 2, "µs");
    return heading;
}

std::string oneLine(std::string_view text) {
    std::string line(text);
    for (char& c : line)
        if (c == '\n' || c == '\r')
            c = ' ';
    return line;
}

ReportTable withValidText(const ReportTable& table) {
    ReportTable valid = table;
    valid.title = validText(table.title);
    for (auto& column : valid.columns)
        column.heading = validText(column.heading);
    for (auto& row : valid.rows)
        for (std::string& cell : row)
            cell = validText(cell);
    for (std::string& note : valid.notes)
        note = validText(note);
    return valid;
}

} // namespace

std::string toJsonText(const ReportTable& table) {
    ordered_json json;
    json["title"] = table.title;
    json["columns"] = ordered_json::array();
    for (const ReportTable::Column& column : table.columns)
        json["columns"].push_back(column.heading);
    json["rows"] = ordered_json::array();
    for (const auto& row : table.rows) {
        ordered_json cells = ordered_json::array();
        for (std::size_t c = 0; c < row.size(); ++c)
            cells.push_back(cellJson(row[c], c < table.columns.size() && table.columns[c].number));
        json["rows"].push_back(std::move(cells));
    }
    json["notes"] = table.notes;
    return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string toLatex(const ReportTable& table) {
    std::string text = fmt::format("\\begin{{table}}\n\\caption{{{}}}\n\\begin{{tabular}}{{",
                                   latexCell(oneLine(table.title)));
    for (const ReportTable::Column& column : table.columns)
        text += column.number ? 'r' : 'l';
    text += "}\n\\hline\n";
    const auto line = [&](auto cellAt) {
        for (std::size_t c = 0; c < table.columns.size(); ++c)
            text += (c > 0 ? " & " : "") + latexCell(cellAt(c));
        text += " \\\\\n";
    };
    line([&](std::size_t c) -> std::string_view {
        return table.columns[c].heading;
    });
    text += "\\hline\n";
    for (const auto& row : table.rows)
        line([&](std::size_t c) -> std::string_view {
            return c < row.size() ? std::string_view(row[c]) : "";
        });
    text += "\\hline\n\\end{tabular}\n\\end{table}\n";
    for (const std::string& note : table.notes)
        text += fmt::format("% {}\n", oneLine(note));
    return text;
}

std::string toHtml(const ReportTable& table) {
    std::string html = "<table>\n<caption>" + escapedMarkup(table.title) + "</caption>\n<thead><tr>";
    const auto cellClass = [&](std::size_t c) {
        return c < table.columns.size() && table.columns[c].number ? " class=\"n\"" : "";
    };
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        html +=
            fmt::format("<th{}>{}</th>", cellClass(c), escapedMarkup(shownHeading(table.columns[c].heading)));
    html += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
        html += "<tr>";
        for (std::size_t c = 0; c < row.size(); ++c)
            html += fmt::format("<td{}{}>{}</td>", cellClass(c),
                                row[c].starts_with("  ") ? " style=\"padding-left:1.6em\"" : "",
                                escapedMarkup(row[c]));
        html += "</tr>\n";
    }
    html += "</tbody>\n</table>\n";
    for (const std::string& note : table.notes)
        html += "<p class=\"note\">" + escapedMarkup(note) + "</p>\n";
    return html;
}

std::optional<std::string> tableAs(const ReportTable& table, std::string_view ending) {
    const ReportTable valid = withValidText(table);
    if (ending == "csv")
        return toCsv(valid);
    if (ending == "md")
        return toMarkdown(valid);
    if (ending == "json")
        return toJsonText(valid);
    if (ending == "tex")
        return toLatex(valid);
    return std::nullopt;
}

} // namespace lockstep
