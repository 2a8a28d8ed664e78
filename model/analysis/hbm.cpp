#include "model/analysis/hbm.h"

#include "model/core/resource.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace lockstep {

namespace {

/// Collects terms; formulas show layers × shape × width ÷ ranks.
class TermList {
public:
    explicit TermList(const HbmInputs& inputs)
        : m_inputs(inputs) {}

    void add(std::string name, std::string_view part, std::string shape, double elements, bool sharded) {
        HbmTerm& term = append(std::move(name), part, std::move(shape), elements, sharded);
        term.bytes = elements * bytesPerElement(term.width) / (sharded ? m_inputs.tensorParallel : 1);
    }
    /// A cache whose heads go to `shards` GPUs.
    void addCache(std::string name, std::string shape, double elements, double shards) {
        HbmTerm& term = append(std::move(name), "kv_cache", std::move(shape), elements, shards > 1);
        term.keyValueCache = true;
        term.bytes = elements * bytesPerElement(term.width) / shards;
    }
    std::vector<HbmTerm> take() { return std::move(m_terms); }

private:
    HbmTerm& append(std::string name, std::string_view part, std::string shape, double elements,
                    bool sharded) {
        HbmTerm term;
        term.name = std::move(name);
        term.width = m_inputs.model.widthOf(part);
        term.elements = elements;
        term.sharded = sharded;
        term.formula = fmt::format("{} × {:.6g} B", shape, bytesPerElement(term.width));
        if (sharded && m_inputs.tensorParallel > 1)
            term.formula += fmt::format(" ÷ {}", m_inputs.tensorParallel);
        m_terms.push_back(std::move(term));
        return m_terms.back();
    }

    const HbmInputs& m_inputs;
    std::vector<HbmTerm> m_terms;
};

double product(std::initializer_list<std::int64_t> factors) {
    double result = 1;
    for (const std::int64_t factor : factors)
        result *= static_cast<double>(factor);
    return result;
}

void addFeedForward(const HbmInputs& inputs, TermList& terms) {
    const HbmModel& m = inputs.model;
    if (m.expertLayers() > 0) {
        const double hit = expectedExpertsHit(m.routedExperts, m.expertsPerToken, inputs.batch);
        terms.add("Routed experts", "routed_experts",
                  fmt::format("{} layers × {:.4g} of {} experts hit × 3 × {} × {}", m.expertLayers(), hit,
                              m.routedExperts, m.hidden, m.expertIntermediate),
                  hit * product({m.expertLayers(), 3, m.hidden, m.expertIntermediate}), true);
        if (m.sharedExperts > 0)
            terms.add("Shared experts", "shared_experts",
                      fmt::format("{} layers × {} × 3 × {} × {}", m.expertLayers(), m.sharedExperts, m.hidden,
                                  m.expertIntermediate),
                      product({m.expertLayers(), m.sharedExperts, 3, m.hidden, m.expertIntermediate}), true);
        terms.add("Router", "router",
                  fmt::format("{} layers × {} × {}", m.expertLayers(), m.hidden, m.routedExperts),
                  product({m.expertLayers(), m.hidden, m.routedExperts}), false);
    }
    if (m.denseLayers > 0)
        terms.add("Dense MLP", "dense_mlp",
                  fmt::format("{} layers × 3 × {} × {}", m.denseLayers, m.hidden, m.denseIntermediate),
                  product({m.denseLayers, 3, m.hidden, m.denseIntermediate}), true);
}

void addLatentAttention(const HbmModel& m, TermList& terms) {
    terms.add("Attention down-projections (q_a, kv_a)", "attention",
              fmt::format("{} layers × {} × ({} + {} + {})", m.layers, m.hidden, m.queryRank, m.latentRank,
                          m.ropeSize),
              product({m.layers, m.hidden, m.queryRank + m.latentRank + m.ropeSize}), false);
    terms.add("Attention query up-projection (q_b)", "attention",
              fmt::format("{} layers × {} × {} heads × ({} + {})", m.layers, m.queryRank, m.heads, m.nopeSize,
                          m.ropeSize),
              product({m.layers, m.queryRank, m.heads, m.nopeSize + m.ropeSize}), true);
    terms.add("Attention key and value up-projections (kv_b)", "attention",
              fmt::format("{} layers × {} × {} heads × ({} + {})", m.layers, m.latentRank, m.heads,
                          m.nopeSize, m.valueSize),
              product({m.layers, m.latentRank, m.heads, m.nopeSize + m.valueSize}), true);
    terms.add("Attention output projection", "attention",
              fmt::format("{} layers × {} heads × {} × {}", m.layers, m.heads, m.valueSize, m.hidden),
              product({m.layers, m.heads, m.valueSize, m.hidden}), true);
}

void addGroupedAttention(const HbmInputs& inputs, TermList& terms) {
    const HbmModel& m = inputs.model;
    terms.add("Attention query and output projections", "attention",
              fmt::format("{} layers × 2 × {} × {} heads × {}", m.layers, m.hidden, m.heads, m.headSize),
              product({m.layers, 2, m.hidden, m.heads, m.headSize}), true);
    // With fewer key heads than GPUs each GPU holds one whole head: it is copied, not divided.
    const std::int64_t stored = std::max<std::int64_t>(m.keyValueHeads, inputs.tensorParallel);
    terms.add(
        "Attention key and value projections", "attention",
        fmt::format("{} layers × 2 × {} × {} heads{} × {}", m.layers, m.hidden, stored,
                    stored > m.keyValueHeads ? fmt::format(" ({} copied to all GPUs)", m.keyValueHeads) : "",
                    m.headSize),
        product({m.layers, 2, m.hidden, stored, m.headSize}), true);
}

void addAttention(const HbmInputs& inputs, TermList& terms) {
    const HbmModel& m = inputs.model;
    if (m.attention == HbmModel::Attention::Latent)
        addLatentAttention(m, terms);
    else
        addGroupedAttention(inputs, terms);
    if (m.indexerHeads > 0) {
        const std::int64_t queryWidth = m.queryRank > 0 ? m.queryRank : m.hidden;
        const std::int64_t rows =
            queryWidth * m.indexerHeads * m.indexerHeadSize + m.hidden * (m.indexerHeadSize + m.indexerHeads);
        terms.add("Sparse attention's indexer", "indexer",
                  fmt::format("{} layers × ({} × {} × {} + {} × ({} + {}))", m.layers, queryWidth,
                              m.indexerHeads, m.indexerHeadSize, m.hidden, m.indexerHeadSize, m.indexerHeads),
                  product({m.layers, rows}), false);
    }
}

void addCaches(const HbmInputs& inputs, TermList& terms) {
    const HbmModel& m = inputs.model;
    if (inputs.contextTokens <= 0)
        return;
    // Sparse attention reads the chosen entries only, its indexer one small key of every token.
    const std::int64_t read =
        m.indexerTopK > 0 ? std::min(inputs.contextTokens, m.indexerTopK) : inputs.contextTokens;
    if (m.attention == HbmModel::Attention::Latent) {
        const std::int64_t entry = m.latentRank + m.ropeSize;
        terms.addCache("KV cache (latent)",
                       fmt::format("{} layers × {} sequences × {} tokens × ({} + {})", m.layers, inputs.batch,
                                   read, m.latentRank, m.ropeSize),
                       product({m.layers, inputs.batch, read, entry}), 1);
    } else {
        const std::int64_t stored = std::max<std::int64_t>(m.keyValueHeads, inputs.tensorParallel);
        terms.addCache("KV cache",
                       fmt::format("{} layers × {} sequences × {} tokens × 2 × {} heads × {}", m.layers,
                                   inputs.batch, read, stored, m.headSize),
                       product({m.layers, inputs.batch, read, 2, stored, m.headSize}), inputs.tensorParallel);
    }
    if (m.indexerHeads > 0)
        terms.addCache("Indexer's keys",
                       fmt::format("{} layers × {} sequences × {} tokens × {}", m.layers, inputs.batch,
                                   inputs.contextTokens, m.indexerHeadSize),
                       product({m.layers, inputs.batch, inputs.contextTokens, m.indexerHeadSize}), 1);
}

void addRest(const HbmInputs& inputs, TermList& terms) {
    const HbmModel& m = inputs.model;
    terms.add("Output head", "head", fmt::format("{} × {}", m.hidden, m.vocabulary),
              product({m.hidden, m.vocabulary}), true);
    terms.add("Embedding rows", "head", fmt::format("{} tokens × {}", inputs.batch, m.hidden),
              product({inputs.batch, m.hidden}), false);
    const std::int64_t latent =
        m.attention == HbmModel::Attention::Latent ? m.queryRank + m.latentRank : 2 * m.headSize;
    terms.add("Norms", "norms",
              fmt::format("({} layers × (2 × {} + {}) + {})", m.layers, m.hidden, latent, m.hidden),
              product({m.layers, 2 * m.hidden + latent}) + static_cast<double>(m.hidden), false);
}

/// The efficiency the case study reports for `model`, if it does.
std::optional<double> reportedEfficiency(const std::string& model) {
    const nlohmann::json document = nlohmann::json::parse(builtinResource("case_study.json"), nullptr, false);
    if (!document.is_object() || !document.contains("runs"))
        return std::nullopt;
    for (const nlohmann::json& run : document["runs"])
        if (run.value("model", "") == model && run.contains("hbm_efficiency_percent"))
            return run["hbm_efficiency_percent"].get<double>();
    return std::nullopt;
}

/// bytes ÷ (peak × time) in percent, unless that cannot be: then a sentence goes to `problems`.
std::optional<double> percentOf(double bytes, const HbmInputs& inputs, std::optional<TimeNs> time,
                                std::string_view what, std::vector<std::string>& problems) {
    if (!time || *time <= 0)
        return std::nullopt;
    const double percent = 100 * bytes / (inputs.device.bytesPerSecond * static_cast<double>(*time) * 1e-9);
    if (percent <= 100)
        return percent;
    problems.push_back(fmt::format(
        "The {} efficiency comes out at {:.0f} %, which cannot be: the model, its widths, the number "
        "of GPUs, the bandwidth or the time is not this run's.",
        what, percent));
    return std::nullopt;
}

} // namespace

double expectedExpertsHit(std::int64_t experts, std::int64_t perToken, int batch) {
    const auto all = static_cast<double>(experts);
    return -all * std::expm1(batch * std::log1p(-static_cast<double>(perToken) / all));
}

HbmResult hbmEfficiency(const HbmInputs& inputs) {
    HbmResult result;
    result.inputs = inputs;
    result.inputs.batch = std::max(1, inputs.batch);
    result.inputs.tensorParallel = std::max(1, inputs.tensorParallel);

    TermList terms(result.inputs);
    addFeedForward(result.inputs, terms);
    addAttention(result.inputs, terms);
    addRest(result.inputs, terms);
    addCaches(result.inputs, terms);
    result.terms = terms.take();
    for (const HbmTerm& term : result.terms)
        (term.keyValueCache ? result.keyValueBytes : result.weightBytes) += term.bytes;

    result.stepPercent = percentOf(result.bytes(), inputs, inputs.stepNs, "step", result.problems);
    if (result.stepPercent)
        result.stepWeightsPercent =
            percentOf(result.weightBytes, inputs, inputs.stepNs, "step", result.problems);
    result.kernelPercent = percentOf(result.bytes(), inputs, inputs.kernelNs, "kernel", result.problems);
    if (inputs.device.memoryBytes > 0 && result.bytes() > inputs.device.memoryBytes)
        result.problems.push_back(
            fmt::format("A step would read {:.0f} GB, more than the {:.0f} GB of memory: the model or the "
                        "number of GPUs is not this run's.",
                        result.bytes() / 1e9, inputs.device.memoryBytes / 1e9));
    result.reportedPercent = reportedEfficiency(inputs.model.name);
    return result;
}

} // namespace lockstep
