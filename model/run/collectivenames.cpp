#include "model/run/collectives.h"

#include "model/run/kernelnames.h"

#include <array>
#include <string>

namespace lockstep {

namespace {

constexpr auto kNoBackend = CollectiveBackend::Nccl;

struct Fragment {
    std::string_view text;
    CollectiveKind kind;
};

/// Order matters: "reduce_scatter" holds "reduce", "allgather" may stand in "scatter_allgather".
constexpr std::array<Fragment, 19> kKinds{{
    {"allreduce", CollectiveKind::AllReduce},
    {"all_reduce", CollectiveKind::AllReduce},
    {"reducescatter", CollectiveKind::ReduceScatter},
    {"reduce_scatter", CollectiveKind::ReduceScatter},
    {"allgather", CollectiveKind::AllGather},
    {"all_gather", CollectiveKind::AllGather},
    {"alltoall", CollectiveKind::AllToAll},
    {"all_to_all", CollectiveKind::AllToAll},
    {"all2all", CollectiveKind::AllToAll},
    {"a2a", CollectiveKind::AllToAll},
    {"sendrecv", CollectiveKind::SendReceive},
    {"send_recv", CollectiveKind::SendReceive},
    {"broadcast", CollectiveKind::Broadcast},
    {"barrier", CollectiveKind::Barrier},
    {"dispatch", CollectiveKind::AllToAll},
    {"combine", CollectiveKind::AllToAll},
    {"send", CollectiveKind::SendReceive},
    {"recv", CollectiveKind::SendReceive},
    {"reduce", CollectiveKind::Reduce},
}};

bool contains(std::string_view text, std::string_view fragment) {
    return text.find(fragment) != std::string_view::npos;
}

template <std::size_t N>
bool containsAny(std::string_view text, const std::array<std::string_view, N>& fragments) {
    for (const std::string_view fragment : fragments)
        if (contains(text, fragment))
            return true;
    return false;
}

CollectiveKind kindIn(std::string_view text) {
    for (const Fragment& fragment : kKinds)
        if (contains(text, fragment.text))
            return fragment.kind;
    return CollectiveKind::Other;
}

bool isNccl(std::string_view head) {
    constexpr std::array<std::string_view, 7> kNccl{
        "nccldevkernel",     "ncclkernel",        "ncclsymkdevkernel", "ncclsymdevkernel",
        "rcclgenerickernel", "ncclgenerickernel", "rcclkernel"};
    return containsAny(head, kNccl);
}

bool isFused(std::string_view head) {
    constexpr std::array<std::string_view, 10> kFused{
        "allreduce_fusion", "ar_fusion",       "fused_ar_rms",   "twoshotallreducekernel", "rmsnormlamport",
        "allreducefusion",  "mnnvl_allreduce", "allreduce_norm", "allreducenorm",          "fused_allreduce"};
    return containsAny(head, kFused);
}

bool isSymmetric(std::string_view head) {
    constexpr std::array<std::string_view, 6> kSymmetric{"one_shot_all_reduce", "two_shot_all_reduce",
                                                         "multimem_",           "symm_mem",
                                                         "symmetric_memory",    "lowlatencyallgather"};
    return containsAny(head, kSymmetric);
}

/// Expert parallelism: what crosses ranks, and the local steps around it (which do not synchronise).
CollectiveName expertParallel(std::string_view head) {
    constexpr std::array<std::string_view, 7> kLocal{
        "ep_scatter", "ep_gather", "moe_prepare", "moeprepare", "layout", "clean_low_latency", "a2aprepare"};
    constexpr std::array<std::string_view, 6> kCrossing{"deep_ep::", "moea2a",        "pplx",
                                                        "nvshmem",   "cached_notify", "notify_dispatch"};
    const bool crossing = containsAny(head, kCrossing);
    if (containsAny(head, kLocal) && (crossing || !contains(head, "layout")))
        return {CollectiveKind::Other, CollectiveBackend::ExpertParallel, true};
    if (!crossing)
        return {};
    CollectiveKind kind = kindIn(head);
    if (kind == CollectiveKind::Reduce || kind == CollectiveKind::SendReceive)
        kind = CollectiveKind::AllToAll;
    return {kind, CollectiveBackend::ExpertParallel, true};
}

bool isCustom(std::string_view head) {
    constexpr std::array<std::string_view, 6> kCustom{
        "cross_device_reduce", "quickreduce", "quick_reduce", "mscclpp", "msccl", "custom_all_reduce"};
    return containsAny(head, kCustom);
}

/// A collective's full word in the name of a kernel of no known library.
bool hasCollectiveWord(std::string_view head) {
    constexpr std::array<std::string_view, 9> kWords{"allreduce",  "all_reduce",    "allgather",
                                                     "all_gather", "reducescatter", "reduce_scatter",
                                                     "alltoall",   "all_to_all",    "all2all"};
    constexpr std::array<std::string_view, 5> kLocal{"blockallreduce", "warpallreduce", "block_all_reduce",
                                                     "warp_all_reduce", "block_allreduce"};
    // Inductor's names list the operations that were fused into a kernel, not what it does.
    return containsAny(head, kWords) && !containsAny(head, kLocal) && !head.starts_with("triton_");
}

} // namespace

std::string_view nameOf(CollectiveKind kind) {
    constexpr std::array<std::string_view, 9> kNames{"allreduce", "allgather", "reduce_scatter",
                                                     "alltoall",  "broadcast", "reduce",
                                                     "send_recv", "barrier",   "other"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string_view nameOf(CollectiveBackend backend) {
    constexpr std::array<std::string_view, 5> kNames{"nccl", "custom", "symmetric_memory", "fused",
                                                     "expert_parallel"};
    return kNames[static_cast<std::size_t>(backend)];
}

bool synchronises(CollectiveKind kind) {
    return kind == CollectiveKind::AllReduce || kind == CollectiveKind::AllGather ||
           kind == CollectiveKind::ReduceScatter || kind == CollectiveKind::AllToAll ||
           kind == CollectiveKind::Barrier;
}

CollectiveKind kindOfCollectiveMetadata(std::string_view text) {
    std::string lower = headOfKernelName(text);
    if (lower == "send" || lower == "recv")
        return CollectiveKind::SendReceive;
    if (lower == "gather" || lower == "scatter")
        return CollectiveKind::Other;
    return kindIn(lower);
}

CollectiveName classifyCollective(std::string_view kernelName) {
    const std::string head = headOfKernelName(kernelName);
    if (isNccl(head))
        return {kindIn(head.substr(head.find("ccl"))), CollectiveBackend::Nccl, true};
    if (isFused(head))
        return {CollectiveKind::AllReduce, CollectiveBackend::Fused, true};
    if (const CollectiveName expert = expertParallel(head); expert.communication)
        return expert;
    if (isSymmetric(head)) {
        const CollectiveKind kind = kindIn(head);
        return {kind, CollectiveBackend::SymmetricMemory, true};
    }
    if (isCustom(head)) {
        const CollectiveKind kind = kindIn(head);
        // `cross_device_reduce` and quickreduce are all-reduces, whatever their names say.
        return {kind == CollectiveKind::Reduce || kind == CollectiveKind::Other ? CollectiveKind::AllReduce
                                                                                : kind,
                CollectiveBackend::Custom, true};
    }
    if (hasCollectiveWord(head))
        return {kindIn(head), CollectiveBackend::Custom, true};
    return {CollectiveKind::Other, kNoBackend, false};
}

} // namespace lockstep
