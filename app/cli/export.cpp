#include "app/cli/command.h"
#include "app/cli/loadsubject.h"
#include "app/cli/pictures.h"
#include "model/report/reportviews.h"
#include "model/report/sessionscope.h"
#include "model/report/tableformats.h"
#include "model/report/whatifview.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <memory>

namespace lockstep::cli {

namespace {

// Smaller pictures have no room for their labels; larger ones are a slip of the hand.
constexpr double kLeastWidth = 480;
constexpr double kLeastHeight = 160;
constexpr double kMostSide = 20'000;

struct ExportArguments {
    std::vector<std::string> paths;
    std::vector<std::string> compare;
    std::string view;
    std::optional<std::uint32_t> step;
    std::string size;
    double scale = 1;
    std::string attribution; ///< empty: the session's, else sum
    std::vector<std::string> replacements;
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
        return error == std::errc{} && end == digits.data() + digits.size() && value <= kMostSide;
    };
    const std::size_t x = text.find('x');
    const bool good = number(text.substr(0, x), size.width) && size.width >= kLeastWidth &&
                      (x == std::string_view::npos ||
                       (number(text.substr(x + 1), size.height) && size.height >= kLeastHeight));
    return good ? std::optional(size) : std::nullopt;
}

/// "heatmap" is the stall map's other name; the attribution chooses between two views of one name.
std::string viewId(const ExportArguments& arguments, const std::string& attribution) {
    const std::string id = arguments.view == "heatmap"  ? "stall-map"
                           : arguments.view == "whatif" ? "what-if"
                                                        : arguments.view;
    return (id == "breakdown" || id == "comparison") && attribution == "wall" ? id + "-wall" : id;
}

/// What the arguments, and a session beside them, narrow the run to.
Result<ReportScope> scopeOf(const ExportArguments& arguments, const RunArgument& run,
                            const RunAnalysis& analysis) {
    Session session = run.session.value_or(Session());
    if (!arguments.categories.empty())
        session.categories = arguments.categories;
    if (arguments.step) {
        session.step = arguments.step;
        session.view.steps.clear();
    }
    return lockstep::scopeOf(session, analysis);
}

std::vector<std::string> otherRun(const ExportArguments& arguments, const RunArgument& run) {
    std::vector<std::string> paths = arguments.compare;
    if (paths.empty() && run.session)
        for (const SessionFile& file : run.session->comparison)
            paths.push_back(file.path);
    return paths;
}

/// With the replacements that were asked for, else with expert parallelism.
Result<WhatIfResult> projectionOf(const ExportArguments& arguments, const ReportSubject& subject) {
    WhatIfInputs inputs;
    for (const std::string& text : arguments.replacements) {
        auto replacement = parseReplacement(text);
        if (!replacement)
            return make_unexpected(replacement.error());
        inputs.substitutions.push_back(std::move(*replacement));
    }
    return projectSubject(subject, inputs.substitutions.empty() ? expertParallelInputs() : inputs);
}

/// The view that was asked for, of the run loaded and analysed.
Result<ReportView> loadView(const ExportArguments& arguments, ExitStatus& status) {
    const auto run = resolveRun(arguments.paths);
    if (!run)
        return make_unexpected(run.error());
    const bool compares = arguments.view == "comparison";
    const std::vector<std::string> other = compares ? otherRun(arguments, *run) : std::vector<std::string>();
    if (compares && other.empty())
        return make_unexpected(badUsage("--view comparison needs the other run: give --compare RUN"));
    const auto analysis = loadAnalysed(run->paths, arguments.threads, status);
    if (!analysis)
        return make_unexpected(analysis.error());
    const auto scoped = scopeOf(arguments, *run, **analysis);
    if (!scoped)
        return make_unexpected(scoped.error());
    const ReportScope& scope = *scoped;
    auto subject = reportSubject(*analysis, scope);
    if (!subject)
        return make_unexpected(subject.error());
    ReportViewsOf of{std::make_shared<const ReportSubject>(std::move(*subject)), nullptr, {}, {}};
    if (run->session && run->session->zoomBeginNs && run->session->zoomEndNs)
        of.visible = TimeRange{*run->session->zoomBeginNs, *run->session->zoomEndNs};
    if (compares) {
        auto second = loadCompared(other, arguments.threads, scope, status);
        if (!second)
            return make_unexpected(second.error());
        of.other = std::make_shared<const ReportSubject>(std::move(*second));
    }
    if (arguments.view == "whatif") {
        auto projected = projectionOf(arguments, *of.subject);
        if (!projected)
            return make_unexpected(projected.error());
        of.projected = std::make_shared<const WhatIfResult>(std::move(*projected));
    }
    const std::string attribution = !arguments.attribution.empty() ? arguments.attribution
                                    : run->session                 ? run->session->attribution
                                                                   : "sum";
    const std::string id = viewId(arguments, attribution);
    for (ReportView& view : reportViews(of))
        if (view.id == id)
            return std::move(view);
    return make_unexpected(
        badUsage("--view timeline-shown needs a .lockstep session, which says what is shown"));
}

ExitStatus runExport(const ExportArguments& arguments) {
    const auto size = readSize(arguments.size);
    if (!size)
        return fail(
            badUsage(fmt::format("--size {}: write WIDTHxHEIGHT, such as 1200x600, between {} and {} wide "
                                 "and {} and {} high",
                                 arguments.size, kLeastWidth, kMostSide, kLeastHeight, kMostSide)));
    if (!arguments.compare.empty() && arguments.view != "comparison")
        return fail(badUsage("--compare is for --view comparison"));
    if (!arguments.replacements.empty() && arguments.view != "whatif")
        return fail(badUsage("--replace is for --view whatif"));
    const std::string ending = endingOf(arguments.output);
    const bool picture = ending == "svg" || ending == "png" || ending == "pdf";
    if (!picture && ending != "csv" && ending != "md" && ending != "json" && ending != "tex")
        return fail(badUsage(
            fmt::format("-o {}: the ending says the format: .png, .svg, .pdf, .csv, .md, .json or .tex",
                        arguments.output)));
    ExitStatus status = ExitStatus::Done;
    const auto view = loadView(arguments, status);
    if (!view)
        return fail(view.error());
    if (picture && !view->figure)
        return fail(
            badUsage(fmt::format("--view {} is a table: write .csv, .md, .json or .tex", arguments.view)));
    if (ending == "png" || ending == "pdf") {
        if (auto drawn = drawPicture(view->figure(*size), arguments.output, arguments.scale); !drawn)
            return fail(drawn.error());
        return status;
    }
    const std::string text = picture ? view->figure(*size) : tableAs(view->table(), ending).value_or("");
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
        ->check(CLI::IsMember({"timeline", "breakdown", "comparison", "stalls", "steps", "heatmap", "whatif",
                               "timeline-shown", "kernels", "collectives", "data-quality"}));
    command->add_option("--replace", arguments->replacements,
                        "For --view whatif, such as allreduce:moe=alltoall@19us (the default)");
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
