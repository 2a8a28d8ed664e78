#include "model/run/sequencematch.h"

#include "model/run/robust.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace lockstep {

namespace {

using Items = std::span<const TimedItem>;

constexpr std::size_t kWindow = 48;     ///< items compared at once: about 24 layers
constexpr std::size_t kCandidates = 12; ///< kept a window
constexpr double kTightNs = 2'000;      ///< collectives of one rank rarely end closer to each other
constexpr double kLooseNs = 30'000;
constexpr double kLargestSpreadNs = 20'000; ///< more: the ranks do not synchronise
constexpr double kSameOffsetNs = 100'000;   ///< windows of one true offset differ by drift

/// Two items that may belong together, and how well their neighbours agree.
struct Candidate {
    std::size_t reference = 0;
    std::size_t own = 0;
    double offsetNs = 0;
    double spreadNs = 0;
};

double difference(Items reference, Items own, std::size_t i, std::size_t j) {
    return static_cast<double>(reference[i].end - own[j].end);
}

/// Better first; clocks that differ less are likelier where the fit is the same to 50 ns.
bool better(const Candidate& a, const Candidate& b) {
    const double stepA = std::floor(a.spreadNs / 50);
    const double stepB = std::floor(b.spreadNs / 50);
    return stepA != stepB ? stepA < stepB : std::abs(a.offsetNs) < std::abs(b.offsetNs);
}

Candidate measured(Items reference, Items own, std::size_t i, std::size_t j, std::size_t length) {
    std::vector<double> differences;
    differences.reserve(length);
    for (std::size_t k = 0; k < length; ++k)
        differences.push_back(difference(reference, own, i + k, j + k));
    Candidate candidate{i + length / 2, j + length / 2, medianOf(differences), 0};
    candidate.spreadNs = deviationOf(differences, candidate.offsetNs);
    return candidate;
}

/// A look at six of the window's places: most must agree within `limit`.
bool mayFit(Items reference, Items own, std::size_t i, std::size_t j, std::size_t length, double limit) {
    if (reference[i].key != own[j].key || reference[i + length - 1].key != own[j + length - 1].key)
        return false;
    std::array<double, 6> seen{};
    for (std::size_t k = 0; k < seen.size(); ++k) {
        const std::size_t at = k * (length - 1) / (seen.size() - 1);
        seen[k] = difference(reference, own, i + at, j + at);
    }
    std::sort(seen.begin(), seen.end());
    return seen[4] - seen[1] <= limit;
}

/// Adds the places of `reference` that the window of `own` at `j` fits best.
void addWindow(Items reference, Items own, std::size_t j, std::size_t length, std::vector<Candidate>& all) {
    std::vector<Candidate> best;
    const auto tryAt = [&](std::size_t i) {
        // What fits far worse than the best so far need not be measured.
        const double limit = best.empty() ? kLooseNs : 4 * best.front().spreadNs + kTightNs / 2;
        if (!mayFit(reference, own, i, j, length, std::min(limit, kLooseNs)))
            return;
        const Candidate candidate = measured(reference, own, i, j, length);
        const auto place = std::upper_bound(best.begin(), best.end(), candidate, better);
        if (place == best.end() && best.size() >= kCandidates)
            return;
        best.insert(place, candidate);
        if (best.size() > kCandidates)
            best.pop_back();
    };
    // Clocks that agree show the right place first, and then nearly all others are passed over quickly.
    const std::size_t places = reference.size() - length + 1;
    const auto nearest = std::lower_bound(reference.begin(), reference.end(), own[j].end,
                                          [](const TimedItem& item, TimeNs end) {
                                              return item.end < end;
                                          });
    const auto middle = std::min(static_cast<std::size_t>(nearest - reference.begin()), places - 1);
    for (std::size_t i = middle; i < places && i < middle + 2; ++i)
        tryAt(i);
    for (std::size_t i = 0; i < places; ++i)
        if (i != middle && i != middle + 1)
            tryAt(i);
    all.insert(all.end(), best.begin(), best.end());
}

/// Where `own`'s rhythm is least like itself: the gap that differs most from the gap next to it in length.
std::size_t strangestGap(Items own) {
    std::vector<std::pair<TimeNs, std::size_t>> gaps;
    gaps.reserve(own.size());
    for (std::size_t j = 1; j < own.size(); ++j)
        gaps.emplace_back(own[j].end - own[j - 1].end, j);
    std::sort(gaps.begin(), gaps.end());
    TimeNs strangest = -1;
    std::size_t at = own.size() / 2;
    for (std::size_t k = 0; k < gaps.size(); ++k) {
        const TimeNs below = k > 0 ? gaps[k].first - gaps[k - 1].first : gaps[k].first;
        const TimeNs above = k + 1 < gaps.size() ? gaps[k + 1].first - gaps[k].first : below;
        // The first gaps of a capture are strange on one rank only.
        if (std::min(below, above) > strangest && gaps[k].second > 2) {
            strangest = std::min(below, above);
            at = gaps[k].second;
        }
    }
    return at;
}

std::vector<Candidate> candidates(Items reference, Items own) {
    const std::size_t length = std::min({kWindow, reference.size(), own.size()});
    const std::size_t room = own.size() - length;
    std::vector<std::size_t> places{room / 8, room * 3 / 8, room * 5 / 8, room * 7 / 8};
    const std::size_t strange = strangestGap(own);
    places.push_back(std::min(room, strange > length / 2 ? strange - length / 2 : 0));
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    std::vector<Candidate> all;
    for (const std::size_t place : places)
        addWindow(reference, own, place, length, all);
    all.push_back(measured(reference, own, 0, 0, length));
    all.push_back(measured(reference, own, reference.size() - length, room, length));
    std::sort(all.begin(), all.end(), better);
    std::vector<Candidate> distinct;
    for (const Candidate& candidate : all) {
        const bool known = std::any_of(distinct.begin(), distinct.end(), [&](const Candidate& other) {
            return std::abs(other.offsetNs - candidate.offsetNs) < kSameOffsetNs &&
                   other.reference - other.own == candidate.reference - candidate.own;
        });
        if (!known && distinct.size() < 2 * kCandidates)
            distinct.push_back(candidate);
    }
    return distinct;
}

/// Walks both sequences from one pair in one direction, pairing items whose ends agree.
void walk(Items reference, Items own, std::size_t i, std::size_t j, bool forward, double offset,
          double tolerance, std::vector<std::int32_t>& pairs) {
    double shift = 0; // what the offset has moved by since the first pair
    const auto base = static_cast<TimeNs>(std::llround(offset));
    while (i < reference.size() && j < own.size()) {
        const double away = static_cast<double>(reference[i].end - own[j].end - base) - shift;
        const bool close = std::abs(away) <= tolerance;
        if (close && reference[i].key == own[j].key) {
            pairs[j] = static_cast<std::int32_t>(i);
            shift += away / 8;
        }
        // Going backwards, unsigned places wrap to beyond the end and stop the loop.
        const bool moveReference = close || (away < 0) == forward;
        const bool moveOwn = close || !moveReference;
        const std::size_t stride = forward ? 1 : static_cast<std::size_t>(-1);
        i += moveReference ? stride : 0;
        j += moveOwn ? stride : 0;
    }
}

std::vector<std::int32_t> closePairs(Items reference, Items own, const SequenceOffset& at) {
    std::vector<std::int32_t> pairs(own.size(), -1);
    const double tolerance = std::clamp(12 * at.spreadNs, kTightNs, kLooseNs);
    const double offset = at.offsetNs + at.driftPpm * 1e-6 * static_cast<double>(own[at.own].end - at.midNs);
    walk(reference, own, at.reference, at.own, true, offset, tolerance, pairs);
    if (at.reference > 0 && at.own > 0)
        walk(reference, own, at.reference - 1, at.own - 1, false, offset, tolerance, pairs);
    return pairs;
}

/// Offset, drift and spread through the pairs.
SequenceOffset fitted(Items reference, Items own, const std::vector<std::int32_t>& pairs,
                      const SequenceOffset& start) {
    std::vector<double> x;
    std::vector<double> y;
    const TimeNs origin = own.front().end;
    const TimeNs base = static_cast<TimeNs>(std::llround(start.offsetNs));
    for (std::size_t j = 0; j < pairs.size(); ++j) {
        if (pairs[j] < 0)
            continue;
        x.push_back(static_cast<double>(own[j].end - origin));
        y.push_back(
            static_cast<double>(reference[static_cast<std::size_t>(pairs[j])].end - own[j].end - base));
    }
    SequenceOffset fit = start;
    fit.matched = x.size();
    if (x.empty())
        return fit;
    std::vector<double> values = y;
    const double median = medianOf(values);
    fit.spreadNs = deviationOf(y, median);
    fit.offsetNs = static_cast<double>(base) + median;
    fit.driftPpm = 0;
    fit.midNs = origin + static_cast<TimeNs>((x.front() + x.back()) / 2);
    const RobustLine line = robustLine(x, y);
    if (x.size() >= 16 && std::abs(line.slope) * 1e6 < kMostDriftPpm &&
        std::abs(line.slope) * (x.back() - x.front()) > 2 * fit.spreadNs + 1'000) {
        fit.driftPpm = line.slope * 1e6;
        fit.offsetNs =
            static_cast<double>(base) + line.intercept + line.slope * static_cast<double>(fit.midNs - origin);
        for (std::size_t k = 0; k < x.size(); ++k)
            y[k] -= line.intercept + line.slope * x[k];
        fit.spreadNs = deviationOf(y, 0);
    }
    return fit;
}

/// Sequence numbers say which belong together, whatever the clocks.
std::optional<SequenceOffset> offsetBySequence(Items reference, Items own) {
    std::map<std::pair<std::uint32_t, std::int64_t>, std::size_t> places;
    for (std::size_t i = 0; i < reference.size(); ++i)
        if (reference[i].sequence >= 0)
            places.emplace(std::pair(reference[i].key, reference[i].sequence), i);
    std::vector<std::int32_t> pairs(own.size(), -1);
    SequenceOffset start;
    std::size_t found = 0;
    for (std::size_t j = 0; j < own.size() && !places.empty(); ++j) {
        const auto at = places.find({own[j].key, own[j].sequence});
        if (own[j].sequence < 0 || at == places.end())
            continue;
        pairs[j] = static_cast<std::int32_t>(at->second);
        if (found++ == 0)
            start.offsetNs = difference(reference, own, at->second, j);
        start.reference = at->second;
        start.own = j;
    }
    if (found < 3)
        return std::nullopt;
    const SequenceOffset fit = fitted(reference, own, pairs, start);
    return fit.spreadNs <= kLargestSpreadNs ? std::optional(fit) : std::nullopt;
}

/// Where ends agree far more closely, ranks truly left together; a wrong shift by whole layers or steps fits
/// loosely, even if it lets more of both captures overlap. Among equally close fits more pairs win, then the
/// smaller shift of clocks.
bool preferred(const SequenceOffset& a, const SequenceOffset& b) {
    constexpr double kFloorNs = 100; // below, it is chance which fits closer
    constexpr std::size_t kEnough = 12;
    const double spreadA = std::max(a.spreadNs, kFloorNs);
    const double spreadB = std::max(b.spreadNs, kFloorNs);
    if (spreadA * 3 < spreadB && a.matched >= kEnough && a.matched * 5 >= b.matched)
        return true;
    if (spreadB * 3 < spreadA && b.matched >= kEnough && b.matched * 5 >= a.matched)
        return false;
    const double margin = 0.01 * static_cast<double>(std::max(a.matched, b.matched));
    const double more = static_cast<double>(a.matched) - static_cast<double>(b.matched);
    if (std::abs(more) > margin)
        return more > 0;
    if (std::abs(spreadA - spreadB) > 0.5 * std::min(spreadA, spreadB))
        return spreadA < spreadB;
    return std::abs(a.offsetNs) < std::abs(b.offsetNs);
}

/// Pairs what stands between two pairs on both sides in equal number and kind.
void pairBetween(Items reference, Items own, std::vector<std::int32_t>& pairs) {
    std::size_t j = 0;
    std::size_t nextReference = 0;
    while (j < pairs.size()) {
        if (pairs[j] >= 0) {
            nextReference = static_cast<std::size_t>(pairs[j]) + 1;
            ++j;
            continue;
        }
        std::size_t end = j;
        while (end < pairs.size() && pairs[end] < 0)
            ++end;
        const std::size_t endReference =
            end < pairs.size() ? static_cast<std::size_t>(pairs[end]) : nextReference + (end - j);
        // At the ends of a capture nothing says how many are missing, except where one rank holds no more.
        const bool bounded = (end < pairs.size() && (j > 0 || endReference == end)) ||
                             (end == pairs.size() && reference.size() == endReference);
        bool same = bounded && endReference <= reference.size() && endReference - nextReference == end - j;
        for (std::size_t k = j; same && k < end; ++k)
            same = reference[nextReference + (k - j)].key == own[k].key;
        for (std::size_t k = j; same && k < end; ++k)
            pairs[k] = static_cast<std::int32_t>(nextReference + (k - j));
        j = end;
    }
}

} // namespace

std::optional<SequenceOffset> findOffset(std::span<const TimedItem> reference,
                                         std::span<const TimedItem> own) {
    if (reference.empty() || own.empty())
        return std::nullopt;
    if (const auto known = offsetBySequence(reference, own))
        return known;
    std::optional<SequenceOffset> best;
    for (const Candidate& candidate : candidates(reference, own)) {
        SequenceOffset start;
        start.offsetNs = candidate.offsetNs;
        start.spreadNs = candidate.spreadNs;
        start.reference = candidate.reference;
        start.own = candidate.own;
        start.midNs = own[candidate.own].end;
        const SequenceOffset fit = fitted(reference, own, closePairs(reference, own, start), start);
        if (!best || preferred(fit, *best))
            best = fit;
    }
    const std::size_t fewer = std::min(reference.size(), own.size());
    if (!best || best->spreadNs > kLargestSpreadNs || best->matched < std::min<std::size_t>(3, fewer) ||
        best->matched * 4 < fewer)
        return std::nullopt;
    return best;
}

std::vector<std::int32_t> pairByTime(std::span<const TimedItem> reference, std::span<const TimedItem> own,
                                     const SequenceOffset& offset) {
    if (reference.empty() || own.empty())
        return std::vector<std::int32_t>(own.size(), -1);
    std::vector<std::int32_t> pairs = closePairs(reference, own, offset);
    pairBetween(reference, own, pairs);
    return pairs;
}

} // namespace lockstep
