#include "model/run/stepsources.h"

#include "model/run/run.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace lockstep {

namespace {

constexpr std::uint32_t kNone = RankActivities::kNone;

using Places = std::vector<std::uint32_t>;

/// Where one name occurs, and how evenly.
struct Beat {
    StringId name;
    Places at;
    std::uint32_t spacing = 0; ///< activities between occurrences: the median
    bool even = false;
};

/// An even beat covers the capture, and most of its spacings are alike.
void measure(Beat& beat, std::size_t activities) {
    std::vector<std::uint32_t> spacings;
    for (std::size_t i = 1; i < beat.at.size(); ++i)
        spacings.push_back(beat.at[i] - beat.at[i - 1]);
    std::sort(spacings.begin(), spacings.end());
    beat.spacing = spacings[spacings.size() / 2];
    const std::uint32_t slack = std::max(2u, beat.spacing / 5);
    const auto alike =
        static_cast<std::size_t>(std::count_if(spacings.begin(), spacings.end(), [&](std::uint32_t spacing) {
            return spacing + slack >= beat.spacing && spacing <= beat.spacing + slack;
        }));
    const std::size_t covered = static_cast<std::size_t>(beat.spacing) * beat.at.size();
    beat.even = alike * 10 >= spacings.size() * 7 && covered * 10 >= activities * 7 && beat.spacing > 1;
}

std::vector<Beat> beatsOf(const RankView& view) {
    std::vector<std::uint32_t> counts(view.rank.strings->size(), 0);
    for (std::size_t i = 0; i < view.activities.size(); ++i)
        if (view.name(i).valid())
            ++counts[view.name(i).index()];
    // What occurs oftener than in every fourth activity parts nothing.
    const auto most = static_cast<std::uint32_t>(view.activities.size() / 4);
    std::vector<std::uint32_t> beatOf(counts.size(), kNone);
    std::vector<Beat> beats;
    for (std::size_t i = 0; i < view.activities.size(); ++i) {
        const StringId name = view.name(i);
        if (!name.valid() || counts[name.index()] < 2 || counts[name.index()] > most)
            continue;
        if (beatOf[name.index()] == kNone) {
            beatOf[name.index()] = static_cast<std::uint32_t>(beats.size());
            beats.push_back({name, {}, 0, false});
            beats.back().at.reserve(counts[name.index()]);
        }
        beats[beatOf[name.index()]].at.push_back(static_cast<std::uint32_t>(i));
    }
    for (Beat& beat : beats)
        measure(beat, view.activities.size());
    std::erase_if(beats, [](const Beat& beat) {
        return !beat.even;
    });
    return beats;
}

/// The beats of the slowest rhythm that at least two names share: once a step. One name alone may be chance.
std::vector<const Beat*> slowestBeats(const std::vector<Beat>& beats) {
    std::map<std::size_t, std::vector<const Beat*>> byCount;
    for (const Beat& beat : beats)
        byCount[beat.at.size()].push_back(&beat);
    for (auto at = byCount.begin(); at != byCount.end(); ++at) {
        std::vector<const Beat*> shared = at->second;
        // A capture cut in mid-step holds some names once more than others.
        if (const auto next = byCount.find(at->first + 1); next != byCount.end() && at->first > 2)
            shared.insert(shared.end(), next->second.begin(), next->second.end());
        if (shared.size() >= 2)
            return shared;
    }
    for (const auto& [count, shared] : byCount)
        if (count >= 3)
            return shared;
    return {};
}

/// The median time that the GPU stands idle after the occurrences of a beat.
TimeNs idleAfter(const Beat& beat, const RankView& view, const std::vector<TimeNs>& endUpTo) {
    std::vector<TimeNs> idle;
    for (const std::uint32_t at : beat.at)
        if (at + 1 < view.activities.size())
            idle.push_back(view.begin(at + 1) - endUpTo[at]);
    if (idle.empty())
        return 0;
    const auto middle = idle.begin() + static_cast<std::ptrdiff_t>(idle.size() / 2);
    std::nth_element(idle.begin(), middle, idle.end());
    return *middle;
}

/// The activity that ends a step: the copy of the sampled tokens to the host, else what the longest idle time
/// follows.
const Beat& boundaryOf(const std::vector<const Beat*>& beats, const RankView& view, StringId preferred) {
    std::vector<TimeNs> endUpTo(view.activities.size());
    for (std::size_t i = 0; i < endUpTo.size(); ++i)
        endUpTo[i] = i > 0 ? std::max(endUpTo[i - 1], view.end(i)) : view.end(i);
    const Beat* best = beats.front();
    TimeNs bestIdle = -1;
    for (const Beat* beat : beats) {
        if (beat->name == preferred)
            return *beat;
        TimeNs idle = idleAfter(*beat, view, endUpTo);
        const std::string_view name = view.rank.strings->view(beat->name);
        if (name.find("DtoH") != std::string_view::npos || name.find("Device -> P") != std::string_view::npos)
            idle *= 4;
        if (idle > bestIdle) {
            bestIdle = idle;
            best = beat;
        }
    }
    return *best;
}

} // namespace

LocalSteps stepsByPeriod(const RankView& view, StringId preferred) {
    LocalSteps found;
    found.source = StepSource::Period;
    found.stepOf.assign(view.activities.size(), kNone);
    const std::vector<Beat> beats = beatsOf(view);
    const std::vector<const Beat*> slowest = slowestBeats(beats);
    if (slowest.empty())
        return found;
    const Beat& boundary = boundaryOf(slowest, view, preferred);
    found.boundary = boundary.name;
    // The ends of the capture hold whole steps, or pieces that belong to none.
    const auto whole = [&](std::uint32_t from, std::uint32_t to) {
        return (to - from) * 10 >= boundary.spacing * 9;
    };
    std::uint32_t from = 0;
    std::vector<std::uint32_t> ends;
    for (const std::uint32_t at : boundary.at)
        ends.push_back(at + 1);
    if (ends.back() < view.activities.size())
        ends.push_back(static_cast<std::uint32_t>(view.activities.size()));
    for (std::size_t k = 0; k < ends.size(); ++k) {
        const bool edge = k == 0 || ends[k] > boundary.at.back() + 1;
        if (!edge || whole(from, ends[k])) {
            std::fill(found.stepOf.begin() + from, found.stepOf.begin() + ends[k],
                      static_cast<std::uint32_t>(found.steps.size()));
            found.steps.emplace_back();
            found.steps.back().name = "period";
        }
        from = ends[k];
    }
    finishSteps(view, found);
    return found;
}

} // namespace lockstep
