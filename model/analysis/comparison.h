#pragma once

#include "model/analysis/comparisonsubject.h"
#include "model/analysis/kernelstats.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// One quantity in both runs, with its spread. Values are in the quantity's own unit, given where it is used.
struct ComparedValue {
    double a = 0;
    double b = 0;
    double medianA = 0;
    double medianB = 0;
    double spreadA = 0; ///< median absolute deviation over the steps
    double spreadB = 0;

    [[nodiscard]] double difference() const { return a - b; }
    /// a ÷ b; absent where b is zero.
    [[nodiscard]] std::optional<double> ratio() const { return b != 0 ? std::optional(a / b) : std::nullopt; }
    /// The difference of the medians in standard deviations, estimated from the spread of both (1.4826 × the
    /// root mean square of the two); absent where there is no spread to measure by.
    [[nodiscard]] std::optional<double> effect() const;
};

/// A category or group in both runs; times in nanoseconds a step and rank.
struct ComparedCategory {
    std::string id;
    std::string label;
    std::string group;
    bool isGroup = false;
    ComparedValue ns;
    double percentA = 0; ///< of the attribution's total
    double percentB = 0;
    ComparedValue calls;    ///< a step
    ComparedValue perCall;  ///< nanoseconds
    ComparedValue perLayer; ///< nanoseconds a layer; 0 where a run has no layers
};

/// A quantity of the steps; nanoseconds unless the key says otherwise.
struct ComparedStepFigure {
    std::string key; ///< "period", "wall", "busy", "idle", "kernel_sum", "exposed_communication"
    std::string label;
    ComparedValue ns;
    bool known = true; ///< false: one of the runs does not have it
};

/// A kernel by name and category; times in nanoseconds, calls a step and rank.
struct ComparedKernel {
    std::string name;
    std::string category;
    ComparedValue perStep;
    ComparedValue perCall;
    ComparedValue calls;
};

/// Who waits for whom, in each run.
struct ComparedStalls {
    bool known = false;           ///< collectives were matched
    double waitPerStepNs = 0;     ///< a step and rank
    double transferPerStepNs = 0; ///< a step and rank
    double waitPerCallNs = 0;     ///< of all-reduces
    double transferPerCallNs = 0; ///< of all-reduces
    double waitShare = 0;         ///< of the time in matched all-reduces, 0 to 1
    int worstRank = -1;           ///< the rank that the others waited for longest
    double worstRankShare = 0;    ///< of all waiting, 0 to 1
};

/// HBM efficiency of a run, where its model and hardware are known.
struct ComparedHbm {
    std::string model;
    std::string hardware;
    double bytesPerStep = 0;
    std::optional<double> stepPercent;
    std::optional<double> kernelPercent;
    std::vector<std::string> problems; ///< why a figure is missing or doubtful
};

/// What the comparison says, in words; `weight` orders the findings.
struct Finding {
    std::string kind;    ///< "category", "step_time", "stalls", "hbm", "difference"
    std::string subject; ///< category or quantity
    std::string sentence;
    double weight = 0;
};

/// One of the two runs.
struct ComparisonSide {
    const RunAnalysis* analysis = nullptr;
    const CategoryTable* categories = nullptr;
    std::string label; ///< empty: the run's name
    std::string model; ///< empty: guessed
    BreakdownSelection selection;
    std::optional<ComparedHbm> hbm;
};

/// Two runs, category by category and in sentences.
struct Comparison {
    Attribution attribution = Attribution::Sum;
    std::string labelA;
    std::string labelB;
    RunPortrait portraitA;
    RunPortrait portraitB;
    std::vector<PortraitLine> portrait;
    std::vector<Finding> findings;            ///< weightiest first
    std::vector<ComparedCategory> categories; ///< groups, each followed by its parts
    std::vector<ComparedStepFigure> steps;
    std::vector<ComparedKernel> sharedKernels; ///< in both runs, largest difference first
    std::vector<ComparedKernel> onlyA;         ///< largest first
    std::vector<ComparedKernel> onlyB;
    ComparedStalls stallsA;
    ComparedStalls stallsB;
    std::optional<ComparedHbm> hbmA;
    std::optional<ComparedHbm> hbmB;
};

/// Compares the typical (or chosen) steps of two runs; strings of the two are joined by their text.
[[nodiscard]] Comparison compareRuns(const ComparisonSide& a, const ComparisonSide& b, const CategorySet& set,
                                     Attribution attribution = Attribution::Sum);

/// The findings of `comparison`, weightiest first: what takes the larger part of the step's difference, and
/// beyond the spread, comes before what is within it.
[[nodiscard]] std::vector<Finding> findingsOf(const Comparison& comparison);

} // namespace lockstep
