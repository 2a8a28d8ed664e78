#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

/// What a kernel tells about the layer around it.
enum class KernelRole : std::uint8_t {
    None,
    Collective, ///< all-reduce: ends whatever came before it
    Gather,     ///< another collective; may carry tokens to the experts
    Exchange,   ///< all-to-all: dispatch or combine of expert parallelism
    Attention,
    Gemm,
    ExpertGemm, ///< an expert GEMM by name
    Norm,
    Router,  ///< chooses experts: opens the MoE phase
    Selector ///< a generic top-k or sort: a router only if GEMMs follow in the same layer
};

/// Where in its layer a GPU activity runs.
struct LayerPhase {
    static constexpr std::uint32_t kNone = 0xFFFF'FFFFu;
    bool moe = false;                   ///< after a router, before the next collective
    bool moeGeneric = false;            ///< in a MoE phase in which no kernel is an expert GEMM by name
    bool afterAttention = false;        ///< the activity before it on its stream is attention
    KernelRole next = KernelRole::None; ///< what decides next: Gemm, Attention, Norm, Collective; None at
                                        ///< the step's end
    bool selectorFirst = false;         ///< a selector or router comes before `next`
    std::uint32_t router = kNone;       ///< the activity that opened the MoE phase
};

/// The phase of each activity of one rank. `streams` are small numbers; `steps` as in RankActivities.
/// A MoE phase begins after a router and ends before the next collective, attention or norm; an exchange or
/// gather between the router and the first GEMM (the dispatch of expert parallelism) does not end it.
[[nodiscard]] std::vector<LayerPhase> layerPhases(std::span<const KernelRole> roles,
                                                  std::span<const std::uint32_t> streams,
                                                  std::span<const std::uint32_t> steps);

} // namespace lockstep
