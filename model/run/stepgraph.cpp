#include "model/run/stepsources.h"

#include "model/run/run.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

namespace lockstep {

namespace {

constexpr std::uint32_t kNone = RankActivities::kNone;
constexpr std::uint32_t kSmallestGraph = 16; ///< kernels of one correlation that can only be a replay

/// What one call put on the GPU: a kernel, or the replay of a graph.
struct Launch {
    TimeRange call; ///< of the call; the activities' own time where it was not captured
    std::uint32_t kernels = 0;
    std::uint32_t attentions = 0;
    std::uint32_t collectives = 0;
    bool graph = false;
    std::uint32_t step = kNone;
};

bool isGraphLaunch(std::string_view name) {
    std::string lower(name);
    for (char& c : lower)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower.find("graphlaunch") != std::string::npos;
}

/// All launches, and for each activity the one that it came from.
struct Launches {
    std::vector<Launch> all;
    std::vector<std::uint32_t> of; ///< like RankView::activities
};

Launches collect(const RankView& view) {
    Launches launches;
    launches.of.reserve(view.activities.size());
    std::unordered_map<std::uint32_t, std::uint32_t> byCorrelation;
    std::uint32_t lastCorrelation = 0;
    std::uint32_t last = 0;
    for (std::size_t i = 0; i < view.activities.size(); ++i) {
        const std::uint32_t correlation = view.rank.events.correlation(view.activities[i]);
        const auto next = static_cast<std::uint32_t>(launches.all.size());
        if (correlation == 0 || correlation != lastCorrelation)
            last = correlation == 0 ? next : byCorrelation.emplace(correlation, next).first->second;
        lastCorrelation = correlation;
        if (last == next) {
            Launch launch;
            const EventId call = view.launches[i];
            launch.call =
                call.valid() ? view.rank.events.range(call) : TimeRange{view.begin(i), view.begin(i)};
            launch.graph = call.valid() && isGraphLaunch(view.rank.name(call));
            launches.all.push_back(launch);
        }
        Launch& launch = launches.all[last];
        launch.kernels += view.kernel(i) ? 1 : 0;
        launch.attentions += view.kernel(i) && view.names.attention(view.name(i)) ? 1 : 0;
        launch.collectives += view.kernel(i) && view.names.communication(view.name(i)) ? 1 : 0;
        launches.of.push_back(last);
    }
    for (Launch& launch : launches.all)
        launch.graph = launch.graph || launch.kernels >= kSmallestGraph;
    return launches;
}

/// Whether graphs like this one hold a whole step and not a piece of a layer.
bool holdsLayers(const Launch& graph, bool attentionElsewhere) {
    if (graph.attentions >= 2 || graph.collectives >= 4)
        return true;
    return !attentionElsewhere && graph.attentions == 0 && graph.kernels >= 100;
}

/// The gaps between neighbouring calls from `first` to `last`, both in order of call; the largest is where
/// one step's launches end and the next one's begin.
std::size_t largestGap(const std::vector<Launch>& all, const std::vector<std::uint32_t>& order,
                       std::size_t first, std::size_t last, TimeNs& gap) {
    std::size_t at = first;
    gap = -1;
    TimeNs end = all[order[first]].call.begin;
    for (std::size_t k = first; k < last; ++k) {
        end = std::max(end, all[order[k]].call.end);
        const TimeNs between = all[order[k + 1]].call.begin - end;
        if (between > gap) {
            gap = between;
            at = k;
        }
    }
    return at;
}

/// Gives each launch between two replays to the step that it stands closer to; beyond the first and the last
/// replay only what follows closely.
void assignAround(std::vector<Launch>& all, const std::vector<std::uint32_t>& order,
                  const std::vector<std::size_t>& replays) {
    std::vector<TimeNs> gaps;
    for (std::size_t r = 0; r + 1 < replays.size(); ++r) {
        TimeNs gap = 0;
        const std::size_t split = largestGap(all, order, replays[r], replays[r + 1], gap);
        for (std::size_t k = replays[r] + 1; k < replays[r + 1]; ++k)
            all[order[k]].step = static_cast<std::uint32_t>(k <= split ? r : r + 1);
        gaps.push_back(gap);
    }
    std::sort(gaps.begin(), gaps.end());
    const TimeNs near = gaps.empty() ? 0 : gaps[gaps.size() / 2] / 2;
    for (std::size_t k = replays.front(); k > 0; --k) {
        if (all[order[k]].call.begin - all[order[k - 1]].call.end > near)
            break;
        all[order[k - 1]].step = 0;
    }
    for (std::size_t k = replays.back(); k + 1 < order.size(); ++k) {
        if (all[order[k + 1]].call.begin - all[order[k]].call.end > near)
            break;
        all[order[k + 1]].step = static_cast<std::uint32_t>(replays.size() - 1);
    }
}

/// The parts of a step that has more than one graph.
void nameParts(const std::vector<Launch>& all, const std::vector<std::uint32_t>& order,
               std::vector<LocalStep>& steps) {
    for (const std::uint32_t launch : order)
        if (all[launch].graph && all[launch].step != kNone)
            steps[all[launch].step].parts.push_back(
                {fmt::format("graph {}", steps[all[launch].step].parts.size() + 1), all[launch].kernels});
    for (LocalStep& step : steps)
        if (step.parts.size() < 2)
            step.parts.clear();
}

} // namespace

LocalSteps stepsByGraphLaunch(const RankView& view) {
    LocalSteps found;
    found.source = StepSource::GraphLaunch;
    found.stepOf.assign(view.activities.size(), kNone);
    Launches launches = collect(view);
    std::uint32_t largest = 0;
    std::uint32_t eagerAttentions = 0;
    for (const Launch& launch : launches.all) {
        largest = std::max(largest, launch.graph ? launch.kernels : 0u);
        eagerAttentions += launch.graph ? 0 : launch.attentions;
    }
    std::vector<std::uint32_t> order(launches.all.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return launches.all[a].call.begin < launches.all[b].call.begin;
    });
    std::vector<std::size_t> replays;
    std::size_t inReplays = 0;
    std::size_t kernels = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
        Launch& launch = launches.all[order[k]];
        kernels += launch.kernels;
        if (!launch.graph || launch.kernels * 2 < largest || !holdsLayers(launch, eagerAttentions > 0))
            continue;
        launch.step = static_cast<std::uint32_t>(replays.size());
        inReplays += launch.kernels;
        replays.push_back(k);
    }
    if (replays.empty() || inReplays * 3 < kernels)
        return found;
    assignAround(launches.all, order, replays);
    found.steps.resize(replays.size());
    for (LocalStep& step : found.steps)
        step.name = "graph replay";
    nameParts(launches.all, order, found.steps);
    for (std::size_t i = 0; i < found.stepOf.size(); ++i)
        found.stepOf[i] = launches.all[launches.of[i]].step;
    finishSteps(view, found);
    return found;
}

} // namespace lockstep
