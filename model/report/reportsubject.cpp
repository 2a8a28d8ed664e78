#include "model/report/reportsubject.h"

#include "model/core/resource.h"
#include "model/core/sha256.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace lockstep {

namespace {

std::string shortHash(const std::string& hash) {
    return hash.empty() ? "not readable" : hash.substr(0, 16);
}

std::string fileName(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

TimeNs wallOf(const RunAnalysis& analysis, std::uint32_t step) {
    TimeNs wall = 0;
    for (const RankStep& rank : analysis.steps.steps[step].ranks)
        wall = std::max(wall, rank.present ? rank.wallNs() : 0);
    return wall;
}

} // namespace

Result<ReportSubject> reportSubject(std::shared_ptr<const RunAnalysis> analysis,
                                    const std::string& categoriesFile, std::optional<std::uint32_t> step) {
    if (step && *step >= analysis->steps.steps.size())
        return make_unexpected(Error{ErrorCode::BadArgument,
                                     {},
                                     {},
                                     fmt::format("there is no step {}: this run has {} steps, counted from 0",
                                                 *step, analysis->steps.steps.size())});
    auto rules = CategoryRules::load(categoriesFile);
    if (!rules)
        return make_unexpected(rules.error());
    ReportSubject subject;
    subject.rules = std::move(*rules);
    subject.categories = categorise(*analysis, subject.rules);
    subject.step = step;
    BreakdownSelection selection;
    if (step)
        selection.steps.push_back(*step);
    subject.sum = breakdownOf(*analysis, subject.rules.set, subject.categories, Attribution::Sum, selection);
    subject.wall =
        breakdownOf(*analysis, subject.rules.set, subject.categories, Attribution::Wall, selection);
    subject.categoriesVersion =
        fmt::format("built-in {}", shortHash(sha256Of(builtinResource("categories.json"))));
    if (!categoriesFile.empty())
        subject.categoriesVersion +=
            fmt::format(" with {} {}", fileName(categoriesFile), shortHash(sha256OfFile(categoriesFile)));
    std::set<std::string> files;
    for (const RankTrace& rank : analysis->run->ranks)
        if (files.insert(rank.report.file).second)
            subject.sources.push_back(fmt::format("{} sha256 {}", fileName(rank.report.file),
                                                  shortHash(sha256OfFile(rank.report.file))));
    subject.analysis = std::move(analysis);
    return subject;
}

std::optional<std::uint32_t> shownStep(const ReportSubject& subject) {
    if (subject.step)
        return subject.step;
    std::vector<std::uint32_t> steps = subject.analysis->steps.typicalSteps();
    if (steps.empty())
        for (std::uint32_t step = 0; step < subject.analysis->steps.steps.size(); ++step)
            steps.push_back(step);
    if (steps.empty())
        return std::nullopt;
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(wallOf(*subject.analysis, a), a) < std::pair(wallOf(*subject.analysis, b), b);
    });
    return *middle;
}

Comparison compareSubjects(const ReportSubject& a, const ReportSubject& b, Attribution attribution) {
    const auto sideOf = [](const ReportSubject& subject) {
        ComparisonSide side;
        side.analysis = subject.analysis.get();
        side.categories = &subject.categories;
        if (subject.step)
            side.selection.steps.push_back(*subject.step);
        return side;
    };
    return compareRuns(sideOf(a), sideOf(b), a.rules.set, attribution);
}

std::vector<std::string> provenanceOf(const ReportSubject& subject) {
    std::vector<std::string> lines = subject.sources;
    lines.push_back(fmt::format("{} of {} steps ({}), {} ranks; categories {}; Lockstep {}",
                                subject.sum.steps.size(), subject.analysis->steps.steps.size(),
                                subject.step ? fmt::format("step {}", *subject.step) : "typical",
                                subject.sum.ranks.size(), subject.categoriesVersion, LOCKSTEP_VERSION));
    return lines;
}

} // namespace lockstep
