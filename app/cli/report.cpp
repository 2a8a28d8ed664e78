#include "app/cli/analyzesections.h"
#include "app/cli/command.h"
#include "app/cli/loadsubject.h"
#include "app/cli/pictures.h"
#include "model/report/htmlreport.h"
#include "model/report/sessionscope.h"

#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

namespace lockstep::cli {

namespace {

namespace fs = std::filesystem;

struct ReportArguments {
    std::vector<std::string> paths;
    std::vector<std::string> compare;
    std::optional<std::uint32_t> step;
    SectionArguments sections;
    std::string output;
    unsigned threads = 0;
};

ExitStatus fail(const Error& error) {
    printError(error);
    return error.code == ErrorCode::BadArgument ? ExitStatus::BadUsage : ExitStatus::Unusable;
}

/// A folder that gets its name only once it is whole; what is left of an unfinished one is removed.
class NewFolder {
public:
    explicit NewFolder(std::string path)
        : m_path(std::move(path))
        , m_temporary(fmt::format("{}.tmp-{}", m_path, ::getpid())) {}
    ~NewFolder() {
        std::error_code code;
        fs::remove_all(m_temporary, code);
    }
    NewFolder(const NewFolder&) = delete;
    NewFolder& operator=(const NewFolder&) = delete;

    /// Whether nothing stands in its place yet; an empty folder may.
    [[nodiscard]] Result<void> isFree() const {
        std::error_code code;
        if (!fs::exists(m_path, code))
            return {};
        const bool folder = fs::is_directory(m_path, code);
        if (!folder || !fs::is_empty(m_path, code))
            return make_unexpected(Error{ErrorCode::BadArgument,
                                         m_path,
                                         {},
                                         folder ? "is there already and not empty: give a new folder"
                                                : "is a file: give a new folder"});
        return {};
    }
    [[nodiscard]] bool add(const ReportFile& file) const {
        std::error_code code;
        fs::create_directories(fs::path(pathOf(file.path)).parent_path(), code);
        return writeText(pathOf(file.path), file.text);
    }
    [[nodiscard]] std::string pathOf(const std::string& name) const { return m_temporary + "/" + name; }
    [[nodiscard]] Result<void> finish() const {
        std::error_code code;
        fs::rename(m_temporary, m_path, code);
        if (code)
            return make_unexpected(
                Error{ErrorCode::Unreadable, m_path, {}, "cannot be written: " + code.message()});
        return {};
    }

private:
    std::string m_path;
    std::string m_temporary;
};

/// Without trailing slashes, so that a name can be put behind it.
std::string folderName(std::string path) {
    while (path.size() > 1 && path.ends_with('/'))
        path.pop_back();
    return path;
}

Result<std::string> analysisDocument(const ReportSubject& subject, const SectionArguments& sections,
                                     const std::vector<std::string>& paths) {
    AnalysisSelection selection;
    selection.firstStep = selection.lastStep = subject.step;
    auto more = sectionsOf(*subject.analysis, selection, sections, summaryTableFiles(paths));
    if (!more)
        return make_unexpected(more.error());
    selection.sections = std::move(more->json);
    return analysisJson(*subject.analysis, selection);
}

/// The user's rules: as given, else the session's.
std::string categoriesOf(const ReportArguments& arguments, const RunArgument& run) {
    return arguments.sections.categories.empty() && run.session ? run.session->categories
                                                                : arguments.sections.categories;
}

/// The run to compare with: as given, else the session's; empty: none.
std::vector<std::string> comparedWith(const ReportArguments& arguments, const RunArgument& run) {
    std::vector<std::string> paths = arguments.compare;
    if (paths.empty() && run.session)
        for (const SessionFile& file : run.session->comparison)
            paths.push_back(file.path);
    return paths;
}

ExitStatus runReport(const ReportArguments& arguments) {
    const NewFolder folder(folderName(arguments.output));
    if (auto free = folder.isFree(); !free)
        return fail(free.error());
    const auto run = resolveRun(arguments.paths);
    if (!run)
        return fail(run.error());
    ExitStatus status = ExitStatus::Done;
    const auto analysis = loadAnalysed(run->paths, arguments.threads, status);
    if (!analysis)
        return fail(analysis.error());
    Session session = run->session.value_or(Session());
    session.categories = categoriesOf(arguments, *run);
    if (arguments.step) {
        session.step = arguments.step;
        session.view.steps.clear();
    }
    const auto scoped = scopeOf(session, **analysis);
    if (!scoped)
        return fail(scoped.error());
    const ReportScope& scope = *scoped;
    const auto subject = reportSubject(*analysis, scope);
    if (!subject)
        return fail(subject.error());
    std::optional<ReportSubject> other;
    std::optional<Comparison> comparison;
    if (const auto paths = comparedWith(arguments, *run); !paths.empty()) {
        auto made = loadCompared(paths, arguments.threads, scope, status);
        if (!made)
            return fail(made.error());
        other = std::move(*made);
        comparison = compareSubjects(*subject, *other, Attribution::Sum);
    }
    std::vector<ReportFile> files =
        reportFiles(*subject, comparison ? &*comparison : nullptr, other ? &*other : nullptr,
                    run->session ? run->session->marks : std::vector<SessionMark>());
    auto document = analysisDocument(*subject, arguments.sections, run->paths);
    if (!document)
        return fail(document.error());
    files.push_back({"analysis.json", std::move(*document)});
    bool pictures = true;
    for (const ReportFile& file : files) {
        if (!folder.add(file))
            return ExitStatus::Unusable;
        if (endingOf(file.path) != "svg" || !pictures)
            continue;
        const std::string png = file.path.substr(0, file.path.size() - 3) + "png";
        if (auto drawn = drawPicture(file.text, folder.pathOf(png), 2); !drawn) {
            fmt::print(stderr, "warning: {}\n", drawn.error().message);
            pictures = false;
        }
    }
    if (auto finished = folder.finish(); !finished)
        return fail(finished.error());
    fmt::print("{}/index.html\n", folderName(arguments.output));
    return status;
}

} // namespace

void addReport(CLI::App& app, ExitStatus& status) {
    auto arguments = std::make_shared<ReportArguments>();
    CLI::App* command = app.add_subcommand("report", "A report as one HTML page, with its charts and tables");
    command
        ->add_option("RUN", arguments->paths,
                     "Trace files of one run, a folder of them, or a .lockstep session")
        ->required();
    command->add_option("--compare", arguments->compare, "Another run to compare it with");
    command->add_option("--step", arguments->step, "This step alone, counted from 0");
    command->add_option("--categories", arguments->sections.categories,
                        "Category rules over the built-in ones");
    command->add_option("--model", arguments->sections.model, "Model, for the HBM efficiency");
    command->add_option("--hardware", arguments->sections.hardware, "GPU, or its bandwidth (1792GB/s)");
    command->add_option("-o,--output", arguments->output, "The folder to make")->required();
    command->add_option("--threads", arguments->threads, "Files read at once; 0: one a core");
    command->callback([arguments, &status] {
        status = runReport(*arguments);
    });
}

} // namespace lockstep::cli
