#include "model/report/sessionscope.h"

#include "model/analysis/timetext.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockstep {

namespace {

Error nothingLeft(const char* what) {
    return Error{ErrorCode::BadArgument, {}, {}, fmt::format("the filters leave no {}: take one away", what)};
}

std::optional<TimeRange> rangeOf(const SessionFilters& filters) {
    return filters.beginNs && filters.endNs && *filters.beginNs < *filters.endNs
               ? std::optional(TimeRange{*filters.beginNs, *filters.endNs})
               : std::nullopt;
}

/// The steps that are left: chosen by hand, else in the time filter, else the typical ones; decode only where
/// that is asked for. Empty, and no error, where nothing narrows them.
Result<std::vector<std::uint32_t>> stepsOf(const Session& session, const RunAnalysis& analysis) {
    const std::optional<TimeRange> range = rangeOf(session.filters);
    std::vector<std::uint32_t> steps = session.view.steps;
    if (steps.empty() && !range && !session.filters.decodeOnly)
        return steps;
    if (steps.empty() && range) {
        for (std::uint32_t step = 0; step < analysis.steps.steps.size(); ++step)
            if (rangeOfStep(analysis, step).overlaps(*range))
                steps.push_back(step);
    } else if (steps.empty()) {
        steps = analysis.steps.typicalSteps();
    }
    std::erase_if(steps, [&](std::uint32_t step) {
        return step >= analysis.steps.steps.size() ||
               (session.filters.decodeOnly && analysis.steps.steps[step].kind != StepKind::Decode);
    });
    if (steps.empty() && !analysis.steps.steps.empty())
        return make_unexpected(nothingLeft("step"));
    return steps;
}

void sayFilters(const Session& session, const RunAnalysis& analysis, ReportScope& scope) {
    if (const auto range = rangeOf(session.filters)) {
        const TimeNs begin = beginOfRun(analysis);
        scope.filters.push_back(fmt::format("filter: steps that {} to {} touch",
                                            timeText(static_cast<double>(range->begin - begin)),
                                            timeText(static_cast<double>(range->end - begin))));
    }
    if (!scope.onlyCategories.empty())
        scope.filters.push_back(
            fmt::format("filter: categories {}", fmt::join(session.filters.categories, ", ")));
    if (!scope.streams.empty())
        scope.filters.push_back(fmt::format("filter: streams {}", fmt::join(scope.streams, ", ")));
    if (session.filters.decodeOnly)
        scope.filters.emplace_back("filter: decode steps only");
}

} // namespace

Result<ReportScope> scopeOf(const Session& session, const RunAnalysis& analysis) {
    ReportScope scope;
    scope.categoriesFile = session.categories;
    if (session.view.steps.empty())
        scope.step = session.step;
    if (!scope.step) {
        auto steps = stepsOf(session, analysis);
        if (!steps)
            return make_unexpected(steps.error());
        scope.steps = std::move(*steps);
    }
    const std::vector<int>& ranks = session.filters.ranks;
    for (std::size_t rank = 0; !ranks.empty() && rank < analysis.run->ranks.size(); ++rank)
        if (std::find(ranks.begin(), ranks.end(), analysis.run->ranks[rank].rank) != ranks.end())
            scope.ranks.push_back(rank);
    if (!ranks.empty() && scope.ranks.empty())
        return make_unexpected(nothingLeft("rank"));
    for (const std::string& stream : session.filters.streams) {
        std::int64_t number = 0;
        if (std::from_chars(stream.data(), stream.data() + stream.size(), number).ec == std::errc{})
            scope.streams.insert(number);
    }
    const auto rules = CategoryRules::load(session.categories);
    if (!rules)
        return make_unexpected(rules.error());
    for (const std::string& id : session.filters.categories)
        if (const auto category = rules->set.find(id))
            scope.onlyCategories.insert(*category);
    sayFilters(session, analysis, scope);
    return scope;
}

} // namespace lockstep
