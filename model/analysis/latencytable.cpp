#include "model/analysis/latencytable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <utility>

namespace lockstep {

namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() &&
           (std::isspace(static_cast<unsigned char>(text.front())) != 0 || text.front() == '"'))
        text.remove_prefix(1);
    while (!text.empty() &&
           (std::isspace(static_cast<unsigned char>(text.back())) != 0 || text.back() == '"'))
        text.remove_suffix(1);
    return text;
}

std::string letters(std::string_view text) {
    std::string result;
    for (const char c : text)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            result.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    return result;
}

std::optional<double> number(std::string_view text) {
    text = trimmed(text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::vector<std::string_view> lines(std::string_view text) {
    std::vector<std::string_view> result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        result.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

std::vector<std::string_view> cells(std::string_view line, char separator) {
    std::vector<std::string_view> result;
    for (std::size_t at = line.find(separator); at != std::string_view::npos; at = line.find(separator)) {
        result.push_back(trimmed(line.substr(0, at)));
        line.remove_prefix(at + 1);
    }
    result.push_back(trimmed(line));
    return result;
}

std::vector<std::string_view> fields(std::string_view line) {
    std::vector<std::string_view> result;
    std::size_t at = 0;
    while (at < line.size()) {
        const std::size_t begin = line.find_first_not_of(" \t\r", at);
        if (begin == std::string_view::npos)
            break;
        at = std::min(line.find_first_of(" \t\r", begin), line.size());
        result.push_back(line.substr(begin, at - begin));
    }
    return result;
}

/// Places of the columns in a CSV's header; -1: not there.
struct Columns {
    int collective = -1;
    int bytes = -1;
    int ranks = -1;
    int microseconds = -1;
    int backend = -1;
    double toMicroseconds = 1;
};

void take(Columns& columns, std::string_view header, int index) {
    const std::string name = letters(header);
    const bool micro = header.find("\xC2\xB5") != std::string_view::npos ||
                       header.find("\xCE\xBC") != std::string_view::npos;
    if (name == "collective" || name == "op" || name == "operation")
        columns.collective = index;
    else if (name == "bytes" || name == "size" || name == "sizebytes" || name == "messagebytes" ||
             name == "sizeb")
        columns.bytes = index;
    else if (name == "ranks" || name == "nranks" || name == "worldsize" || name == "gpus")
        columns.ranks = index;
    else if (name == "backend" || name == "library")
        columns.backend = index;
    else if (micro || name == "us" || name == "timeus" || name == "latencyus" || name == "microseconds" ||
             name == "usec")
        columns.microseconds = index;
    else if (name == "ms" || name == "timems" || name == "latencyms") {
        columns.microseconds = index;
        columns.toMicroseconds = 1000;
    }
}

std::optional<LatencySample> sampleOf(const std::vector<std::string_view>& row, const Columns& columns) {
    const auto cell = [&](int index) {
        return index >= 0 && static_cast<std::size_t>(index) < row.size()
                   ? row[static_cast<std::size_t>(index)]
                   : std::string_view();
    };
    const std::optional<double> bytes = number(cell(columns.bytes));
    const std::optional<double> time = number(cell(columns.microseconds));
    if (!bytes || !time || *bytes <= 0 || *time <= 0)
        return std::nullopt;
    LatencySample sample;
    sample.collective = collectiveName(cell(columns.collective));
    sample.bytes = *bytes;
    sample.ranks = static_cast<int>(number(cell(columns.ranks)).value_or(0));
    sample.microseconds = *time * columns.toMicroseconds;
    sample.backend = letters(cell(columns.backend));
    return sample;
}

/// Reads a CSV whose header is line `header`.
LatencyTable readCsv(const std::vector<std::string_view>& all, std::size_t header, char separator,
                     const Columns& columns) {
    LatencyTable table;
    std::size_t unread = 0;
    for (std::size_t i = header + 1; i < all.size(); ++i) {
        const std::string_view line = trimmed(all[i]);
        if (line.empty() || line.front() == '#')
            continue;
        if (std::optional<LatencySample> sample = sampleOf(cells(line, separator), columns);
            sample && !sample->collective.empty())
            table.samples.push_back(std::move(*sample));
        else
            ++unread;
    }
    if (unread > 0)
        table.notes.push_back(
            fmt::format("{} lines of the table could not be read and were passed over", unread));
    return table;
}

/// The collective that nccl-tests measured: from "# … all_reduce_perf", else from the file's name.
std::string testedCollective(std::string_view text, const std::string& file) {
    constexpr std::array<std::string_view, 6> kTests{"all_reduce",    "all_gather", "reduce_scatter",
                                                     "alltoall_perf", "broadcast",  "sendrecv"};
    const std::string_view name = std::string_view(file).substr(file.find_last_of('/') + 1);
    for (const std::string_view place : {text, name})
        for (const std::string_view test : kTests)
            if (place.find(test) != std::string_view::npos)
                return collectiveName(test);
    return {};
}

/// nccl-tests: `size count type redop root time algbw busbw #wrong  time algbw busbw #wrong`, out of place
/// then in place; redop and root are not printed by all tests. "Rank" lines above tell how many ranks there
/// were.
LatencyTable readNcclTests(const std::vector<std::string_view>& all, std::string_view text,
                           const std::string& file) {
    LatencyTable table;
    const std::string collective = testedCollective(text, file);
    int ranks = 0;
    for (const std::string_view line : all) {
        const std::vector<std::string_view> row = fields(line);
        if (row.size() >= 3 && row[0] == "#" && row[1] == "Rank" && number(row[2]))
            ++ranks;
        if (row.size() < 8 || row[0] == "#" || !number(row[0]) || !number(row[1]) || number(row[2]))
            continue;
        // The first number after type (and redop, root) is the out-of-place time in µs; root is a whole
        // number too.
        std::size_t at = 3;
        if (!number(row[at])) // redop: root follows
            at += 2;
        const std::size_t numbers = row.size() - at;
        if (numbers == 9 || numbers == 5)
            ++at; // root without redop (broadcast)
        const double bytes = number(row[0]).value_or(0);
        const double time = at < row.size() ? number(row[at]).value_or(0) : 0;
        if (!collective.empty() && bytes > 0 && time > 0)
            table.samples.push_back({collective, bytes, 0, time, "nccl"});
    }
    for (LatencySample& sample : table.samples)
        sample.ranks = ranks;
    return table;
}

} // namespace

std::string collectiveName(std::string_view text) {
    std::string name = letters(text);
    for (const std::string_view suffix : {"perf", "base"})
        if (name.size() > suffix.size() && name.ends_with(suffix))
            name.resize(name.size() - suffix.size());
    if (name == "reducescatter")
        return "reduce_scatter";
    if (name == "sendrecv" || name == "sendreceive")
        return "send_recv";
    if (name == "a2a")
        return "alltoall";
    return name;
}

std::optional<LatencyAnswer> LatencyTable::at(std::string_view collective, double bytes, int ranks,
                                              std::string_view backend) const {
    const std::string wanted = collectiveName(collective);
    std::vector<LatencySample> fitting;
    for (const LatencySample& sample : samples)
        if (sample.collective == wanted && (ranks == 0 || sample.ranks == 0 || sample.ranks == ranks) &&
            (backend.empty() || sample.backend.empty() || sample.backend == letters(backend)))
            fitting.push_back(sample);
    if (fitting.empty() || bytes <= 0)
        return std::nullopt;
    std::stable_sort(fitting.begin(), fitting.end(), [](const auto& a, const auto& b) {
        return a.bytes < b.bytes;
    });
    const auto above = std::find_if(fitting.begin(), fitting.end(), [&](const auto& sample) {
        return sample.bytes >= bytes;
    });
    if (above == fitting.end() || (above == fitting.begin() && above->bytes > bytes)) {
        const LatencySample& nearest = above == fitting.end() ? fitting.back() : fitting.front();
        return LatencyAnswer{
            nearest.microseconds, true,
            fmt::format("{:.0f} bytes lie outside the table: its figure for {:.0f} bytes, {:.2f} µs", bytes,
                        nearest.bytes, nearest.microseconds)};
    }
    if (above->bytes <= bytes)
        return LatencyAnswer{
            above->microseconds, false,
            fmt::format("measured at {:.0f} bytes: {:.2f} µs", above->bytes, above->microseconds)};
    const LatencySample& upper = *above;
    const LatencySample& lower = *(above - 1);
    const double part = std::log(bytes / lower.bytes) / std::log(upper.bytes / lower.bytes);
    const double time = lower.microseconds * std::pow(upper.microseconds / lower.microseconds, part);
    return LatencyAnswer{time, false,
                         fmt::format("between {:.0f} bytes, {:.2f} µs, and {:.0f} bytes, {:.2f} µs",
                                     lower.bytes, lower.microseconds, upper.bytes, upper.microseconds)};
}

Result<LatencyTable> parseLatencyTable(std::string_view text, const std::string& file) {
    const std::vector<std::string_view> all = lines(text);
    LatencyTable table;
    for (std::size_t i = 0; i < all.size() && table.samples.empty(); ++i) {
        const char separator = all[i].find('\t') != std::string_view::npos  ? '\t'
                               : all[i].find(';') != std::string_view::npos ? ';'
                                                                            : ',';
        Columns columns;
        const std::vector<std::string_view> header = cells(all[i], separator);
        for (std::size_t c = 0; c < header.size(); ++c)
            take(columns, header[c], static_cast<int>(c));
        if (columns.collective >= 0 && columns.bytes >= 0 && columns.microseconds >= 0) {
            table = readCsv(all, i, separator, columns);
            break;
        }
    }
    if (table.samples.empty())
        table = readNcclTests(all, text, file);
    if (table.samples.empty())
        return make_unexpected(
            Error{ErrorCode::BadArgument,
                  file,
                  {},
                  "measures no collective: give a CSV with the columns collective,bytes,ranks,us,backend, or "
                  "the text that nccl-tests print"});
    return table;
}

Result<LatencyTable> readLatencyTable(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        return make_unexpected(Error{ErrorCode::FileNotFound, file, {}, "cannot be read; check the path"});
    return parseLatencyTable(std::string(std::istreambuf_iterator<char>(stream), {}), file);
}

} // namespace lockstep
