#pragma once

#include "model/core/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// The shape of a language model and the width each part is stored at: all that decides what a step must
/// read.
struct HbmModel {
    enum class Attention : std::uint8_t { Latent, Grouped };

    std::string name;  ///< "kimi-k2.5-int4"
    std::string title; ///< for display
    std::string source;
    std::vector<std::string> aliases;
    int layers = 0;
    int denseLayers = 0; ///< of them, without routed experts
    std::int64_t hidden = 0;
    std::int64_t denseIntermediate = 0;
    std::int64_t vocabulary = 0;

    std::int64_t routedExperts = 0;
    std::int64_t expertsPerToken = 0;
    std::int64_t sharedExperts = 0;
    std::int64_t expertIntermediate = 0;

    Attention attention = Attention::Grouped;
    std::int64_t heads = 0;
    std::int64_t keyValueHeads = 0; ///< grouped attention
    std::int64_t headSize = 0;      ///< grouped attention
    std::int64_t queryRank = 0;     ///< latent attention: q_lora
    std::int64_t latentRank = 0;    ///< kv_lora
    std::int64_t ropeSize = 0;
    std::int64_t nopeSize = 0;
    std::int64_t valueSize = 0;

    std::int64_t indexerHeads = 0; ///< sparse attention's indexer; 0: none
    std::int64_t indexerHeadSize = 0;
    std::int64_t indexerTopK = 0;

    /// Width by part: attention, dense_mlp, shared_experts, routed_experts, router, indexer, head, norms,
    /// kv_cache.
    std::map<std::string, std::string, std::less<>> widths;

    [[nodiscard]] int expertLayers() const { return layers - denseLayers; }
    /// The width of `part`; "bf16" where none is given.
    [[nodiscard]] std::string_view widthOf(std::string_view part) const;
};

/// Bytes an element takes at `width`, its share of the scales included; 0 if there is no such width.
[[nodiscard]] double bytesPerElement(std::string_view width);
/// How `width` is made up, in words ("INT4, groups of 32 with a bf16 scale").
[[nodiscard]] std::string_view describeWidth(std::string_view width);
/// Names of all widths, for choosing.
[[nodiscard]] std::vector<std::string_view> widthNames();

/// Names of the built-in models.
[[nodiscard]] std::vector<std::string> hbmModelNames();
/// The built-in model of that name or alias (case and punctuation do not matter), or the one in that JSON
/// file. Errors: neither; the file's fields are missing or absurd.
[[nodiscard]] Result<HbmModel> findHbmModel(std::string_view nameOrFile);
/// A model from JSON text as in resources/models; `file` is for messages.
[[nodiscard]] Result<HbmModel> parseHbmModel(std::string_view text, std::string_view file);

} // namespace lockstep
