#pragma once

#include <cstddef>
#include <cstdint>

namespace lockstep {

/// What a colour stands for; the same in every view. The order is the palette's.
enum class ColourRole : std::uint8_t {
    AllReduce,
    AllToAll,
    Attention,
    MoeGemm,
    OtherGemm,
    Routing,
    DtypeCast,
    EverythingElse,
    Waiting,  ///< the part of a collective in which it waits for the last rank
    Lateness, ///< a rank that others wait for
    Kernel,   ///< of no known category
    Copy,
    Annotation,
    CpuOp,
    Launch,
    Python,
    Other,
};
inline constexpr std::size_t kColourRoles = static_cast<std::size_t>(ColourRole::Other) + 1;

} // namespace lockstep
