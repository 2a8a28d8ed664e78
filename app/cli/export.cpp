#include "app/cli/command.h"
#include "app/cli/loadsubject.h"
#include "app/cli/pictures.h"
#include "model/report/comparisonreport.h"
#include "model/report/figures.h"
#include "model/report/tableformats.h"
#include "model/report/viewtables.h"

#include <charconv>
#include <fmt/format.h>
#include <memory>

namespace lockstep::cli {

namespace {

struct ExportArguments {
    std::vector<std::string> paths;
    std::vector<std::string> compare;
    std::string view;
    std::optional<std::uint32_t> step;
    std::string size;
    double scale = 1;
    std::string attribution = "sum";
    std::string categories;
    std::string output;
    unsigned threads = 0;
};

ExitStatus fail(const Error& error) {
    printError(error);
    return error.code == ErrorCode::BadArgument ? ExitStatus::BadUsage : ExitStatus::Unusable;
}

Error badUsage(const std::string& sentence) {
    return {ErrorCode::BadArgument, {}, {}, sentence};
}

/// "1200x600", or "1200" for as high as it needs to be.
std::optional<FigureSize> readSize(std::string_view text) {
    FigureSize size;
    if (text.empty())
        return size;
    const auto number = [](std::string_view digits, double& value) {
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return error == std::errc{} && end == digits.data() + digits.size() && value >= 200 &&
               value <= 20'000;
    };
    const std::size_t x = text.find('x');
    const bool good = number(text.substr(0, x), size.width) &&
                      (x == std::string_view::npos || number(text.substr(x + 1), size.height));
    return good ? std::optional(size) : std::nullopt;
}

/// Draws and tabulates one view of one run, or of two.
class View {
public:
    View(const ExportArguments& arguments, FigureSize size)
        : m_arguments(arguments)
        , m_size(size) {}
    Result<void> load(ExitStatus& status);
    [[nodiscard]] std::string figure() const;
    [[nodiscard]] ReportTable table() const;

private:
    [[nodiscard]] Attribution attribution() const {
        return m_arguments.attribution == "wall" ? Attribution::Wall : Attribution::Sum;
    }

    const ExportArguments& m_arguments;
    FigureSize m_size;
    std::optional<ReportSubject> m_subject;
    std::optional<ReportSubject> m_other;
    std::optional<Comparison> m_comparison;
};

Result<void> View::load(ExitStatus& status) {
    const auto run = resolveRun(m_arguments.paths);
    if (!run)
        return make_unexpected(run.error());
    auto analysis = loadAnalysed(run->paths, m_arguments.threads, status);
    if (!analysis)
        return make_unexpected(analysis.error());
    const std::string categories =
        m_arguments.categories.empty() && run->session ? run->session->categories : m_arguments.categories;
    const auto step = m_arguments.step || !run->session ? m_arguments.step : run->session->step;
    auto subject = reportSubject(*analysis, categories, step);
    if (!subject)
        return make_unexpected(subject.error());
    m_subject = std::move(*subject);
    if (m_arguments.view != "comparison")
        return {};
    std::vector<std::string> other = m_arguments.compare;
    if (other.empty() && run->session)
        for (const SessionFile& file : run->session->comparison)
            other.push_back(file.path);
    if (other.empty())
        return make_unexpected(badUsage("--view comparison needs the other run: give --compare RUN"));
    auto second = loadAnalysed(other, m_arguments.threads, status);
    if (!second)
        return make_unexpected(second.error());
    auto otherSubject = reportSubject(*second, categories, {});
    if (!otherSubject)
        return make_unexpected(otherSubject.error());
    m_other = std::move(*otherSubject);
    m_comparison = compareSubjects(*m_subject, *m_other, attribution());
    return {};
}

std::string View::figure() const {
    if (m_arguments.view == "timeline")
        return timelineFigure(*m_subject, m_size);
    if (m_arguments.view == "breakdown")
        return breakdownFigure(*m_subject, attribution(), m_size);
    if (m_arguments.view == "stalls")
        return stallsFigure(*m_subject, m_size);
    if (m_arguments.view == "steps")
        return stepsFigure(*m_subject, m_size);
    if (m_arguments.view == "heatmap")
        return heatmapFigure(*m_subject, m_size);
    std::vector<std::string> provenance = provenanceOf(*m_subject);
    for (const std::string& line : provenanceOf(*m_other))
        provenance.push_back(line);
    return comparisonFigure(*m_comparison, provenance, m_size);
}

ReportTable View::table() const {
    ReportTable table;
    if (m_arguments.view == "timeline")
        return timelineTable(*m_subject);
    if (m_arguments.view == "breakdown")
        table = breakdownTable(attribution() == Attribution::Wall ? m_subject->wall : m_subject->sum,
                               m_subject->rules.set);
    else if (m_arguments.view == "stalls")
        table = worstStallsTable(*m_subject, 1000);
    else if (m_arguments.view == "steps")
        return stepsTable(*m_subject);
    else if (m_arguments.view == "heatmap")
        table = stallMapTable(*m_subject);
    else
        table = comparedCategoriesTable(*m_comparison);
    for (const std::string& line : provenanceOf(*m_subject))
        table.notes.push_back(line);
    if (m_other)
        for (const std::string& line : provenanceOf(*m_other))
            table.notes.push_back(line);
    return table;
}

ExitStatus runExport(const ExportArguments& arguments) {
    const auto size = readSize(arguments.size);
    if (!size)
        return fail(badUsage(fmt::format("--size {}: write WIDTHxHEIGHT, such as 1200x600", arguments.size)));
    const std::string ending = endingOf(arguments.output);
    const bool picture = ending == "svg" || ending == "png" || ending == "pdf";
    if (!picture && ending != "csv" && ending != "md" && ending != "json" && ending != "tex")
        return fail(badUsage(
            fmt::format("-o {}: the ending says the format: .png, .svg, .pdf, .csv, .md, .json or .tex",
                        arguments.output)));
    ExitStatus status = ExitStatus::Done;
    View view(arguments, *size);
    if (auto loaded = view.load(status); !loaded)
        return fail(loaded.error());
    if (ending == "png" || ending == "pdf") {
        if (auto drawn = drawPicture(view.figure(), arguments.output, arguments.scale); !drawn)
            return fail(drawn.error());
        return status;
    }
    const std::string text = picture ? view.figure() : tableAs(view.table(), ending).value_or("");
    return writeText(arguments.output, text) ? status : ExitStatus::Unusable;
}

} // namespace

void addExport(CLI::App& app, ExitStatus& status) {
    auto arguments = std::make_shared<ExportArguments>();
    CLI::App* command = app.add_subcommand("export", "One view as a picture or a table");
    command
        ->add_option("RUN", arguments->paths,
                     "Trace files of one run, a folder of them, or a .lockstep session")
        ->required();
    command->add_option("--view", arguments->view, "What to export")
        ->required()
        ->check(CLI::IsMember({"timeline", "breakdown", "comparison", "stalls", "steps", "heatmap"}));
    command->add_option("--compare", arguments->compare, "The other run, for --view comparison");
    command->add_option("--step", arguments->step, "This step alone, counted from 0");
    command->add_option("--size", arguments->size,
                        "Of the picture, WxH in pixels; W alone: as high as needed");
    command->add_option("--scale", arguments->scale, "Pixels of a PNG for one of the picture")
        ->check(CLI::Range(0.1, 10.0));
    command
        ->add_option("--attribution", arguments->attribution,
                     "sum: durations added up; wall: shared wall time")
        ->check(CLI::IsMember({"sum", "wall"}));
    command->add_option("--categories", arguments->categories, "Category rules over the built-in ones");
    command->add_option("-o,--output", arguments->output, "The file; its ending says the format")->required();
    command->add_option("--threads", arguments->threads, "Files read at once; 0: one a core");
    command->callback([arguments, &status] {
        status = runExport(*arguments);
    });
}

} // namespace lockstep::cli
