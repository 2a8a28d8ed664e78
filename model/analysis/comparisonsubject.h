#pragma once

#include "model/analysis/breakdown.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// How a run's collectives of one kind and backend are made.
struct CollectiveUse {
    std::string kind;
    std::string backend;
    double callsPerStep = 0;
    std::int64_t bytes = -1; ///< of the most frequent message; -1: unknown
};

/// What a run is, as far as its traces say; a guess says what it rests on.
struct RunPortrait {
    std::string name;
    std::string device; ///< empty: unknown
    std::size_t ranks = 0;
    int worldSize = 0;
    std::string engine;
    std::string engineEvidence;
    std::string model;
    std::string modelEvidence;
    std::string stepSource;
    std::string stepKind; ///< of the typical steps
    std::size_t steps = 0;
    std::size_t typicalSteps = 0;
    std::optional<std::int64_t> batch; ///< generation tokens of the typical steps, where all agree
    std::uint32_t layers = 0;
    bool synthetic = false; ///< its traces say that they were computed, not captured
    bool graphs = false;    ///< most kernels are launched by graph replays
    std::vector<CollectiveUse> collectives;
};

/// The portrait of `analysis`; `modelName` overrides the guess where it is not empty.
[[nodiscard]] RunPortrait portraitOf(const RunAnalysis& analysis, const std::string& modelName = {});

/// One fact in which two runs differ, or that they share.
struct PortraitLine {
    std::string key; ///< stable: "device", "ranks", "engine" …
    std::string label;
    std::string a;
    std::string b;
    [[nodiscard]] bool differs() const { return a != b; }
};

[[nodiscard]] std::vector<PortraitLine> comparePortraits(const RunPortrait& a, const RunPortrait& b);
/// "2 × NVIDIA H200, eager, 9 decode steps of batch 1, 61 layers".
[[nodiscard]] std::string sentenceOf(const RunPortrait& portrait);

} // namespace lockstep
