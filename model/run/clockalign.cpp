#include "model/run/clockalign.h"

#include "model/run/collectives.h"
#include "model/run/robust.h"
#include "model/run/roughclock.h"
#include "model/run/run.h"
#include "model/run/steps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace lockstep {

namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kFewMatches = 8;      ///< fewer say little about an offset
constexpr std::size_t kFewForDrift = 64;    ///< fewer say nothing about a drift
constexpr double kDriftOverSpread = 1.4;    ///< a drift must move the clock by this many median deviations
constexpr double kLargeResidualNs = 10'000; ///< more: no clock to read waits from

/// Ends of matched synchronising collectives on the rough clocks, relative to a common origin, so that a
/// double holds them to the nanosecond.
struct EndMatrix {
    std::size_t ranks = 0;
    std::vector<double> ends; ///< a row of ranks for each collective; NaN: no member
    TimeNs origin = 0;        ///< on the first rank's clock
    double middle = 0;        ///< of the rows' time

    [[nodiscard]] std::size_t rows() const { return ranks == 0 ? 0 : ends.size() / ranks; }
    [[nodiscard]] double at(std::size_t row, std::size_t rank) const { return ends[row * ranks + rank]; }
};

EndMatrix endsOf(const Run& run, const StepTable& steps, const CollectiveTable& collectives) {
    EndMatrix matrix;
    matrix.ranks = run.ranks.size();
    bool first = true;
    for (std::size_t i = 0; i < collectives.matched.size(); ++i) {
        const CollectiveGroup& group = collectives.groups[collectives.matched[i].group];
        if (!synchronises(group.kind) &&
            !(group.kind == CollectiveKind::Other && group.backend == CollectiveBackend::Nccl))
            continue;
        for (std::size_t rank = 0; rank < matrix.ranks; ++rank) {
            const CollectiveCall* call = collectives.callOf(i, rank);
            if (call == nullptr) {
                matrix.ends.push_back(kAbsent);
                continue;
            }
            const TimeNs end = onFirstClock(steps.clocks[rank], run.ranks[rank].events.end(call->event));
            if (first)
                matrix.origin = end;
            first = false;
            matrix.ends.push_back(static_cast<double>(end - matrix.origin));
        }
    }
    double least = 0;
    double most = 0;
    for (const double end : matrix.ends) {
        if (std::isnan(end))
            continue;
        least = std::min(least, end);
        most = std::max(most, end);
    }
    matrix.middle = (least + most) / 2;
    return matrix;
}

/// What is added to a rank's rough clock: offset at the matrix's middle, and drift about it.
struct Correction {
    double offset = 0;
    double slope = 0;
    [[nodiscard]] double at(double time, double middle) const { return offset + slope * (time - middle); }
};

/// The median over ranks of a row's ends under the corrections.
std::vector<double> mediansOf(const EndMatrix& matrix, const std::vector<Correction>& corrections) {
    std::vector<double> medians;
    medians.reserve(matrix.rows());
    std::vector<double> row;
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        row.clear();
        for (std::size_t rank = 0; rank < matrix.ranks; ++rank)
            if (const double end = matrix.at(i, rank); !std::isnan(end))
                row.push_back(end + corrections[rank].at(end, matrix.middle));
        medians.push_back(medianOf(row));
    }
    return medians;
}

/// Fits one rank's ends to the medians; whether a drift was needed.
Correction fitRank(const EndMatrix& matrix, std::size_t rank, const std::vector<double>& medians,
                   bool withDrift) {
    std::vector<double> x;
    std::vector<double> y;
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        const double end = matrix.at(i, rank);
        if (std::isnan(end))
            continue;
        x.push_back(end - matrix.middle);
        y.push_back(medians[i] - end);
    }
    Correction fit;
    if (x.empty())
        return fit;
    if (withDrift) {
        const RobustLine line = robustLine(x, y);
        return {line.intercept, line.slope};
    }
    fit.offset = medianOf(y);
    return fit;
}

/// Each rank against the median of all, until nothing moves any more.
std::vector<Correction> fitAll(const EndMatrix& matrix, const std::vector<char>& drifts) {
    std::vector<Correction> corrections(matrix.ranks);
    constexpr int kRounds = 6;
    for (int round = 0; round < kRounds; ++round) {
        const std::vector<double> medians = mediansOf(matrix, corrections);
        double moved = 0;
        for (std::size_t rank = 0; rank < matrix.ranks; ++rank) {
            const Correction fit = fitRank(matrix, rank, medians, drifts[rank] != 0);
            moved = std::max(moved, std::abs(fit.offset - corrections[rank].offset));
            corrections[rank] = fit;
        }
        if (moved < 0.25)
            break;
    }
    return corrections;
}

/// Which ranks drift against the first: the line through the differences of ends must move by far more than
/// these scatter about it, and by more than chance would.
std::vector<char> findDrifts(const EndMatrix& matrix, ClockAlignment& alignment, const Run& run) {
    std::vector<char> drifts(matrix.ranks, 0);
    for (std::size_t rank = 1; rank < matrix.ranks; ++rank) {
        std::vector<double> x;
        std::vector<double> y;
        for (std::size_t i = 0; i < matrix.rows(); ++i) {
            if (std::isnan(matrix.at(i, rank)) || std::isnan(matrix.at(i, 0)))
                continue;
            x.push_back(matrix.at(i, rank));
            y.push_back(matrix.at(i, 0) - matrix.at(i, rank));
        }
        if (x.size() < kFewForDrift)
            continue;
        const RobustLine line = robustLine(x, y);
        for (std::size_t i = 0; i < x.size(); ++i)
            y[i] -= line.intercept + line.slope * x[i];
        const double scatter = deviationOf(y, 0);
        const double move = std::abs(line.slope) * (x.back() - x.front());
        const double chance = 8 * scatter / std::sqrt(static_cast<double>(x.size()));
        const bool beyondChance = move > kDriftOverSpread * scatter && move > chance && move > 1;
        if (beyondChance && std::abs(line.slope) * 1e6 >= kMostDriftPpm) {
            alignment.uncertain = true;
            alignment.notes.push_back(fmt::format(
                "Rank {} would drift by {:.0f} ppm against rank {}, as no clock does: these traces "
                "are hardly of one run.",
                run.ranks[rank].rank, line.slope * 1e6, run.ranks[0].rank));
        } else if (beyondChance)
            drifts[rank] = 1;
        else if (move > 2 * chance && move > 1)
            alignment.notes.push_back(
                fmt::format("Rank {} drifts by {:.2f} ppm, {:.0f} ns over the capture: within the scatter "
                            "of the ends, and not taken off.",
                            run.ranks[rank].rank, line.slope * 1e6, move));
    }
    return drifts;
}

/// Residuals of all ranks' ends from the medians, and the violations of causality beyond them.
void judgeFit(const Run& run, const CollectiveTable& collectives, const EndMatrix& matrix,
              const std::vector<Correction>& corrections, ClockAlignment& alignment) {
    const std::vector<double> medians = mediansOf(matrix, corrections);
    std::vector<double> residuals;
    residuals.reserve(matrix.ends.size());
    for (std::size_t i = 0; i < matrix.rows(); ++i)
        for (std::size_t rank = 0; rank < matrix.ranks; ++rank)
            if (const double end = matrix.at(i, rank); !std::isnan(end))
                residuals.push_back(std::abs(end + corrections[rank].at(end, matrix.middle) - medians[i]));
    alignment.residualP50Ns = quantileOf(residuals, 0.5);
    alignment.residualP99Ns = quantileOf(residuals, 0.99);
    const auto slack = static_cast<TimeNs>(std::llround(2 * alignment.residualP99Ns));
    for (std::size_t i = 0; i < collectives.matched.size(); ++i) {
        if (!synchronises(collectives.groups[collectives.matched[i].group].kind))
            continue;
        TimeNs last = std::numeric_limits<TimeNs>::min();
        for (std::size_t rank = 0; rank < matrix.ranks; ++rank)
            if (const CollectiveCall* call = collectives.callOf(i, rank))
                last = std::max(last,
                                alignment.ranks[rank].toRunTime(run.ranks[rank].events.begin(call->event)));
        for (std::size_t rank = 0; rank < matrix.ranks; ++rank)
            if (const CollectiveCall* call = collectives.callOf(i, rank))
                alignment.causalityViolations +=
                    alignment.ranks[rank].toRunTime(run.ranks[rank].events.end(call->event)) + slack < last
                        ? 1
                        : 0;
    }
}

/// Rough clock, then correction, seen from the reference rank: the clock that maps own time to its.
RankClock composed(const RoughClock& rough, const Correction& own, const Correction& reference, TimeNs middle,
                   double matrixMiddle, TimeNs origin) {
    RankClock clock;
    // The run's middle on the rank's own clock; a nanosecond more or less does not matter to a drift.
    const TimeNs target = middle;
    clock.midNs = target - (onFirstClock(rough, target) - target);
    clock.midNs += target - onFirstClock(rough, clock.midNs);
    const double time = static_cast<double>(middle - origin);
    const double atMiddle = own.at(time, matrixMiddle) - reference.at(time, matrixMiddle);
    const double roughShift = rough.driftPpm * 1e-6 * static_cast<double>(clock.midNs - rough.midNs);
    clock.offsetNs = rough.offsetNs + roughShift + atMiddle;
    clock.driftPpm = rough.driftPpm + (own.slope - reference.slope) * 1e6;
    return clock;
}

void alignByCollectives(const Run& run, const StepTable& steps, const CollectiveTable& collectives,
                        const EndMatrix& matrix, ClockAlignment& alignment) {
    alignment.method = AlignmentMethod::Collectives;
    alignment.matchedCollectives = matrix.rows();
    const std::vector<char> drifts = findDrifts(matrix, alignment, run);
    const std::vector<Correction> corrections = fitAll(matrix, drifts);
    const TimeNs middle = matrix.origin + static_cast<TimeNs>(std::llround(matrix.middle));
    std::vector<std::size_t> members(matrix.ranks, 0);
    for (std::size_t i = 0; i < matrix.ends.size(); ++i)
        members[i % matrix.ranks] += std::isnan(matrix.ends[i]) ? 0 : 1;
    for (std::size_t rank = 0; rank < matrix.ranks; ++rank) {
        alignment.ranks[rank] = composed(steps.clocks[rank], corrections[rank], corrections[0], middle,
                                         matrix.middle, matrix.origin);
        if (members[rank] == 0) {
            alignment.ranks[rank] = {steps.clocks[rank].offsetNs, steps.clocks[rank].driftPpm,
                                     steps.clocks[rank].midNs};
            alignment.uncertain = true;
            alignment.notes.push_back(
                fmt::format("Rank {} shares no matched collective: its clock is as its trace says.",
                            run.ranks[rank].rank));
        } else if (rank > 0 && !steps.clocks[rank].fromCollectives) {
            alignment.uncertain = true;
            alignment.notes.push_back(
                fmt::format("Rank {} never meets rank {}: the two clocks are not aligned.",
                            run.ranks[rank].rank, run.ranks[0].rank));
        }
    }
    judgeFit(run, collectives, matrix, corrections, alignment);
    if (matrix.rows() < kFewMatches) {
        alignment.uncertain = true;
        alignment.notes.push_back(fmt::format("Only {} collectives carry the alignment.", matrix.rows()));
    }
    if (alignment.residualP50Ns > kLargeResidualNs) {
        alignment.uncertain = true;
        alignment.notes.push_back(
            fmt::format("The ranks' ends still differ by {:.1f} µs in the median: these collectives "
                        "do not leave together, or are not the same.",
                        alignment.residualP50Ns / 1e3));
    }
    if (alignment.causalityViolations * 50 > matrix.ends.size()) {
        alignment.uncertain = true;
        alignment.notes.push_back(
            fmt::format("{} times a rank leaves a collective before the last has entered: the "
                        "clocks, or the matching, are doubtful.",
                        alignment.causalityViolations));
    }
}

void alignByFirstStep(const Run& run, const StepTable& steps, ClockAlignment& alignment) {
    alignment.method = AlignmentMethod::FirstStep;
    for (const Step& step : steps.steps) {
        if (!step.ranks.front().present)
            continue;
        for (std::size_t rank = 0; rank < run.ranks.size(); ++rank)
            if (step.ranks[rank].present && alignment.ranks[rank].midNs == 0) {
                alignment.ranks[rank].offsetNs =
                    static_cast<double>(step.ranks.front().range.begin - step.ranks[rank].range.begin);
                alignment.ranks[rank].midNs = step.ranks[rank].range.begin;
            }
    }
    for (RankClock& clock : alignment.ranks)
        clock.midNs = 0;
}

void noteBases(const Run& run, ClockAlignment& alignment) {
    std::size_t without = 0;
    bool differ = false;
    for (const RankTrace& rank : run.ranks) {
        without += rank.header.baseTimeNs ? 0 : 1;
        differ = differ || rank.header.baseTimeNs != run.ranks.front().header.baseTimeNs;
    }
    if (without > 0 && without < run.ranks.size())
        alignment.notes.push_back(
            fmt::format("{} of {} traces give no base time.", without, run.ranks.size()));
    else if (differ)
        alignment.notes.emplace_back("The traces' base times differ; each is added to its own events.");
}

} // namespace

std::string_view nameOf(AlignmentMethod method) {
    constexpr std::array<std::string_view, 4> kNames{"collectives", "wall_clock", "first_step", "none"};
    return kNames[static_cast<std::size_t>(method)];
}

ClockAlignment alignClocks(const Run& run, const StepTable& steps, const CollectiveTable& collectives) {
    ClockAlignment alignment;
    alignment.ranks.resize(run.ranks.size());
    if (run.ranks.size() < 2)
        return alignment;
    noteBases(run, alignment);
    const EndMatrix matrix = endsOf(run, steps, collectives);
    if (matrix.rows() > 0) {
        alignByCollectives(run, steps, collectives, matrix, alignment);
        return alignment;
    }
    alignment.uncertain = true;
    const bool bases = std::all_of(run.ranks.begin(), run.ranks.end(), [](const RankTrace& rank) {
        return rank.header.baseTimeNs.has_value();
    });
    if (bases) {
        alignment.method = AlignmentMethod::WallClock;
        alignment.notes.emplace_back(
            "No collective joins the ranks: their clocks are taken as the traces give them, good "
            "to a millisecond at best.");
    } else if (!steps.steps.empty()) {
        alignByFirstStep(run, steps, alignment);
        alignment.notes.emplace_back(
            "No collective joins the ranks and a base time is missing: their first common steps "
            "are laid to begin together.");
    } else {
        alignment.notes.emplace_back("Nothing joins the ranks' clocks: they are shown as they are.");
    }
    return alignment;
}

} // namespace lockstep
