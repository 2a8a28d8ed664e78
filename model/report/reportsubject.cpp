#include "model/report/reportsubject.h"

#include "model/analysis/comparisonsubject.h"
#include "model/core/resource.h"
#include "model/core/sha256.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace lockstep {

namespace {

constexpr std::size_t kShortHash = 16;

std::string fileName(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

std::string versionOf(const ReportScope& scope) {
    std::string version =
        "built-in " + sha256Of(builtinResource("categories.json")).substr(0, kShortHash) + "…";
    if (scope.rules)
        version += ", edited";
    else if (!scope.categoriesFile.empty())
        version += fmt::format(" with {} {}…", fileName(scope.categoriesFile),
                               sha256OfFile(scope.categoriesFile).substr(0, kShortHash));
    return version;
}

std::string damageOf(const ImportReport& report) {
    std::vector<std::string> parts;
    if (report.truncated)
        parts.emplace_back("cut");
    if (report.skipped > 0)
        parts.push_back(fmt::format("{} events skipped", report.skipped));
    if (report.repaired > 0)
        parts.push_back(fmt::format("{} repaired", report.repaired));
    return parts.empty() && report.damaged() ? "damaged" : fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<ReportSource> sourcesOf(const Run& run) {
    std::vector<ReportSource> sources;
    std::set<std::string> seen;
    for (const RankTrace& rank : run.ranks)
        if (seen.insert(rank.report.file).second)
            sources.push_back(
                {fileName(rank.report.file), sha256OfFile(rank.report.file), damageOf(rank.report)});
    return sources;
}

/// "0–3, 6" of ascending numbers.
std::string numbersText(const std::vector<std::int64_t>& numbers) {
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
            ++last;
        text += fmt::format("{}{}", text.empty() ? "" : ", ", numbers[i]);
        if (last > i)
            text += fmt::format("–{}", numbers[last]);
        i = last + 1;
    }
    return text;
}

std::string stepsText(const ReportSubject& subject, const ProvenanceOf& what) {
    const std::size_t all = subject.analysis->steps.steps.size();
    using Over = ProvenanceOf::Over;
    if (what.over == Over::Everything || (what.over == Over::Capture && subject.selection.steps.empty()))
        return fmt::format("the whole capture, {} steps", all);
    if (subject.step)
        return fmt::format("step {} of {}", *subject.step, all);
    if (what.step)
        return fmt::format("step {} of {}, the typical one of median length", *what.step, all);
    if (subject.selection.steps.empty())
        return fmt::format("{} typical steps of {}", subject.sum.steps.size(), all);
    return fmt::format("steps {} of {}",
                       numbersText({subject.selection.steps.begin(), subject.selection.steps.end()}), all);
}

std::string ranksText(const ReportSubject& subject, const ProvenanceOf& what) {
    const std::size_t all = subject.analysis->run->ranks.size();
    if (what.over == ProvenanceOf::Over::Everything || subject.selection.ranks.empty() ||
        subject.selection.ranks.size() == all)
        return fmt::format("{} {}", all, all == 1 ? "rank" : "ranks");
    std::vector<std::int64_t> numbers;
    for (const std::size_t rank : subject.selection.ranks)
        numbers.push_back(subject.analysis->run->ranks[rank].rank);
    std::sort(numbers.begin(), numbers.end());
    return fmt::format("ranks {} of {}", numbersText(numbers), all);
}

} // namespace

Result<ReportSubject> reportSubject(std::shared_ptr<const RunAnalysis> analysis, const ReportScope& scope) {
    const std::size_t count = analysis->steps.steps.size();
    if (scope.step && *scope.step >= count)
        return make_unexpected(
            Error{ErrorCode::BadArgument,
                  {},
                  {},
                  count == 0 ? fmt::format("there is no step {}: no step was found in this run", *scope.step)
                             : fmt::format("there is no step {}: this run has {} steps, counted from 0",
                                           *scope.step, count)});
    auto rules =
        scope.rules ? Result<CategoryRules>(*scope.rules) : CategoryRules::load(scope.categoriesFile);
    if (!rules)
        return make_unexpected(rules.error());
    ReportSubject subject;
    subject.rules = std::move(*rules);
    subject.categories = categorise(*analysis, subject.rules);
    subject.step = scope.step;
    subject.filters = scope.filters;
    subject.selection.ranks = scope.ranks;
    subject.selection.steps = scope.step ? std::vector{*scope.step} : scope.steps;
    subject.selection.only =
        activityFilter(*analysis, subject.categories, scope.streams, scope.onlyCategories);
    subject.sum =
        breakdownOf(*analysis, subject.rules.set, subject.categories, Attribution::Sum, subject.selection);
    subject.wall =
        breakdownOf(*analysis, subject.rules.set, subject.categories, Attribution::Wall, subject.selection);
    subject.categoriesVersion = versionOf(scope);
    subject.sources = sourcesOf(*analysis->run);
    subject.analysis = std::move(analysis);
    return subject;
}

std::optional<std::uint32_t> shownStep(const ReportSubject& subject) {
    if (subject.step)
        return subject.step;
    const StepTable& table = subject.analysis->steps;
    const auto median = medianStep(
        *subject.analysis, subject.selection.steps.empty() ? table.typicalSteps() : subject.selection.steps);
    return median || table.steps.empty() ? median : std::optional<std::uint32_t>(0);
}

Comparison compareSubjects(const ReportSubject& a, const ReportSubject& b, Attribution attribution) {
    const auto sideOf = [](const ReportSubject& subject) {
        ComparisonSide side;
        side.analysis = subject.analysis.get();
        side.categories = &subject.categories;
        side.selection = subject.selection;
        return side;
    };
    return compareRuns(sideOf(a), sideOf(b), a.rules.set, attribution);
}

std::vector<std::string> provenanceOf(const ReportSubject& subject, const ProvenanceOf& what) {
    std::vector<std::string> lines;
    for (const ReportSource& source : subject.sources) {
        const std::string hash = source.sha256.empty() ? "not readable"
                                 : what.wholeHashes    ? source.sha256
                                                       : source.sha256.substr(0, kShortHash) + "…";
        lines.push_back(fmt::format("{} sha256 {}{}", source.name, hash,
                                    source.damage.empty() ? "" : " (" + source.damage + ")"));
    }
    std::string line = portraitOf(*subject.analysis).synthetic ? "synthetic run; " : "";
    line += stepsText(subject, what) + ", " + ranksText(subject, what);
    if (what.over != ProvenanceOf::Over::Everything)
        for (const std::string& filter : subject.filters)
            line += "; " + filter;
    if (what.attribution)
        line += *what.attribution == Attribution::Sum ? "; attribution sum" : "; attribution wall";
    lines.push_back(line +
                    fmt::format("; categories {}; Lockstep {}", subject.categoriesVersion, LOCKSTEP_VERSION));
    return lines;
}

} // namespace lockstep
