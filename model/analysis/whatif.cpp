#include "model/analysis/whatif.h"

#include "model/analysis/runanalysis.h"
#include "model/analysis/whatifsteps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep {

namespace {

constexpr double kMs = 1e6; ///< ns
constexpr double kUs = 1e3;
/// Replays of the search for a break-even use at most so many steps.
constexpr std::size_t kSearchSteps = 4;
constexpr int kSearchRounds = 12;

/// At most one decimal, and none where it would be 0.
std::string shortNumber(double value) {
    std::string text = fmt::format("{:.1f}", value);
    if (text.ends_with(".0"))
        text.resize(text.size() - 2);
    return text;
}

std::string_view plural(CollectiveKind kind) {
    switch (kind) {
    case CollectiveKind::AllReduce:
        return "all-reduces";
    case CollectiveKind::AllGather:
        return "all-gathers";
    case CollectiveKind::ReduceScatter:
        return "reduce-scatters";
    case CollectiveKind::AllToAll:
        return "all-to-alls";
    case CollectiveKind::Broadcast:
        return "broadcasts";
    default:
        return "collectives";
    }
}

/// A collective as the substitutions so far have left it, in each of the two accounts.
struct Remaining {
    double naiveNs = 0;    ///< a call
    double waitNs = 0;     ///< of naiveNs
    double transferNs = 0; ///< of the transfer-only account
};

/// A step with the changes made to it so far.
struct ChangedStep {
    const ProjectedStep* measured = nullptr;
    std::vector<Remaining> collectives;
    ReplayChanges changes;
};

bool inScope(const StepCollective& collective, std::string_view scope) {
    if (scope == "moe")
        return collective.expertBlock;
    if (scope == "attention")
        return collective.attentionBlock;
    if (scope.empty() || scope == "all")
        return true;
    const std::string_view backend = nameOf(collective.backend);
    return backend == scope;
}

bool knownScope(std::string_view scope) {
    constexpr CollectiveBackend kBackends[] = {CollectiveBackend::Nccl, CollectiveBackend::Custom,
                                               CollectiveBackend::SymmetricMemory, CollectiveBackend::Fused,
                                               CollectiveBackend::ExpertParallel};
    return scope.empty() || scope == "all" || scope == "moe" || scope == "attention" ||
           std::any_of(std::begin(kBackends), std::end(kBackends), [&](CollectiveBackend b) {
               return nameOf(b) == scope;
           });
}

std::optional<CollectiveKind> kindNamed(std::string_view text) {
    const std::string wanted = collectiveName(text);
    for (const CollectiveKind kind :
         {CollectiveKind::AllReduce, CollectiveKind::AllGather, CollectiveKind::ReduceScatter,
          CollectiveKind::AllToAll, CollectiveKind::Broadcast, CollectiveKind::Reduce,
          CollectiveKind::SendReceive})
        if (nameOf(kind) == wanted)
            return kind;
    return std::nullopt;
}

Error problem(std::string message) {
    return {ErrorCode::BadArgument, "", {}, std::move(message)};
}

class Projector {
public:
    Projector(const ActivityLabels& labels, const WhatIfInputs& inputs,
              const std::vector<ProjectedStep>& steps, int ranks)
        : m_labels(labels)
        , m_inputs(inputs)
        , m_ranks(ranks) {
        for (const ProjectedStep& step : steps) {
            ChangedStep changed;
            changed.measured = &step;
            for (const StepCollective& c : step.collectives)
                changed.collectives.push_back({c.meanNs, c.waitNs, c.transferNs});
            changed.changes.transfers.resize(step.collectives.size());
            m_steps.push_back(std::move(changed));
        }
        m_result.steps = steps.size();
        if (ranks == 1)
            m_result.notes.emplace_back(
                "One rank alone: how much of a collective is waiting for others cannot be told, so all of "
                "it counts as transfer.");
        measureBaseline(steps);
    }

    Result<WhatIfResult> project() {
        for (const Substitution& substitution : m_inputs.substitutions) {
            Result<void> applied = apply(substitution);
            if (!applied)
                return make_unexpected(applied.error());
        }
        if (m_inputs.imbalance > 1)
            spreadExperts();
        for (WhatIfLine& line : m_result.lines)
            finishLine(line);
        m_result.naive = projection(m_naiveMs);
        m_result.transferOnly = projection(m_transferOnlyMs);
        const double before = replayMs(m_steps, true);
        m_result.replayed = projection(before - replayMs(m_steps, false));
        if (m_result.wallMs > 0)
            m_result.replayErrorPercent = 100 * (before - m_result.wallMs) / m_result.wallMs;
        for (ChangedStep& step : m_steps)
            step.changes.withoutHost = true;
        m_result.replayedWithoutHost = projection(before - replayMs(m_steps, false));
        for (ChangedStep& step : m_steps)
            step.changes.withoutHost = false;
        const auto [low, high] =
            std::minmax({m_result.naive.savedMs, m_result.transferOnly.savedMs, m_result.replayed.savedMs});
        m_result.savedLowMs = low;
        m_result.savedHighMs = high;
        findReplayBreakEven();
        return std::move(m_result);
    }

private:
    void measureBaseline(const std::vector<ProjectedStep>& steps) {
        double period = 0;
        std::size_t periods = 0;
        for (const ProjectedStep& step : steps) {
            m_result.wallMs += step.wallNs / kMs / static_cast<double>(steps.size());
            if (step.periodNs > 0) {
                period += step.periodNs / kMs;
                ++periods;
            }
        }
        m_result.periodMs = periods > 0 ? period / static_cast<double>(periods) : m_result.wallMs;
        m_result.baselineMs = m_result.periodMs;
        m_result.baselineSource =
            periods > 0 ? "period of a step in the trace" : "wall time of a step in the trace";
        if (m_inputs.servingTpotMs) {
            m_result.baselineMs = *m_inputs.servingTpotMs;
            m_result.baselineSource = m_inputs.servingSource;
            m_result.notes.push_back(fmt::format(
                "The profiler's overhead: a step takes {:.2f} ms in the trace, {:.2f} ms without it.",
                m_result.periodMs, m_result.baselineMs));
        }
    }

    [[nodiscard]] Projection projection(double savedMs) const {
        Projection result;
        result.savedMs = savedMs;
        result.tpotMs = m_result.baselineMs - savedMs;
        result.percent = m_result.baselineMs > 0 ? 100 * savedMs / m_result.baselineMs : 0;
        return result;
    }

    Result<void> apply(const Substitution& substitution) {
        switch (substitution.kind) {
        case Substitution::Kind::Replace:
            return replace(substitution);
        case Substitution::Kind::Scale:
            return kindNamed(substitution.target)
                       ? scaleCollectives(substitution)
                       : scaleCategory(substitution.target, substitution.factor, "");
        case Substitution::Kind::NoStalls:
            removeStalls();
            return {};
        case Substitution::Kind::FuseCast:
            return scaleCategory("dtype_cast", 0, "fused into the GEMMs");
        case Substitution::Kind::Drop:
            return scaleCategory(substitution.target, 0, "left out");
        }
        return {};
    }

    /// The collectives of the target and scope, or why there are none.
    Result<CollectiveKind> target(const Substitution& substitution) const {
        const std::optional<CollectiveKind> kind = kindNamed(substitution.target);
        if (!kind)
            return make_unexpected(
                problem(fmt::format("\"{}\" is no collective; name allreduce, allgather, reduce_scatter, "
                                    "alltoall or broadcast",
                                    substitution.target)));
        if (!knownScope(substitution.scope))
            return make_unexpected(
                problem(fmt::format("\"{}\" is no kind of {}; name moe, attention, nccl, custom, fused, "
                                    "symmetric_memory or expert_parallel",
                                    substitution.scope, substitution.target)));
        for (const ChangedStep& step : m_steps)
            for (const StepCollective& collective : step.measured->collectives)
                if (collective.kind == *kind && inScope(collective, substitution.scope))
                    return *kind;
        return make_unexpected(problem(
            fmt::format("the chosen steps have no {}{}{} that was matched across ranks", substitution.target,
                        substitution.scope.empty() ? "" : ":", substitution.scope)));
    }

    /// Changes each collective of the target; `change(step, index, remaining)` is called on each, and the
    /// line tells calls, time before, and what is saved in both accounts.
    template <class Change>
    WhatIfLine changeCollectives(const Substitution& substitution, CollectiveKind kind,
                                 const Change& change) {
        WhatIfLine line;
        double calls = 0;
        for (ChangedStep& step : m_steps) {
            for (std::size_t c = 0; c < step.collectives.size(); ++c) {
                const StepCollective& collective = step.measured->collectives[c];
                if (collective.kind != kind || !inScope(collective, substitution.scope))
                    continue;
                Remaining& remaining = step.collectives[c];
                const Remaining before = remaining;
                line.fromUs += before.naiveNs / kUs;
                line.transferUs += before.transferNs / kUs;
                change(step, c, remaining);
                line.naiveMs += (before.naiveNs - remaining.naiveNs) / kMs;
                line.transferOnlyMs += (before.transferNs - remaining.transferNs) / kMs;
                line.toUs += remaining.naiveNs / kUs;
                ++calls;
            }
        }
        const auto steps = static_cast<double>(m_steps.size());
        for (double* value : {&line.fromUs, &line.transferUs, &line.toUs})
            *value /= std::max(calls, 1.0);
        for (double* value : {&line.naiveMs, &line.transferOnlyMs})
            *value /= steps;
        line.callsPerStep = calls / steps;
        m_naiveMs += line.naiveMs;
        m_transferOnlyMs += line.transferOnlyMs;
        return line;
    }

    [[nodiscard]] std::string describeTarget(const WhatIfLine& line, CollectiveKind kind,
                                             std::string_view scope) const {
        const std::string_view words = scope == "moe" ? "MoE " : scope;
        return fmt::format("{} {}{}{}", shortNumber(line.callsPerStep), words,
                           scope.empty() || scope == "moe" ? "" : " ", plural(kind));
    }

    /// µs of one replacement call over `bytes`.
    Result<double> replacementUs(const Substitution& substitution, double bytes, std::string& basis) const {
        double total = 0;
        for (const Substitution::Part& part : substitution.parts) {
            if (part.microseconds) {
                total += *part.microseconds;
                continue;
            }
            const std::optional<LatencyAnswer> answer =
                m_inputs.latencies && bytes > 0 ? m_inputs.latencies->at(part.collective, bytes, m_ranks)
                                                : std::nullopt;
            if (!answer)
                return make_unexpected(
                    problem(bytes > 0 || !m_inputs.latencies
                                ? fmt::format("no time is known for {}: write {}@19us, or give --latencies a "
                                              "table that has it",
                                              part.collective, part.collective)
                                : fmt::format("the trace does not tell the message size, so the table cannot "
                                              "be asked: give --message-bytes, or write {}@19us",
                                              part.collective)));
            total += answer->microseconds;
            basis = answer->basis;
        }
        return total;
    }

    Result<void> replace(const Substitution& substitution) {
        const Result<CollectiveKind> kind = target(substitution);
        if (!kind)
            return make_unexpected(kind.error());
        std::string basis;
        // All times first: an error must leave nothing half done.
        std::vector<std::vector<double>> times(m_steps.size());
        for (std::size_t s = 0; s < m_steps.size(); ++s) {
            for (const StepCollective& collective : m_steps[s].measured->collectives) {
                times[s].push_back(0);
                if (collective.kind != *kind || !inScope(collective, substitution.scope))
                    continue;
                const Result<double> us = replacementUs(
                    substitution, collective.bytes > 0 ? collective.bytes : m_inputs.messageBytes, basis);
                if (!us)
                    return make_unexpected(us.error());
                times[s].back() = *us * kUs;
            }
        }
        WhatIfLine line = changeCollectives(
            substitution, *kind, [&](ChangedStep& step, std::size_t c, Remaining& remaining) {
                const double ns = times[static_cast<std::size_t>(&step - m_steps.data())][c];
                remaining = {ns, 0, ns};
                step.changes.transfers[c] = std::llround(ns);
            });
        std::string into;
        for (const Substitution::Part& part : substitution.parts) {
            const std::optional<CollectiveKind> other = kindNamed(part.collective);
            into += (into.empty() ? "" : " and ") + (other ? std::string(plural(*other)) : part.collective);
        }
        line.name = fmt::format("{} become {}", describeTarget(line, *kind, substitution.scope), into);
        line.arithmetic = fmt::format("{} × ({} − {}) µs", shortNumber(line.callsPerStep),
                                      shortNumber(line.fromUs), shortNumber(line.toUs));
        line.breakEvenUs = line.fromUs;
        line.transferBreakEvenUs = line.transferUs;
        line.remark = basis;
        m_result.lines.push_back(std::move(line));
        if (!m_firstReplacement)
            m_firstReplacement = std::pair(substitution, *kind);
        return {};
    }

    Result<void> scaleCollectives(const Substitution& substitution) {
        const Result<CollectiveKind> kind = target(substitution);
        if (!kind)
            return make_unexpected(kind.error());
        WhatIfLine line = changeCollectives(
            substitution, *kind, [&](ChangedStep& step, std::size_t c, Remaining& remaining) {
                remaining.naiveNs *= substitution.factor;
                remaining.waitNs *= substitution.factor;
                remaining.transferNs *= substitution.factor;
                step.changes.transfers[c] = std::llround(remaining.transferNs);
            });
        line.name = fmt::format("{} take {} times as long", describeTarget(line, *kind, substitution.scope),
                                shortFactor(substitution.factor));
        line.arithmetic = fmt::format("{} × {} µs × (1 − {})", shortNumber(line.callsPerStep),
                                      shortNumber(line.fromUs), shortFactor(substitution.factor));
        m_result.lines.push_back(std::move(line));
        return {};
    }

    void removeStalls() {
        WhatIfLine line;
        for (ChangedStep& step : m_steps) {
            step.changes.withoutStalls = true;
            for (Remaining& remaining : step.collectives) {
                line.naiveMs += remaining.waitNs / kMs;
                remaining.naiveNs -= remaining.waitNs;
                remaining.waitNs = 0;
            }
            line.callsPerStep += static_cast<double>(step.collectives.size());
        }
        line.naiveMs /= static_cast<double>(m_steps.size());
        line.callsPerStep /= static_cast<double>(m_steps.size());
        line.name = "nobody waits for a late rank";
        line.fromUs = line.callsPerStep > 0 ? line.naiveMs * kUs / line.callsPerStep : 0;
        line.arithmetic =
            fmt::format("{} × {} µs of waiting", shortNumber(line.callsPerStep), shortNumber(line.fromUs));
        line.transferOnlyMs = 0;
        line.remark = "waiting is no transfer: the transfer-only figure gains nothing; re-simulated, all "
                      "ranks arrive with the "
                      "median one";
        m_naiveMs += line.naiveMs;
        m_result.lines.push_back(std::move(line));
    }

    static std::string shortFactor(double factor) { return fmt::format("{:.4g}", factor); }

    std::vector<std::vector<TimeNs>>& durationsOf(ChangedStep& step) const {
        if (step.changes.durations.empty()) {
            for (const std::vector<ReplayActivity>& rank : step.measured->replay.ranks) {
                step.changes.durations.emplace_back();
                for (const ReplayActivity& activity : rank)
                    step.changes.durations.back().push_back(activity.end - activity.begin);
            }
        }
        return step.changes.durations;
    }

    Result<void> scaleCategory(const std::string& category, double factor, std::string_view verb) {
        std::vector<bool> wanted;
        std::string name = category;
        for (const ActivityLabels::Label& label : m_labels.labels) {
            wanted.push_back(isLabel(label, category));
            if (label.id == category)
                name = label.label;
        }
        WhatIfLine line;
        double before = 0;
        double calls = 0;
        double cells = 0;
        for (ChangedStep& step : m_steps) {
            std::vector<std::vector<TimeNs>>& durations = durationsOf(step);
            for (std::size_t r = 0; r < durations.size(); ++r) {
                cells += durations[r].empty() ? 0 : 1;
                for (std::size_t i = 0; i < durations[r].size(); ++i) {
                    const std::uint8_t label = step.measured->labels[r][i];
                    if (label >= wanted.size() || !wanted[label] ||
                        step.measured->replay.ranks[r][i].collective >= 0)
                        continue;
                    before += static_cast<double>(durations[r][i]);
                    durations[r][i] = std::llround(static_cast<double>(durations[r][i]) * factor);
                    ++calls;
                }
            }
        }
        if (calls == 0)
            return make_unexpected(
                problem(fmt::format("the chosen steps have no kernel of \"{}\"", category)));
        line.callsPerStep = calls / cells;
        line.fromUs = before / calls / kUs;
        line.toUs = line.fromUs * factor;
        line.naiveMs = before * (1 - factor) / cells / kMs;
        line.transferOnlyMs = line.naiveMs;
        line.name = fmt::format(
            "{} {}", name, verb.empty() ? fmt::format("takes {} times as long", shortFactor(factor)) : verb);
        line.arithmetic =
            factor == 0 ? fmt::format("{} × {} µs", shortNumber(line.callsPerStep), shortNumber(line.fromUs))
                        : fmt::format("{} × {} µs × (1 − {})", shortNumber(line.callsPerStep),
                                      shortNumber(line.fromUs), shortFactor(factor));
        m_naiveMs += line.naiveMs;
        m_transferOnlyMs += line.naiveMs;
        m_result.lines.push_back(std::move(line));
        return {};
    }

    /// The busiest rank's expert GEMMs take `imbalance` times the mean, the others the rest; which rank that
    /// is changes from block to block.
    void spreadExperts() {
        std::vector<bool> expert;
        for (const ActivityLabels::Label& label : m_labels.labels)
            expert.push_back(isLabel(label, "moe_gemm"));
        double total = 0;
        double cells = 0;
        for (ChangedStep& step : m_steps) {
            std::vector<std::vector<TimeNs>>& durations = durationsOf(step);
            for (std::size_t r = 0; r < durations.size(); ++r) {
                cells += durations[r].empty() ? 0 : 1;
                std::size_t block = 0;
                const double others = durations.size() > 1
                                          ? (static_cast<double>(durations.size()) - m_inputs.imbalance) /
                                                (static_cast<double>(durations.size()) - 1)
                                          : m_inputs.imbalance;
                for (std::size_t i = 0; i < durations[r].size(); ++i) {
                    block += step.measured->replay.ranks[r][i].collective >= 0 ? 1 : 0;
                    const std::uint8_t label = step.measured->labels[r][i];
                    if (label >= expert.size() || !expert[label])
                        continue;
                    total += static_cast<double>(durations[r][i]);
                    const double factor =
                        block % durations.size() == r ? m_inputs.imbalance : std::max(others, 0.0);
                    durations[r][i] = std::llround(static_cast<double>(durations[r][i]) * factor);
                }
            }
        }
        WhatIfLine line;
        line.name =
            fmt::format("the busiest rank's experts take {} times the mean", shortFactor(m_inputs.imbalance));
        const double perStep = total / std::max(cells, 1.0) / kMs;
        line.naiveMs = -perStep * (m_inputs.imbalance - 1);
        line.transferOnlyMs = line.naiveMs;
        line.arithmetic =
            fmt::format("{:.2f} ms of expert GEMMs × (1 − {})", perStep, shortFactor(m_inputs.imbalance));
        m_naiveMs += line.naiveMs;
        m_transferOnlyMs += line.naiveMs;
        m_result.lines.push_back(std::move(line));
    }

    void finishLine(WhatIfLine& line) const {
        line.arithmetic += fmt::format(" = {:.2f} ms, {:.1f} % of {} ms", line.naiveMs,
                                       m_result.baselineMs > 0 ? 100 * line.naiveMs / m_result.baselineMs : 0,
                                       shortNumber(m_result.baselineMs));
    }

    /// Mean wall time of `steps` replayed, in ms; as measured, or with the changes.
    static double replayMs(const std::vector<ChangedStep>& steps, bool asMeasured) {
        double total = 0;
        for (const ChangedStep& step : steps)
            total += static_cast<double>(asMeasured ? replayWall(step.measured->replay)
                                                    : replayWall(step.measured->replay, step.changes)) /
                     kMs;
        return total / static_cast<double>(steps.size());
    }

    /// Looks for the time a call of the first replacement may take before the replay gains nothing.
    void findReplayBreakEven() {
        if (!m_firstReplacement)
            return;
        const auto& [substitution, kind] = *m_firstReplacement;
        std::vector<ChangedStep> steps(
            m_steps.begin(),
            m_steps.begin() + static_cast<std::ptrdiff_t>(std::min(m_steps.size(), kSearchSteps)));
        const double before = replayMs(steps, true);
        const auto gains = [&, kind = kind, &substitution = substitution](double us) {
            for (ChangedStep& step : steps)
                for (std::size_t c = 0; c < step.collectives.size(); ++c)
                    if (const StepCollective& collective = step.measured->collectives[c];
                        collective.kind == kind && inScope(collective, substitution.scope))
                        step.changes.transfers[c] = std::llround(us * kUs);
            return before - replayMs(steps, false) > 0;
        };
        double low = 0;
        double high = std::max(4 * m_result.lines.front().fromUs, 10.0);
        if (!gains(low) || gains(high))
            return;
        for (int round = 0; round < kSearchRounds; ++round) {
            const double middle = (low + high) / 2;
            (gains(middle) ? low : high) = middle;
        }
        m_result.replayBreakEvenUs = low;
    }

    const ActivityLabels& m_labels;
    const WhatIfInputs& m_inputs;
    int m_ranks;
    std::vector<ChangedStep> m_steps;
    std::optional<std::pair<Substitution, CollectiveKind>> m_firstReplacement;
    double m_naiveMs = 0;
    double m_transferOnlyMs = 0;
    WhatIfResult m_result;
};

} // namespace

Result<WhatIfResult> projectRun(const RunAnalysis& analysis, const ActivityLabels& labels,
                                const WhatIfInputs& inputs) {
    if (!(inputs.imbalance >= 1))
        return make_unexpected(
            problem("the load imbalance is the busiest rank's load ÷ the mean: 1 or more"));
    const std::vector<std::uint32_t> chosen =
        inputs.steps.empty() ? analysis.steps.typicalSteps() : inputs.steps;
    const std::vector<ProjectedStep> steps = projectedSteps(analysis, labels, chosen);
    if (steps.empty())
        return make_unexpected(
            Error{ErrorCode::NoEvents, analysis.run->name, {}, "has no step to project from"});
    Projector projector(labels, inputs, steps, static_cast<int>(analysis.run->ranks.size()));
    return projector.project();
}

} // namespace lockstep
