#include "model/analysis/comparisonsubject.h"

#include "model/analysis/namepattern.h"
#include "model/analysis/runanalysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace lockstep {

namespace {

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// Whether any kernel that ran on the first rank has a name with `part`.
bool anyKernel(const RunAnalysis& analysis, std::string_view part) {
    if (analysis.run->ranks.empty() || analysis.steps.ranks.empty())
        return false;
    const RankTrace& trace = analysis.run->ranks.front();
    std::vector<bool> seen(trace.strings->size());
    for (const EventId event : analysis.steps.ranks.front().events) {
        const StringId name = trace.events.name(event);
        if (name.index() >= seen.size() || seen[name.index()])
            continue;
        seen[name.index()] = true;
        if (contains(trace.strings->view(name), part))
            return true;
    }
    return false;
}

void guessEngine(const RunAnalysis& analysis, RunPortrait& portrait) {
    auto is = [&portrait](const char* engine, std::string evidence) {
        portrait.engine = engine;
        portrait.engineEvidence = std::move(evidence);
    };
    for (const RankTrace& trace : analysis.run->ranks) {
        if (const auto it = trace.header.other.find("vllm_version"); it != trace.header.other.end())
            return is("vLLM", fmt::format("the trace's metadata gives vllm_version {}", it->second));
    }
    static constexpr std::array<std::array<const char*, 2>, 4> kKernels = {
        {{"vllm::", "vLLM"},
         {"sgl_", "SGLang"},
         {"sglang", "SGLang"},
         {"tensorrt_llm::kernels", "TensorRT-LLM"}}};
    static constexpr std::array<std::array<const char*, 2>, 4> kMarkers = {
        {{"execute_context_", "vLLM"},
         {"execute_new_", "vLLM"},
         {"step[", "SGLang"},
         {"scheduler.run_batch", "SGLang"}}};
    for (const Step& step : analysis.steps.steps)
        for (const auto& [part, engine] : kMarkers)
            if (step.name.starts_with(part))
                return is(engine, fmt::format("steps are marked '{}'", step.name));
    for (const auto& [part, engine] : kKernels)
        if (anyKernel(analysis, part))
            return is(engine, fmt::format("kernels are named '{}…'", part));
    for (const Step& step : analysis.steps.steps)
        if (step.name.starts_with("ProfilerStep"))
            return is("PyTorch", "steps are marked 'ProfilerStep'");
    is("unknown", "neither markers nor kernel names tell");
}

void describeSteps(const RunAnalysis& analysis, RunPortrait& portrait) {
    const StepTable& steps = analysis.steps;
    portrait.stepSource = nameOf(steps.source);
    portrait.steps = steps.steps.size();
    const std::vector<std::uint32_t> typical = steps.typicalSteps();
    portrait.typicalSteps = typical.size();
    bool first = true;
    for (const std::uint32_t index : typical) {
        const Step& step = steps.steps[index];
        if (first) {
            portrait.stepKind = nameOf(step.kind);
            portrait.batch = step.generationTokens;
        }
        if (portrait.stepKind != nameOf(step.kind))
            portrait.stepKind = "mixed";
        if (portrait.batch != step.generationTokens)
            portrait.batch.reset();
        first = false;
        for (const RankStep& rank : step.ranks)
            portrait.layers = std::max(portrait.layers, rank.layers);
    }
}

void describeCollectives(const RunAnalysis& analysis, RunPortrait& portrait) {
    const CollectiveTable& table = analysis.collectives;
    const std::vector<std::uint32_t> typical = analysis.steps.typicalSteps();
    std::map<std::pair<std::string, std::string>, std::map<std::int64_t, std::size_t>> uses;
    for (const auto& ofRank : table.calls)
        for (const CollectiveCall& call : ofRank)
            if (call.group < table.groups.size() &&
                std::binary_search(typical.begin(), typical.end(), call.step)) {
                const CollectiveGroup& group = table.groups[call.group];
                ++uses[{std::string(nameOf(group.kind)), std::string(nameOf(group.backend))}][group.bytes];
            }
    const std::size_t cells = std::max<std::size_t>(1, typical.size() * table.calls.size());
    for (const auto& [what, bytes] : uses) {
        CollectiveUse use;
        use.kind = what.first;
        use.backend = what.second;
        std::size_t calls = 0;
        std::size_t most = 0;
        for (const auto& [size, count] : bytes) {
            calls += count;
            if (count > most) {
                most = count;
                use.bytes = size;
            }
        }
        use.callsPerStep = static_cast<double>(calls) / static_cast<double>(cells);
        portrait.collectives.push_back(std::move(use));
    }
    std::sort(portrait.collectives.begin(), portrait.collectives.end(),
              [](const CollectiveUse& a, const CollectiveUse& b) {
                  return a.callsPerStep > b.callsPerStep;
              });
}

void guessModel(RunPortrait& portrait) {
    struct Known {
        const char* part;
        const char* name;
    };
    static constexpr Known kNames[] = {{"kimi", "Kimi-K2.5"},       {"glm-5", "GLM-5"}, {"glm", "GLM"},
                                       {"deepseek", "DeepSeek-V3"}, {"qwen", "Qwen3"},  {"llama", "Llama"}};
    const std::string lower = toLowerAscii(portrait.name);
    for (const Known& known : kNames)
        if (contains(lower, known.part)) {
            portrait.model = known.name;
            portrait.modelEvidence = "the run's name";
            return;
        }
    // An all-reduce of tensor parallelism moves one hidden vector of two bytes an element for each token.
    std::int64_t hidden = 0;
    for (const CollectiveUse& use : portrait.collectives)
        if (use.kind == "allreduce" && use.bytes > 0 && hidden == 0)
            hidden = use.bytes / 2 / std::max<std::int64_t>(1, portrait.batch.value_or(1));
    if (portrait.layers == 61 && (hidden == 7168 || hidden == 0))
        portrait.model = "Kimi-K2.5 or DeepSeek-V3";
    else if (portrait.layers == 78 && (hidden == 6144 || hidden == 0))
        portrait.model = "GLM-5";
    else
        portrait.model = "unknown";
    portrait.modelEvidence = fmt::format("{} layers", portrait.layers);
    if (hidden > 0)
        portrait.modelEvidence += fmt::format(", hidden size {}", hidden);
}

bool mostlyGraphs(const RunAnalysis& analysis) {
    std::size_t total = 0;
    std::size_t shared = 0;
    for (std::size_t r = 0; r < analysis.run->ranks.size() && r < analysis.steps.ranks.size(); ++r) {
        const RankTrace& trace = analysis.run->ranks[r];
        for (const EventId event : analysis.steps.ranks[r].events) {
            ++total;
            const std::uint32_t correlation = trace.events.correlation(event);
            if (correlation != 0 && trace.launches.activitiesOf(correlation).size() > 1)
                ++shared;
        }
    }
    return total > 0 && shared * 2 > total;
}

/// Inside graphs the sizes of messages are not recorded: they are compared only where both runs have them.
bool sizesKnown(const RunPortrait& portrait) {
    return std::all_of(portrait.collectives.begin(), portrait.collectives.end(),
                       [](const CollectiveUse& use) {
                           return use.bytes >= 0;
                       });
}

std::string collectivesText(const RunPortrait& portrait, bool sizes) {
    std::string text;
    for (const CollectiveUse& use : portrait.collectives) {
        text += fmt::format("{}{:.0f} {} ({})", text.empty() ? "" : ", ", use.callsPerStep, use.kind,
                            use.backend);
        if (sizes)
            text += fmt::format(" of {} bytes", use.bytes);
    }
    return text.empty() ? "none" : text;
}

} // namespace

RunPortrait portraitOf(const RunAnalysis& analysis, const std::string& modelName) {
    RunPortrait portrait;
    portrait.name = analysis.run->name;
    portrait.ranks = analysis.run->ranks.size();
    portrait.worldSize = analysis.run->worldSize;
    for (const RankTrace& trace : analysis.run->ranks) {
        portrait.synthetic = portrait.synthetic || trace.header.other.contains("lockstep_synthetic");
        const std::string device = trace.deviceName();
        if (portrait.device.empty())
            portrait.device = device;
        else if (!device.empty() && !contains(portrait.device, device))
            portrait.device += ", " + device;
    }
    describeSteps(analysis, portrait);
    describeCollectives(analysis, portrait);
    portrait.graphs = mostlyGraphs(analysis);
    guessEngine(analysis, portrait);
    if (modelName.empty()) {
        guessModel(portrait);
    } else {
        portrait.model = modelName;
        portrait.modelEvidence = "as told";
    }
    return portrait;
}

std::vector<PortraitLine> comparePortraits(const RunPortrait& a, const RunPortrait& b) {
    const bool sizes = sizesKnown(a) && sizesKnown(b);
    auto number = [](auto value) {
        return fmt::format("{}", value);
    };
    auto batch = [](const RunPortrait& p) {
        return p.batch ? fmt::format("{}", *p.batch) : "varies or unknown";
    };
    auto device = [](const RunPortrait& p) {
        return p.device.empty() ? std::string("unknown") : p.device;
    };
    auto origin = [](const RunPortrait& p) {
        return std::string(p.synthetic ? "synthetic" : "captured");
    };
    auto launch = [](const RunPortrait& p) {
        return std::string(p.graphs ? "CUDA graphs" : "eager");
    };
    return {{"model", "model (a guess, unless told)", a.model, b.model},
            {"engine", "engine (a guess)", a.engine, b.engine},
            {"origin", "traces", origin(a), origin(b)},
            {"device", "GPU", device(a), device(b)},
            {"ranks", "ranks", number(a.ranks), number(b.ranks)},
            {"world_size", "world size", number(a.worldSize), number(b.worldSize)},
            {"launch", "launch", launch(a), launch(b)},
            {"step_kind", "kind of steps compared", a.stepKind, b.stepKind},
            {"steps", "steps compared", number(a.typicalSteps), number(b.typicalSteps)},
            {"batch", "batch", batch(a), batch(b)},
            {"layers", "layers", number(a.layers), number(b.layers)},
            {"collectives", "collectives a step", collectivesText(a, sizes), collectivesText(b, sizes)}};
}

std::string sentenceOf(const RunPortrait& portrait) {
    std::string text = fmt::format("{} × {}, {}, {} {} step{}", portrait.ranks,
                                   portrait.device.empty() ? "unknown GPU" : portrait.device,
                                   portrait.graphs ? "CUDA graphs" : "eager", portrait.typicalSteps,
                                   portrait.stepKind, portrait.typicalSteps == 1 ? "" : "s");
    if (portrait.batch)
        text += fmt::format(" of batch {}", *portrait.batch);
    if (portrait.layers > 0)
        text += fmt::format(", {} layers", portrait.layers);
    text += ", engine " + portrait.engine;
    return portrait.synthetic ? "synthetic traces, " + text : text;
}

} // namespace lockstep
