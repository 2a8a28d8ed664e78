#include "model/run/collectives.h"

#include "model/run/steps.h"
#include "tests/support/decoderun.h"
#include "tests/support/memorytrace.h"
#include "tests/support/tracetransform.h"

#include <gtest/gtest.h>

namespace lockstep::test {
namespace {

constexpr auto kNccl = CollectiveBackend::Nccl;
constexpr auto kCustom = CollectiveBackend::Custom;
constexpr auto kSymmetric = CollectiveBackend::SymmetricMemory;
constexpr auto kFused = CollectiveBackend::Fused;
constexpr auto kExpert = CollectiveBackend::ExpertParallel;

struct NameCase {
    std::string_view name;
    CollectiveKind kind;
    CollectiveBackend backend;
};

TEST(CollectiveNames, EveryFamilyIsKnown) {
    using enum CollectiveKind;
    const NameCase cases[] = {
        {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", AllReduce, kNccl},
        {"ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)", AllGather, kNccl},
        {"ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", ReduceScatter,
         kNccl},
        {"ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", SendReceive, kNccl},
        {"ncclDevKernel_Broadcast_RING_LL(ncclDevKernelArgsStorage<4096ul>)", Broadcast, kNccl},
        {"ncclDevKernel_Reduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", Reduce, kNccl},
        {"ncclSymkDevKernel_AllReduce_RSxLDMC_AGxSTMC_sum_bf16(ncclSymkDevWorkArgs4K)", AllReduce, kNccl},
        {"ncclKernel_AllReduce_RING_LL_Sum_half(ncclWorkElem)", AllReduce, kNccl},
        {"rcclGenericKernel<1, false>(ncclDevKernelArgsStorage<4096ul>)", Other, kNccl},
        {"void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(vllm::RankData*, int)", AllReduce, kCustom},
        {"void vllm::cross_device_reduce_2stage<__half, 2>(vllm::RankData*, int)", AllReduce, kCustom},
        {"void aiter::cross_device_reduce_1stage_naive<__hip_bfloat16, 8>(aiter::RankData*)", AllReduce,
         kCustom},
        {"quickreduce::allreduce_prototype_twoshot<quickreduce::AllReduceTwoshot<half> >(half const*)",
         AllReduce, kCustom},
        {"mscclpp::allreduce6<__half>(void*, void*)", AllReduce, kCustom},
        {"void (anonymous namespace)::one_shot_all_reduce_kernel<c10::BFloat16, 16, 2>(c10::BFloat16**)",
         AllReduce, kSymmetric},
        {"void (anonymous namespace)::two_shot_all_reduce_kernel_inplace<c10::BFloat16, 16, "
         "8>(c10::BFloat16**)",
         AllReduce, kSymmetric},
        {"void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*)",
         AllReduce, kSymmetric},
        {"void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<(flashinfer::"
         "trtllm_allreduce_fusion::AllReduceFusionPattern)1, __nv_bfloat16, 8, true>(int)",
         AllReduce, kFused},
        {"void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_twoshot_sync<(int)1>(int)",
         AllReduce, kFused},
        {"void tensorrt_llm::_v1::kernels::ar_fusion::allreduce_fusion_kernel_oneshot_lamport<1>(int)",
         AllReduce, kFused},
        {"void flashinfer::trtllm_mnnvl_allreduce::twoshotAllreduceKernel<8, __nv_bfloat16>(int)", AllReduce,
         kFused},
        {"void flashinfer::trtllm_mnnvl_allreduce::rmsNormLamport<8>(int)", AllReduce, kFused},
        {"void moefinalize_allreduce_fusion_kernel_oneshot<1>(int)", AllReduce, kFused},
        {"void aiter::allreduce_fusion_kernel_1stage<__hip_bfloat16, 8>(int)", AllReduce, kFused},
        {"void aiter::custom_fused_ar_rms<8>(int)", AllReduce, kFused},
        {"void deep_ep::intranode::dispatch<8, 768, 8192>(int4*, float*)", AllToAll, kExpert},
        {"void deep_ep::internode_ll::combine<true, 7168, 9>(void*)", AllToAll, kExpert},
        {"void deep_ep::intranode::notify_dispatch<8>(int const*)", AllToAll, kExpert},
        {"void deep_ep::intranode::cached_notify_combine<8>(void**)", AllToAll, kExpert},
        {"void tensorrt_llm::kernels::moeA2ADispatchKernel<1>(int)", AllToAll, kExpert},
        {"void tensorrt_llm::kernels::moeA2ACombineKernel<1>(int)", AllToAll, kExpert},
        {"_fwd_kernel_ep_scatter_1", Other, kExpert},
        {"_fwd_kernel_ep_gather", Other, kExpert},
    };
    for (const NameCase& one : cases) {
        SCOPED_TRACE(one.name);
        const CollectiveName found = classifyCollective(one.name);
        EXPECT_TRUE(found.communication);
        EXPECT_EQ(nameOf(found.kind), nameOf(one.kind));
        EXPECT_EQ(nameOf(found.backend), nameOf(one.backend));
    }
}

TEST(CollectiveNames, OtherKernelsDoNotCommunicate) {
    for (const std::string_view name :
         {"void cublasLt::splitKreduce_kernel<32, 16, int, float>(cublasLt::Args)",
          "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>(int)",
          "void at::native::sbtopk::gatherTopK<float, unsigned int, 1, false>(int)", "memcpy32_post",
          "void softmax_warp_forward<float>(float*)", "triton_red_fused_add_all_reduce_0",
          "void FlashAttnFwdCombine<float>(int)", "void at::native::(anonymous namespace)::layer_norm(int)",
          "void blockAllReduceSum<float>(float*)", "get_dispatch_layout_unrelated", ""})
        EXPECT_FALSE(classifyCollective(name).communication) << name;
}

TEST(CollectiveNames, MetadataNamesTheKind) {
    EXPECT_EQ(kindOfCollectiveMetadata("allreduce"), CollectiveKind::AllReduce);
    EXPECT_EQ(kindOfCollectiveMetadata("_allgather_base"), CollectiveKind::AllGather);
    EXPECT_EQ(kindOfCollectiveMetadata("_reduce_scatter_base"), CollectiveKind::ReduceScatter);
    EXPECT_EQ(kindOfCollectiveMetadata("all_to_allv"), CollectiveKind::AllToAll);
    EXPECT_EQ(kindOfCollectiveMetadata("send"), CollectiveKind::SendReceive);
    EXPECT_EQ(kindOfCollectiveMetadata("gather"), CollectiveKind::Other);
}

CollectiveTable matched(const lockstep::Run& run) {
    return matchCollectives(run, findSteps(run));
}

/// Rank 1's call for each matched collective.
std::vector<std::int32_t> partners(const CollectiveTable& table) {
    std::vector<std::int32_t> calls;
    for (std::size_t i = 0; i < table.matched.size(); ++i)
        calls.push_back(table.members[i * table.calls.size() + 1]);
    return calls;
}

TEST(MatchCollectives, SequenceNumbersJoinWhateverTheClocks) {
    MemoryRun builder(2);
    for (int i = 0; i < 20; ++i) {
        // Rank 1 lost number 7, and its clock says nothing of rank 0's.
        builder.kernel(0, "ncclDevKernel_AllReduce_Sum_bf16", 1'000'000 + i * 50'000, 9'000);
        builder.collective(0, "allreduce", "0", "[0, 1]", 100 + i);
        if (i == 7)
            continue;
        builder.kernel(1, "ncclDevKernel_AllReduce_Sum_bf16", 900'000'000 + i * 50'000, 9'000);
        builder.collective(1, "allreduce", "0", "[0, 1]", 100 + i);
    }
    const CollectiveTable table = matched(*builder.build());
    ASSERT_EQ(table.matched.size(), 19u);
    ASSERT_EQ(table.unmatched[0], std::vector<std::uint32_t>{7});
    EXPECT_TRUE(table.unmatched[1].empty());
    for (std::size_t i = 0; i < 19; ++i)
        EXPECT_EQ(table.callOf(i, 0)->sequence, table.callOf(i, 1)->sequence);
}

TEST(MatchCollectives, CallsLostOnOneRankDoNotShiftTheRest) {
    DecodeRunOptions options;
    options.steps = 6;
    const auto run = decodeRun(options);
    const CollectiveTable whole = matched(*run);
    ASSERT_EQ(whole.matched.size(), 72u);
    const std::vector<CollectiveCall>& calls = whole.calls[1];
    const auto lossy = withRank(
        *run, 1, withoutActivities(run->ranks[1], {calls[0].event, calls[30].event, calls[31].event}));
    const CollectiveTable table = matched(*lossy);
    ASSERT_EQ(table.matched.size(), 69u);
    EXPECT_EQ(table.unmatched[0], (std::vector<std::uint32_t>{0, 30, 31}));
    std::int32_t next = 0;
    for (const std::int32_t call : partners(table))
        EXPECT_EQ(call, next++);
}

TEST(MatchCollectives, CapturesThatBeginAndEndApartMeetInTheMiddle) {
    DecodeRunOptions options;
    options.steps = 9;
    options.clockOffsetNs = {0, 2'000'000'000};
    const auto run = decodeRun(options);
    const StepTable steps = findSteps(*run);
    const TimeNs end = steps.steps[7].ranks[0].range.end;
    auto cut = std::make_shared<lockstep::Run>(*run);
    cut->ranks[0] = transformed(run->ranks[0], [&](EventId id) {
        return run->ranks[0].events.end(id) <= end;
    });
    cut->ranks[1] = startedAt(run->ranks[1], steps.steps[3].ranks[1].range.begin - 20'000);
    const CollectiveTable table = matched(*cut);
    EXPECT_EQ(table.matched.size(), 5u * 12u);
    EXPECT_EQ(table.unmatched[0].size(), 3u * 12u);
    EXPECT_EQ(table.unmatched[1].size(), 12u);
    const CollectiveTable whole = matched(*run);
    EXPECT_EQ(cut->ranks[0].events.begin(table.callOf(0, 0)->event),
              run->ranks[0].events.begin(whole.callOf(36, 0)->event));
    EXPECT_EQ(cut->ranks[1].events.begin(table.callOf(0, 1)->event),
              run->ranks[1].events.begin(whole.callOf(36, 1)->event));
}

TEST(MatchCollectives, ProcessGroupsOfOneNameAreKeptApartByTheirRanks) {
    MemoryRun builder(4);
    for (int i = 0; i < 12; ++i)
        for (std::size_t rank = 0; rank < 4; ++rank) {
            builder.kernel(rank, "ncclDevKernel_AllReduce_Sum_bf16",
                           5'000'000 + i * 70'000 + (rank >= 2 ? 31'000 : 0), 9'000);
            builder.collective(rank, "allreduce", "1", rank < 2 ? "[0, 1]" : "[2, 3]", i);
        }
    const CollectiveTable table = matched(*builder.build());
    ASSERT_EQ(table.matched.size(), 24u);
    for (std::size_t i = 0; i < table.matched.size(); ++i)
        EXPECT_NE(table.callOf(i, 0) == nullptr, table.callOf(i, 3) == nullptr);
}

TEST(MatchCollectives, OneRankAloneHasCallsButNoMatches) {
    DecodeRunOptions options;
    options.ranks = 1;
    const CollectiveTable table = matched(*decodeRun(options));
    EXPECT_TRUE(table.matched.empty());
    EXPECT_EQ(table.calls[0].size(), 8u * 12u);
}

TEST(MatchCollectives, CollectivesThatDoNotSynchroniseAreJoinedByStepAndPlace) {
    MemoryRun builder(2);
    for (int step = 0; step < 5; ++step)
        for (std::size_t rank = 0; rank < 2; ++rank) {
            const TimeNs begin = 10'000'000 + step * 1'000'000;
            builder.annotation(rank, "execute_context_0(0)_generation_1(1)", begin - 20'000, 400'000);
            builder.kernel(rank, "gemm", begin, 20'000);
            // In step 2 rank 1 lost a broadcast: that step cannot be joined by place, the others can.
            for (int k = 0; k < 3; ++k)
                if (step != 2 || rank == 0 || k != 1)
                    builder.kernel(rank, "ncclDevKernel_Broadcast_RING_LL",
                                   begin + 40'000 + k * 60'000 + (rank == 1 ? 25'000 : 0), 5'000);
        }
    const CollectiveTable table = matched(*builder.build());
    EXPECT_EQ(table.matched.size(), 12u);
    EXPECT_EQ(table.unmatched[0].size(), 3u);
    EXPECT_EQ(table.unmatched[1].size(), 2u);
}

TEST(MatchCollectives, ARankThatHoldsAlmostNothingDoesNotSpoilTheOthers) {
    DecodeRunOptions options;
    options.ranks = 3;
    const auto run = decodeRun(options);
    const TimeNs begin = findSteps(*run).steps[7].ranks[2].range.begin - 20'000;
    const CollectiveTable table = matched(*withRank(*run, 2, startedAt(run->ranks[2], begin)));
    EXPECT_EQ(table.matched.size(), 96u);
    EXPECT_FALSE(table.notes.empty());
}

} // namespace
} // namespace lockstep::test
