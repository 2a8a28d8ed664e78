#include "model/analysis/comparison.h"
#include "model/analysis/timetext.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep {

namespace {

/// "61 %", "3.4 %", "under 1 %".
std::string percentText(double percent) {
    if (percent <= 0)
        return "none";
    if (percent < 1)
        return "under 1 %";
    return percent < 10 ? fmt::format("{:.1f} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string ratioText(double larger, double smaller) {
    if (smaller <= 0)
        return {};
    const double ratio = larger / smaller;
    if (ratio < 1.05)
        return {};
    return ratio >= 10 ? fmt::format(", {:.0f} times as much", ratio)
                       : fmt::format(", {:.1f} times as much", ratio);
}

/// How much of a difference stands out of the spread: 1 where there is none, towards 0 where the spread is
/// larger than the difference.
double clarity(const ComparedValue& value) {
    const double difference = std::abs(value.medianA - value.medianB);
    const double spread = value.spreadA + value.spreadB;
    return difference > 0 ? difference / (difference + spread) : 0;
}

std::string withinSpread(const ComparedValue& value) {
    const auto effect = value.effect();
    return effect && std::abs(*effect) < 1 ? " (within the spread of the steps)" : "";
}

class FindingWriter {
public:
    explicit FindingWriter(const Comparison& comparison)
        : m_comparison(comparison) {
        for (const ComparedStepFigure& figure : comparison.steps)
            if (figure.key == "kernel_sum")
                m_scale = std::max(figure.ns.a, figure.ns.b);
    }

    std::vector<Finding> write() {
        for (const ComparedCategory& category : m_comparison.categories)
            if (category.isGroup && category.id != "everything_else")
                addCategory(category);
        for (const ComparedCategory& category : m_comparison.categories)
            if (!category.isGroup && category.group == "Everything else")
                addCategory(category);
        addStepTime();
        addStalls(m_comparison.stallsA, m_comparison.labelA);
        addStalls(m_comparison.stallsB, m_comparison.labelB);
        addHbm();
        std::stable_sort(m_findings.begin(), m_findings.end(), [](const Finding& x, const Finding& y) {
            return x.weight > y.weight;
        });
        return std::move(m_findings);
    }

private:
    void addCategory(const ComparedCategory& category);
    void addStepTime();
    void addStalls(const ComparedStalls& stalls, const std::string& label);
    void addHbm();

    const Comparison& m_comparison;
    double m_scale = 1; ///< the larger run's GPU time a step: weights are parts of it
    std::vector<Finding> m_findings;
};

void FindingWriter::addCategory(const ComparedCategory& category) {
    constexpr double kWorthSaying = 0.005;
    const double difference = std::abs(category.ns.difference());
    if (m_scale <= 0 || difference < kWorthSaying * m_scale)
        return;
    const bool aIsLarger = category.ns.a >= category.ns.b;
    const double larger = aIsLarger ? category.ns.a : category.ns.b;
    const double smaller = aIsLarger ? category.ns.b : category.ns.a;
    const bool wall = m_comparison.attribution == Attribution::Wall;
    Finding finding;
    finding.kind = "category";
    finding.subject = category.label;
    finding.weight = difference / m_scale * clarity(category.ns);
    finding.sentence =
        fmt::format("{} {} {} of {} in {} against {} in {} ({} a step against {}{}){}.", category.label,
                    category.label.ends_with('s') ? "take" : "takes",
                    percentText(aIsLarger ? category.percentA : category.percentB),
                    wall ? "the step" : "GPU time", aIsLarger ? m_comparison.labelA : m_comparison.labelB,
                    percentText(aIsLarger ? category.percentB : category.percentA),
                    aIsLarger ? m_comparison.labelB : m_comparison.labelA, timeText(larger),
                    timeText(smaller), ratioText(larger, smaller), withinSpread(category.ns));
    if (category.id == "allreduce" && m_comparison.stallsA.known && m_comparison.stallsB.known) {
        const ComparedStalls& of = aIsLarger ? m_comparison.stallsA : m_comparison.stallsB;
        const ComparedStalls& other = aIsLarger ? m_comparison.stallsB : m_comparison.stallsA;
        finding.sentence += fmt::format(" A call moves data for {} against {}; the rest is waiting.",
                                        timeText(of.transferPerCallNs), timeText(other.transferPerCallNs));
    }
    m_findings.push_back(std::move(finding));
}

void FindingWriter::addStepTime() {
    const ComparedStepFigure* chosen = nullptr;
    for (const ComparedStepFigure& figure : m_comparison.steps)
        if (figure.known && (figure.key == "period" || (figure.key == "wall" && chosen == nullptr)))
            chosen = &figure;
    if (chosen == nullptr)
        return;
    const ComparedValue& ns = chosen->ns;
    const bool aIsLarger = ns.medianA >= ns.medianB;
    const double larger = aIsLarger ? ns.medianA : ns.medianB;
    const double smaller = aIsLarger ? ns.medianB : ns.medianA;
    Finding finding;
    finding.kind = "step_time";
    finding.subject = chosen->key;
    finding.weight = m_scale > 0 ? 0.5 * (larger - smaller) / m_scale * clarity(ns) : 0;
    finding.sentence = fmt::format(
        "A step takes {} in {} (median {}, spread {}) against {} in {} (spread {}){}{}.", timeText(larger),
        aIsLarger ? m_comparison.labelA : m_comparison.labelB, chosen->key,
        timeText(aIsLarger ? ns.spreadA : ns.spreadB), timeText(smaller),
        aIsLarger ? m_comparison.labelB : m_comparison.labelA, timeText(aIsLarger ? ns.spreadB : ns.spreadA),
        ratioText(larger, smaller), withinSpread(ns));
    m_findings.push_back(std::move(finding));
}

void FindingWriter::addStalls(const ComparedStalls& stalls, const std::string& label) {
    constexpr double kWorthSaying = 0.2;
    if (!stalls.known || stalls.waitShare < kWorthSaying)
        return;
    Finding finding;
    finding.kind = "stalls";
    finding.subject = label;
    // What a run says about itself comes after what sets the two apart.
    finding.weight = m_scale > 0 ? 0.2 * stalls.waitPerStepNs / m_scale : 0;
    finding.sentence =
        fmt::format("In {}, {} of the time in all-reduce is waiting for the last rank ({} a step)", label,
                    percentText(100 * stalls.waitShare), timeText(stalls.waitPerStepNs));
    finding.sentence += stalls.worstRank >= 0
                            ? fmt::format(", and rank {} causes {} of the waiting in the compared steps.",
                                          stalls.worstRank, percentText(100 * stalls.worstRankShare))
                            : ".";
    m_findings.push_back(std::move(finding));
}

void FindingWriter::addHbm() {
    const auto& a = m_comparison.hbmA;
    const auto& b = m_comparison.hbmB;
    if (!a || !b || !a->stepPercent || !b->stepPercent)
        return;
    Finding finding;
    finding.kind = "hbm";
    finding.subject = "step_efficiency";
    finding.weight = 0.5 * std::abs(*a->stepPercent - *b->stepPercent) / 100;
    finding.sentence =
        fmt::format("HBM efficiency of a step is {:.1f} % in {} against {:.1f} % in {}.", *a->stepPercent,
                    m_comparison.labelA, *b->stepPercent, m_comparison.labelB);
    m_findings.push_back(std::move(finding));
}

} // namespace

std::vector<Finding> findingsOf(const Comparison& comparison) {
    return FindingWriter(comparison).write();
}

} // namespace lockstep
