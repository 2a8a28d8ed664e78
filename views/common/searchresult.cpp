#include "views/common/searchresult.h"

#include "views/common/format.h"

#include <QRegularExpression>
#include <algorithm>

namespace lockstep {

namespace {

/// For each string of the pool whether it matches; a name is looked at once, however many events bear it.
std::vector<bool> matchingStrings(const StringPool& strings, const QRegularExpression& expression,
                                  const std::stop_token& stop) {
    std::vector<bool> matches(strings.size());
    for (std::size_t i = 0; i < matches.size() && !stop.stop_requested(); ++i)
        matches[i] = expression.match(traceText(strings.view(StringId{i}))).hasMatch();
    return matches;
}

} // namespace

bool SearchResult::isHit(EventRef event) const {
    return event.rank < byRank.size() &&
           std::binary_search(byRank[event.rank].begin(), byRank[event.rank].end(), event.event);
}

std::shared_ptr<const SearchResult> searchNames(const ShownRun& shown, const QString& pattern,
                                                const std::stop_token& stop) {
    auto result = std::make_shared<SearchResult>();
    result->pattern = pattern;
    const QRegularExpression expression(pattern, QRegularExpression::CaseInsensitiveOption);
    if (!expression.isValid()) {
        result->error = QStringLiteral("no regular expression: %1 at character %2")
                            .arg(expression.errorString())
                            .arg(expression.patternErrorOffset() + 1);
        return result;
    }
    result->byRank.resize(shown.ranks.size());
    const StringPool* searched = nullptr;
    std::vector<bool> matches;
    std::vector<std::pair<TimeNs, EventRef>> found;
    for (std::size_t r = 0; r < shown.ranks.size(); ++r) {
        const RankTrace& trace = *shown.ranks[r].trace;
        if (trace.strings.get() != searched) {
            matches = matchingStrings(*trace.strings, expression, stop);
            searched = trace.strings.get();
        }
        const std::span<const StringId> names = trace.events.names();
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (!names[i].valid() || !matches[names[i].index()])
                continue;
            const EventId event{i};
            result->byRank[r].push_back(event);
            result->totalNs += trace.events.duration(event);
            if (isGpuActivity(trace.events.kind(event))) {
                ++result->gpuHits;
                result->gpuNs += trace.events.duration(event);
            }
            found.emplace_back(shown.ranks[r].clock.toRunTime(trace.events.begin(event)), EventRef{r, event});
        }
        if (stop.stop_requested())
            return nullptr;
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return a.first < b.first;
    });
    result->hits.reserve(found.size());
    for (const auto& [at, event] : found)
        result->hits.push_back(event);
    return result;
}

} // namespace lockstep
