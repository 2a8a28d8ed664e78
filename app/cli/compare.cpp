#include "app/cli/command.h"
#include "app/cli/loadsubject.h"
#include "model/analysis/comparison.h"
#include "model/analysis/comparisonhbm.h"
#include "model/analysis/runanalysis.h"
#include "model/report/comparisonreport.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <memory>

namespace lockstep::cli {

namespace {

struct CompareArguments {
    std::vector<std::string> a;
    std::vector<std::string> b;
    std::string modelA;
    std::string modelB;
    std::string hardwareA;
    std::string hardwareB;
    std::string json;
    std::string categories;
    std::string attribution = "sum";
    unsigned threads = 0;
};

/// What people call the run: the folder, or the file's name up to its rank.
std::string labelOf(const std::vector<std::string>& paths, const Run& run) {
    if (!run.name.empty())
        return run.name;
    return paths.empty() ? "run" : std::filesystem::path(paths.front()).filename().string();
}

/// Fills in the HBM efficiency where the user has named the model; false, and an error on stderr, where model
/// or hardware are not known.
bool addHbm(ComparisonSide& side, const CategorySet& set, const std::string& hardware) {
    if (side.model.empty())
        return true;
    const auto hbm = comparedHbm(*side.analysis, *side.categories, set, side.model, hardware);
    if (!hbm) {
        printError(hbm.error());
        return false;
    }
    side.hbm = *hbm;
    return true;
}

ExitStatus runCompare(const CompareArguments& arguments) {
    const Result<CategoryRules> rules = CategoryRules::load(arguments.categories);
    if (!rules) {
        printError(rules.error());
        return ExitStatus::Unusable;
    }
    ExitStatus status = ExitStatus::Done;
    const auto a = loadAnalysed(arguments.a, arguments.threads, status);
    if (!a) {
        printError(a.error());
        return ExitStatus::Unusable;
    }
    const auto b = loadAnalysed(arguments.b, arguments.threads, status);
    if (!b) {
        printError(b.error());
        return ExitStatus::Unusable;
    }
    const CategoryTable categoriesA = categorise(**a, *rules);
    const CategoryTable categoriesB = categorise(**b, *rules);
    ComparisonSide sideA;
    sideA.analysis = a->get();
    sideA.categories = &categoriesA;
    sideA.label = labelOf(arguments.a, *(*a)->run);
    sideA.model = arguments.modelA;
    ComparisonSide sideB;
    sideB.analysis = b->get();
    sideB.categories = &categoriesB;
    sideB.label = labelOf(arguments.b, *(*b)->run);
    sideB.model = arguments.modelB;
    if (!addHbm(sideA, rules->set, arguments.hardwareA) || !addHbm(sideB, rules->set, arguments.hardwareB))
        return ExitStatus::BadUsage;
    const Comparison comparison = compareRuns(
        sideA, sideB, rules->set, arguments.attribution == "wall" ? Attribution::Wall : Attribution::Sum);
    if (arguments.json != "-")
        std::fputs(comparisonText(comparison).c_str(), stdout);
    if (!arguments.json.empty() && !writeText(arguments.json, comparisonJson(comparison).dump(2) + "\n"))
        return ExitStatus::Unusable;
    return status;
}

} // namespace

void addCompare(CLI::App& app, ExitStatus& status) {
    auto arguments = std::make_shared<CompareArguments>();
    CLI::App* command = app.add_subcommand("compare", "Two runs side by side: what differs, and by how much");
    command->add_option("--a", arguments->a, "One run: its trace files, or their folder")->required();
    command->add_option("--b", arguments->b, "The other run")->required();
    command->add_option("--model-a", arguments->modelA,
                        "The first run's model, for its HBM efficiency: a name or a JSON file");
    command->add_option("--model-b", arguments->modelB, "The second run's model, likewise");
    command->add_option("--hardware-a", arguments->hardwareA,
                        "The first run's GPU, or its bandwidth; else as traced");
    command->add_option("--hardware-b", arguments->hardwareB, "The second run's GPU, likewise");
    command
        ->add_option("--attribution", arguments->attribution,
                     "sum: durations added up; wall: shared wall time")
        ->check(CLI::IsMember({"sum", "wall"}));
    command->add_option("--categories", arguments->categories,
                        "Rules that extend or override the built-in ones");
    command->add_option("--json", arguments->json,
                        "Write the document here; - for stdout, and nothing else there");
    command->add_option("--threads", arguments->threads, "Files read at once; 0: one a core");
    command->callback([arguments, &status] {
        if (useSessionFiles(arguments->a, status) && useSessionFiles(arguments->b, status))
            status = runCompare(*arguments);
    });
}

} // namespace lockstep::cli
