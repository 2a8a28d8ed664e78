#include "model/analysis/categories.h"
#include "tests/model/runsketch.h"

#include <gtest/gtest.h>

using namespace lockstep;
using lockstep::test::RunSketch;

namespace {

const CategoryRules& rules() {
    static const CategoryRules builtin = CategoryRules::builtin().value();
    return builtin;
}

std::string idOf(std::uint8_t category) {
    return rules().set.categories[category].id;
}

/// The categories of kernels that follow each other on one stream.
std::vector<std::string> sequenceOf(const std::vector<std::string>& names) {
    RunSketch sketch;
    sketch.sequence(names).build();
    const CategoryTable table = categorise(sketch.run, sketch.steps, rules());
    std::vector<std::string> ids;
    for (const std::uint8_t category : table.category[0])
        ids.push_back(idOf(category));
    return ids;
}

struct Named {
    const char* name;
    const char* category;
};

class KernelName : public testing::TestWithParam<Named> {};

TEST_P(KernelName, HasItsCategory) {
    const CategoryVerdict verdict = verdictOfName(rules(), GetParam().name);
    EXPECT_EQ(idOf(verdict.category), GetParam().category) << GetParam().name << ": " << verdict.reason;
    EXPECT_FALSE(verdict.reason.empty());
}

const char kDirectCopy[] =
    "at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() "
    "const::{lambda()#7}::operator()() const::{lambda(float)#1}";

constexpr Named kNames[] = {
    // all-reduce fused with norm
    {"void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<(flashinfer::"
     "trtllm_allreduce_fusion::AllReduceFusionPattern)1, __nv_bfloat16, 8, true>",
     "allreduce_fused"},
    {"void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_twoshot_sync<1, __nv_bfloat16, 8>",
     "allreduce_fused"},
    {"void tensorrt_llm::_v1::kernels::ar_fusion::allreduce_fusion_kernel_oneshot_lamport<2, __nv_bfloat16, "
     "8>",
     "allreduce_fused"},
    {"void flashinfer::trtllm_mnnvl_allreduce::twoshotAllreduceKernel<8, __nv_bfloat16>", "allreduce_fused"},
    {"void flashinfer::trtllm_mnnvl_allreduce::rmsNormLamport<__nv_bfloat16>", "allreduce_fused"},
    {"void tensorrt_llm::kernels::ar_fusion::moe::moefinalize_allreduce_fusion_kernel_oneshot_lamport<4>",
     "allreduce_fused"},
    {"void aiter::allreduce_fusion_kernel_1stage<__hip_bfloat16, 8>", "allreduce_fused"},
    {"custom_fused_ar_rms", "allreduce_fused"},
    // custom all-reduce
    {"void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(vllm::RankData*, vllm::RankSignals)",
     "allreduce_custom"},
    {"void vllm::cross_device_reduce_2stage<__nv_bfloat16, 8>", "allreduce_custom"},
    {"void aiter::cross_device_reduce_1stage_naive<__hip_bfloat16, 8>", "allreduce_custom"},
    {"void aiter::cross_device_reduce_2stage_write_mode<__hip_bfloat16, 8>", "allreduce_custom"},
    {"void quickreduce::allreduce_prototype_twoshot<quickreduce::AllReduceTwoshot<half>>",
     "allreduce_custom"},
    {"void (anonymous namespace)::two_shot_all_reduce_kernel_inplace<c10::BFloat16, 16, 8>",
     "allreduce_custom"},
    {"void (anonymous namespace)::one_shot_all_reduce_kernel<c10::BFloat16, 16, 2>", "allreduce_custom"},
    {"void multimem_all_reduce_kernel<c10::BFloat16, 16>", "allreduce_custom"},
    {"mscclpp::allreduce7<__nv_bfloat16>", "allreduce_custom"},
    {"void tensorrt_llm::kernels::oneShotAllReduceKernel<__nv_bfloat16, 8, true>", "allreduce_custom"},
    // NCCL
    {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "allreduce_nccl"},
    {"ncclDevKernel_AllReduce_Sum_bf16_TREE_LL(ncclDevKernelArgsStorage<4096ul>)", "allreduce_nccl"},
    {"ncclSymkDevKernel_AllReduce_RSxLDMC_AGxSTMC_sum_bf16(ncclSymkDevWorkArgs)", "allreduce_nccl"},
    {"ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)", "allreduce_nccl"},
    {"ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "other_collective"},
    {"ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "other_collective"},
    {"ncclDevKernel_Broadcast_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "other_collective"},
    {"ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", "all_to_all"},
    {"rcclGenericKernel<1, false>(ncclDevKernelArgsStorage<4096ul>)", "other_collective"},
    // expert parallelism
    {"void deep_ep::intranode::dispatch<8, 768, 8192>(int4*, float*)", "all_to_all"},
    {"void deep_ep::intranode::combine<__nv_bfloat16, 8, 768>", "all_to_all"},
    {"void deep_ep::internode::notify_dispatch<false, 2>", "all_to_all"},
    {"void deep_ep::internode_ll::dispatch<true, 3, 7168>", "all_to_all"},
    {"void deep_ep::internode_ll::combine<true, 3, 7168, 9>", "all_to_all"},
    {"void deep_ep::intranode::cached_notify_combine<8>", "all_to_all"},
    {"void tensorrt_llm::kernels::moe_comm::moeA2ADispatchKernel<8>", "all_to_all"},
    {"void tensorrt_llm::kernels::moe_comm::moeA2ACombineKernel<__nv_bfloat16>", "all_to_all"},
    {"void tensorrt_llm::kernels::moe_prepare::computeCountAndIndiceDevice", "all_to_all"},
    {"pplx::a2a_dispatch_send_kernel", "all_to_all"},
    {"nvshmemi_proxy_kernel", "all_to_all"},
    {"_fwd_kernel_ep_scatter_1", "all_to_all"},
    {"_fwd_kernel_ep_scatter_2", "all_to_all"},
    {"_fwd_kernel_ep_gather", "all_to_all"},
    // experts
    {"void marlin_moe_wna16::Marlin<1125899906909960l, 1125899906843648l, 256, 1, 8, 8, true, 4, 2, false>",
     "moe_gemm"},
    {"fused_moe_kernel", "moe_gemm"},
    {"fused_moe_kernel_gptq_awq", "moe_gemm"},
    {"bmm_E2m1_E2m1E2m1_Fp32_t128x8x512u2_s6_et64x8_m128x8x64_cga1x1x1_16dp256b_TN_transOut_schedS_bN_ldgsts_"
     "tma_tmaOpt_clmp_swiGlu_dynBatch_sm100f",
     "moe_gemm"},
    {"bmm_Bfloat16_E2m1E2m1_Fp32_t128x8x512u2_s6_et128x8_m128x8x64_cga1x1x1_16dp256b_TN_transOut_schedS_bN_"
     "dynBatch",
     "moe_gemm"},
    {"bmm_MxE4m3_MxE2m1MxE4m3_Fp32_t128x8x512_s3_et128x8_m128x8x32_cga1x1x1", "moe_gemm"},
    {"void "
     "cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<cutlass::gemm::GroupProblemShape<cute::"
     "tuple<int, int, int>>, float>>",
     "moe_gemm"},
    {"group_gemm_fp8_kernel", "moe_gemm"},
    {"void deep_gemm::sm90_m_grouped_fp8_gemm_masked_1d2d_impl<7168u, 4096u>", "moe_gemm"},
    {"moe_mxgemm_2lds<64, 128>", "moe_gemm"},
    {"fmoe_bf16_pertokenFp8_g1u1_vs_silu_1tg_ps_32x256", "moe_gemm"},
    {"void tensorrt_llm::kernels::cutlass_kernels::MoeFCGemm<float>", "moe_gemm"},
    // dense GEMMs
    {"nvjet_sm100_tst_64x8_64x16_4x1_v_bz_splitK_TNT", "other_gemm"},
    {"nvjet_sm90_qqtst_64x8_128x16_1x2_h_bz_algo2_TNT", "other_gemm"},
    {"void cublasLt::splitKreduce_kernel<32, 16, int, float, __nv_bfloat16, float, __nv_bfloat16, false>",
     "other_gemm"},
    {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64_warpgroupsize1x1x1_execute_segment_k_off_"
     "kernel",
     "other_gemm"},
    {"void gemvx::kernel<int, int, __nv_bfloat16, __nv_bfloat16, __nv_bfloat16, float, false>", "other_gemm"},
    {"void gemv2T_kernel_val<int, int, __nv_bfloat16, __nv_bfloat16, float, 128, 16, 4, 4, false>",
     "other_gemm"},
    {"void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<cute::tuple<int, int, int, int>, "
     "float>>",
     "other_gemm"},
    {"void deep_gemm::sm90_fp8_gemm_1d2d_impl<(cute::UMMA::Major)0, 0u, 2112u, 7168u, 1u>", "other_gemm"},
    {"_w8a8_block_fp8_matmul", "other_gemm"},
    {"void fused_a_gemm_kernel<1, 2112, 7168, 16, 16, 256, 16>", "other_gemm"},
    {"void router_gemm_kernel_bf16_output<__nv_bfloat16, 128, 8, 1, 256, 7168>", "other_gemm"},
    {"void marlin::Marlin<1125899906909960l, 1125899906843648l, 256, 1, 8, 8, true, 4, 2>", "other_gemm"},
    {"Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x192x64_MI16x16x1_SN", "other_gemm"},
    {"void at::native::tinygemm_m16n8k16_chunk_kernel<at::native::ALayout_RM<0>, "
     "at::native::BLayout_TC_int4<8, 128>>",
     "other_gemm"},
    {"ampere_sgemm_128x64_nn", "other_gemm"},
    {"void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_256x64_16x4_nn_align4>", "other_gemm"},
    {"sm80_xmma_wgrad_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nhwc", "other_gemm"},
    {"triton_tem_fused_mm_0", "other_gemm"},
    // attention: cutlass is not always a GEMM
    {"void "
     "cutlass::device_kernel<flash::enable_sm90_or_later<flash::FlashAttnFwdSm90<flash::CollectiveMainloop>>"
     ">",
     "attention"},
    {"void flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<128, 64, 128, 4>>", "attention"},
    {"void flash::flash_fwd_splitkv_mla_kernel<Flash_fwd_kernel_traits_mla<576, 64, 64, 8>>", "attention"},
    {"void cutlass::device_kernel<flash::FlashAttnFwdCombine<cute::tuple<cute::C<8>>>>", "attention"},
    {"void flash::prepare_varlen_num_blocks_kernel<1, false>", "attention"},
    {"fmhaSm100fKernel_QkvE4m3OBfloat16HQk576HV512HVPerCta256PagedKvDenseP32MultiCtasKvCgaVarSeqQ8Kv128",
     "attention"},
    {"fmhaSm100aKernel_QkvBfloat16OBfloat16H128PagedKvCausal", "attention"},
    {"void fmhaReductionKernel<cutlass::bfloat16_t, 512, true>", "attention"},
    {"void flashinfer::BatchDecodeWithPagedKVCacheKernel<(flashinfer::PosEncodingMode)0, 2u, 4u, 8u>",
     "attention"},
    {"void flashinfer::BatchPrefillWithPagedKVCacheKernel<flashinfer::KernelTraits>", "attention"},
    {"void flashinfer::mla::BatchMLAPagedAttentionKernel<flashinfer::mla::KernelTraits>", "attention"},
    {"void flashinfer::PersistentVariableLengthMergeStatesKernel<8u, 16u, 8u, 4u>", "attention"},
    {"mla_a8w8_qh16_qseqlen1_gqaratio16_ps", "attention"},
    {"void deep_gemm::sm90_fp8_paged_mqa_logits<1u, 64u, 128u>", "attention"},
    {"deep_gemm::smxx_paged_mqa_logits_metadata<32u, 4u>", "attention"},
    {"void (anonymous namespace)::topk_transform_decode_kernel", "attention"},
    {"void fast_topk_v2_kernel<2048>", "attention"},
    {"void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16, __nv_bfloat16, 0>", "attention"},
    {"void vllm::reshape_and_cache_kernel<__nv_bfloat16, unsigned char, 1>", "attention"},
    {"void vllm::concat_and_cache_mla_kernel<__nv_bfloat16, __nv_bfloat16, 0>", "attention"},
    {"void tensorrt_llm::kernels::applyMLARopeAndAssignQKVKernelGeneration<__nv_bfloat16, 256>", "attention"},
    {"fused_qk_rope_concat_and_cache_mla_per_head_kernel", "attention"},
    {"void vllm::rotary_embedding_kernel<c10::BFloat16, true>", "attention"},
    {"cudnn_generated_fort_native_sdpa_sm80_flash_fprop_wmma_f16_knob_35_16x128x256_1x4x1_cga1x1x1_kernel0_0",
     "attention"},
    {"attn_fwd", "attention"},
    {"_fwd_grouped_kernel_stage1", "attention"},
    // routing
    {"void vllm::moe::topkGatingSoftmax<4, 32, 4, 8, 32>", "routing"},
    {"void vllm::moe::topkGating<8, 256, 4, 16, 32, int, __nv_bfloat16, 0>", "routing"},
    {"void vllm::moe::grouped_topk_fused_kernel<__nv_bfloat16, float, int, 1>", "routing"},
    {"void moe_fused_gate_kernel<cutlass::bfloat16_t, cutlass::Array<float, 32>, 32, 256, 8>", "routing"},
    {"void kimi_k2_moe_fused_gate_kernel<384, 8>", "routing"},
    {"void vllm::moe::moe_align_block_size_kernel<int>", "routing"},
    {"void vllm::moe::count_and_sort_expert_tokens_kernel<int>", "routing"},
    {"void moe::dev::routing::routingDeepSeek::routingIndicesClusterKernel<256>", "routing"},
    {"void moe::dev::routing::routingRenormalize::routingIndicesBlockKernel", "routing"},
    {"void moe::dev::routing::routingDeepSeek::routingMainKernel", "routing"},
    {"ck_tile::MoeSortingKernel", "routing"},
    {"void tensorrt_llm::kernels::cutlass_kernels::expandInputRowsKernel<__nv_bfloat16>", "routing"},
    {"void tensorrt_llm::kernels::cutlass_kernels::computeStridesTmaWarpSpecializedKernel", "routing"},
    {"void moe::dev::finalize::finalizeKernel<float>", "routing"},
    {"void tensorrt_llm::kernels::cutlass_kernels::finalizeMoeRoutingKernel<__nv_bfloat16>", "routing"},
    {"void vllm::moe::moe_sum_kernel<c10::BFloat16, 8>", "routing"},
    {"void moe_sum_reduce_kernel_warp_token_topk<8>", "routing"},
    // quantisation and casts
    {"void vllm::cvt_fp16_to_fp4<__nv_bfloat16, false>", "quantisation"},
    {"void tensorrt_llm::kernels::quantize_with_block_size<0, __nv_bfloat16, 16, false>", "quantisation"},
    {"void per_token_group_quant_8bit_kernel<c10::BFloat16, c10::Float8_e4m3fn, true>", "quantisation"},
    {"_per_token_group_quant_fp8", "quantisation"},
    {"void vllm::scaled_fp8_quant_kernel_strided<c10::BFloat16, c10::Float8_e4m3fn>", "quantisation"},
    {"void vllm::dynamic_per_token_scaled_fp8_quant_kernel<c10::BFloat16>", "quantisation"},
    {"void at::native::vectorized_elementwise_kernel<4, "
     "at::native::float8_copy_kernel_cuda(at::TensorIteratorBase&)::"
     "{lambda(c10::BFloat16)#1}, std::array<char*, 2ul> >",
     "quantisation"},
    {"void at::native::vectorized_elementwise_kernel<8, "
     "at::native::float16_copy_kernel_cuda(at::TensorIteratorBase&)>",
     "dtype_cast"},
    {"void at::native::vectorized_elementwise_kernel<8, "
     "at::native::bfloat16_copy_kernel_cuda(at::TensorIteratorBase&)>",
     "dtype_cast"},
    {"void at::native::elementwise_kernel<128, 4, at::native::direct_copy_kernel_cuda, "
     "at::native::memory::LoadWithCast<1>, "
     "at::native::memory::StoreWithCast<1> >",
     "dtype_cast"},
    {"triton_poi_fused__to_copy_3", "dtype_cast"},
    {"triton_poi_fused__to_copy_view_1", "dtype_cast"},
    {"triton_poi_fused__to_copy_mul_silu_split_0", "elementwise"},
    {"void at::native::unrolled_elementwise_kernel<at::native::CUDAFunctor_add<float>, std::array<char*, "
     "3ul>, 4, "
     "at::native::memory::LoadWithCast<2>, at::native::memory::StoreWithCast<1> >",
     "elementwise"},
    {"void at::native::elementwise_kernel<128, 4, "
     "at::native::gpu_kernel_impl_nocast<at::native::direct_copy_kernel_cuda"
     "(at::TensorIteratorBase&)::{lambda(c10::BFloat16)#1}> >",
     "copy_kernel"},
    // norm, activation and the rest
    {"void vllm::rms_norm_kernel<c10::BFloat16, 8, 2>", "norm"},
    {"void vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>", "norm"},
    {"void flashinfer::norm::FusedAddRMSNormKernel<8u, __nv_bfloat16>", "norm"},
    {"void flashinfer::norm::RMSNormKernel<8u, __nv_bfloat16>", "norm"},
    {"void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float, true>",
     "norm"},
    {"triton_red_fused_add_mean_mul_pow_rsqrt_0", "norm"},
    {"void vllm::rms_norm_dynamic_per_token_quant_kernel<c10::BFloat16, c10::Float8_e4m3fn, false>", "norm"},
    {"void vllm::act_and_mul_kernel<c10::BFloat16, &(c10::BFloat16 vllm::silu_kernel<c10::BFloat16>), true>",
     "elementwise"},
    {"void flashinfer::activation::act_and_mul_kernel<__nv_bfloat16, &(silu(float const&))>", "elementwise"},
    {"swiglu_quant_kernel", "elementwise"},
    {"_silu_and_mul_kernel", "elementwise"},
    {"void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, "
     "1ul> >",
     "elementwise"},
    {"void at::native::vectorized_elementwise_kernel<8, at::native::CUDAFunctor_add<c10::BFloat16>, "
     "std::array<char*, "
     "3ul> >",
     "elementwise"},
    {"void at::native::reduce_kernel<128, 4, at::native::ReduceOp<c10::BFloat16, "
     "at::native::func_wrapper_t<c10::BFloat16, "
     "at::native::sum_functor<c10::BFloat16, float, c10::BFloat16> > > >",
     "elementwise"},
    {"triton_red_fused__unsafe_view_add_mean_mul_1", "elementwise"},
    {"void at::native::(anonymous namespace)::CatArrayBatchedCopy<at::native::OpaqueType<2u>, unsigned int, "
     "2, 64, 64>",
     "copy_kernel"},
    {"memcpy32_post", "copy_kernel"},
    {"void at::native::sbtopk::gatherTopK<float, unsigned int, 1, false>", "sampling"},
    {"void at::native::bitonicSortKVInPlace<-2, -1, 16, 16, float, long, at::native::GTOp<float, true>, "
     "unsigned int>",
     "sampling"},
    {"void at_cuda_detail::cub::DeviceRadixSortOnesweepKernel<>", "sampling"},
    {"void at::native::(anonymous namespace)::cunn_SoftMaxForward<4, float, float, float>", "sampling"},
    {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<c10::BFloat16, "
     "at::native::ArgMaxOps<float>, unsigned "
     "int, long, 4, 4> >",
     "sampling"},
    {"void flashinfer::sampling::TopKTopPSamplingFromProbKernel<1024u>", "sampling"},
    {"Memcpy DtoH (Device -> Pinned)", "memory_copy"},
    {"Memcpy DtoD (Device -> Device)", "memory_copy"},
    {"Memset (Device)", "memory_copy"},
    {"at::cuda::(anonymous namespace)::spin_kernel(long)", "synchronisation"},
    {"unknown", "unclassified"},
    {"zz_never_seen_anywhere", "unclassified"},
};
static_assert(std::size(kNames) >= 120);

INSTANTIATE_TEST_SUITE_P(InTheField, KernelName, testing::ValuesIn(kNames));

TEST(Categories, AnUnrolledDirectCopyIsACastAndAPlainOneIsNot) {
    const std::string cast = std::string("void at::native::unrolled_elementwise_kernel<") + kDirectCopy + ">";
    EXPECT_EQ(idOf(verdictOfName(rules(), cast).category), "dtype_cast");
    const std::string copy = std::string("void at::native::elementwise_kernel<128, 4, ") + kDirectCopy + ">";
    EXPECT_EQ(idOf(verdictOfName(rules(), copy).category), "copy_kernel");
}

TEST(Categories, GenericGemmsAfterAGenericTopKAreTheExperts) {
    const std::vector<std::string> expected = {"norm",     "other_gemm",  "routing",  "routing",
                                               "moe_gemm", "elementwise", "moe_gemm", "allreduce_nccl",
                                               "norm",     "other_gemm"};
    EXPECT_EQ(sequenceOf({"rms_norm_kernel", "nvjet_router", "gatherTopK", "bitonicSortKVInPlace", "nvjet_up",
                          "silu_kernel", "nvjet_down", "ncclDevKernel_AllReduce_Sum", "rms_norm_kernel",
                          "nvjet_qkv"}),
              expected);
}

TEST(Categories, ADenseLayerHasNoExperts) {
    const std::vector<std::string> expected = {"other_gemm", "elementwise", "other_gemm", "allreduce_nccl"};
    EXPECT_EQ(sequenceOf({"nvjet_up", "silu_kernel", "nvjet_down", "ncclDevKernel_AllReduce_Sum"}), expected);
}

TEST(Categories, GenericGemmsBesideNamedExpertsAreSharedExperts) {
    const std::vector<std::string> expected = {"routing", "moe_gemm",   "elementwise", "moe_gemm",
                                               "routing", "other_gemm", "other_gemm",  "allreduce_nccl"};
    EXPECT_EQ(sequenceOf({"topkGatingSoftmax", "marlin_moe_wna16::Marlin", "silu_kernel",
                          "marlin_moe_wna16::Marlin", "moe_sum_kernel", "nvjet_shared_up",
                          "nvjet_shared_down", "ncclDevKernel_AllReduce_Sum"}),
              expected);
}

TEST(Categories, TheDispatchOfExpertParallelismDoesNotEndTheMoePhase) {
    const std::vector<std::string> expected = {"routing",    "all_to_all", "moe_gemm",  "moe_gemm",
                                               "all_to_all", "norm",       "other_gemm"};
    EXPECT_EQ(sequenceOf({"topkGating", "deep_ep::intranode::dispatch", "nvjet_up", "nvjet_down",
                          "deep_ep::intranode::combine", "rms_norm_kernel", "nvjet_qkv"}),
              expected);
}

TEST(Categories, WithoutCollectivesTheNextNormEndsTheMoePhase) {
    const std::vector<std::string> expected = {"routing", "moe_gemm",   "moe_gemm",
                                               "norm",    "other_gemm", "attention"};
    EXPECT_EQ(
        sequenceOf({"topkGating", "nvjet_up", "nvjet_down", "rms_norm_kernel", "nvjet_qkv", "attn_fwd"}),
        expected);
}

TEST(Categories, ATopKThatLeadsToNothingSamples) {
    const std::vector<std::string> expected = {"norm", "other_gemm", "other_collective", "sampling",
                                               "sampling"};
    EXPECT_EQ(sequenceOf({"rms_norm_kernel", "nvjet_head", "ncclDevKernel_AllGather_RING", "gatherTopK",
                          "cunn_SoftMaxForward"}),
              expected);
}

TEST(Categories, ATopKThatLeadsToAttentionBelongsToTheIndexer) {
    const std::vector<std::string> expected = {"attention", "attention", "attention", "other_gemm"};
    EXPECT_EQ(sequenceOf({"sm90_fp8_paged_mqa_logits", "gatherTopK", "attn_fwd", "nvjet_out"}), expected);
}

TEST(Categories, ASoftmaxIsToldByWhatFollows) {
    EXPECT_EQ(sequenceOf({"cunn_SoftMaxForward", "gatherTopK", "nvjet_up"})[0], "routing");
    EXPECT_EQ(sequenceOf({"nvjet_qk", "cunn_SoftMaxForward", "nvjet_pv"})[1], "attention");
    EXPECT_EQ(sequenceOf({"cunn_SoftMaxForward", "multinomial"})[0], "sampling");
}

TEST(Categories, AReductionDirectlyAfterAttentionJoinsItsParts) {
    const std::vector<std::string> after =
        sequenceOf({"attn_fwd", "cudnn::fusion::lean_reduction_kernel", "nvjet"});
    EXPECT_EQ(after[1], "attention");
    EXPECT_EQ(sequenceOf({"nvjet", "cudnn::fusion::lean_reduction_kernel"})[1], "elementwise");
}

TEST(Categories, SharedExpertsOnAnotherStreamStayDense) {
    RunSketch sketch;
    sketch
        .rank({{"topkGating", 0, 10, 1},
               {"nvjet_shared", 12, 10, 2},
               {"nvjet_up", 15, 10, 1},
               {"nvjet_down", 30, 10, 1},
               {"ncclDevKernel_AllReduce", 50, 10, 2}})
        .build();
    const CategoryTable table = categorise(sketch.run, sketch.steps, rules());
    EXPECT_EQ(idOf(table.category[0][1]), "other_gemm");
    EXPECT_EQ(idOf(table.category[0][2]), "moe_gemm");
    EXPECT_EQ(idOf(table.category[0][3]), "moe_gemm");
}

TEST(Categories, ExpertsOnAnotherStreamThanTheRouterAreFound) {
    RunSketch sketch;
    sketch.rank({{"topkGating", 0, 10, 1}, {"nvjet_up", 15, 10, 2}, {"ncclDevKernel_AllReduce", 50, 10, 2}})
        .build();
    EXPECT_EQ(idOf(categorise(sketch.run, sketch.steps, rules()).category[0][1]), "moe_gemm");
}

TEST(Categories, AStepsEndEndsTheMoePhase) {
    RunSketch sketch;
    sketch.rank({{"topkGating", 0, 10, 1, 0}, {"nvjet_up", 15, 10, 1, 0}, {"nvjet_qkv", 30, 10, 1, 1}})
        .build();
    const CategoryTable table = categorise(sketch.run, sketch.steps, rules());
    EXPECT_EQ(idOf(table.category[0][1]), "moe_gemm");
    EXPECT_EQ(idOf(table.category[0][2]), "other_gemm");
}

TEST(Categories, TheLaunchingOpDecidesWhereTheNameCannot) {
    RunSketch sketch;
    sketch.rank({{"unknown", 0, 10, 1, 0, "aten::mm"}, {"unknown", 20, 10, 1, 0, ""}}).build();
    const CategoryTable table = categorise(sketch.run, sketch.steps, rules());
    EXPECT_EQ(idOf(table.category[0][0]), "other_gemm");
    EXPECT_EQ(idOf(table.category[0][1]), "unclassified");
    const CategoryVerdict verdict = verdictOf(sketch.run, sketch.steps, rules(), 0, 0);
    EXPECT_EQ(verdict.ruleId, "op-gemm");
    EXPECT_NE(verdict.reason.find("aten::mm"), std::string::npos);
}

TEST(Categories, TheReasonNamesRuleAndRouter) {
    RunSketch sketch;
    sketch.sequence({"topkGating", "nvjet_up"}).build();
    const CategoryVerdict verdict = verdictOf(sketch.run, sketch.steps, rules(), 0, 1);
    EXPECT_EQ(verdict.ruleId, "gemm-of-experts");
    EXPECT_NE(verdict.reason.find("nvjet"), std::string::npos);
    EXPECT_NE(verdict.reason.find("topkGating"), std::string::npos);
}

TEST(Categories, UnmatchedNamesAreListedWithTheirShare) {
    RunSketch sketch;
    sketch.rank({{"zz_a", 0, 10}, {"zz_b", 10, 30}, {"nvjet", 40, 60}}).build();
    const CategoryTable table = categorise(sketch.run, sketch.steps, rules());
    const auto names = unmatchedNames(sketch.run, sketch.steps, rules(), table);
    ASSERT_EQ(names.size(), 2u);
    EXPECT_EQ(sketch.run.strings->view(names[0].name), "zz_b");
    EXPECT_DOUBLE_EQ(names[0].share, 0.3);
    EXPECT_EQ(names[1].count, 1u);
}

TEST(CategoryRules, AUsersRuleComesFirst) {
    const auto extended = rules().extendedBy(
        R"({"rules": [{"id": "mine", "category": "routing", "name": "nvjet"}]})", "user.json");
    ASSERT_TRUE(extended) << extended.error().toLine();
    EXPECT_EQ(verdictOfName(*extended, "nvjet_x").ruleId, "mine");
    EXPECT_EQ(verdictOfName(*extended, "nvjet_x").category, *rules().set.find("routing"));
    EXPECT_EQ(extended->rules.size(), rules().rules.size() + 1);
}

TEST(CategoryRules, AUsersRuleOfTheSameIdReplaces) {
    const auto extended = rules().extendedBy(
        R"({"rules": [{"id": "gemm-dense", "category": "sampling", "name": "nvjet"}]})", "user.json");
    ASSERT_TRUE(extended) << extended.error().toLine();
    EXPECT_EQ(extended->rules.size(), rules().rules.size());
    EXPECT_EQ(verdictOfName(*extended, "nvjet_x").category, *rules().set.find("sampling"));
}

TEST(CategoryRules, AUserCanDisableARule) {
    const auto extended = rules().extendedBy(R"({"disable": ["spin"]})", "user.json");
    ASSERT_TRUE(extended) << extended.error().toLine();
    EXPECT_EQ(verdictOfName(*extended, "spin_kernel_x").category, rules().unclassified);
}

TEST(CategoryRules, AUserCanAddACategory) {
    const auto extended =
        rules().extendedBy(R"({"categories": [{"id": "lora", "label": "LoRA", "group": "other_gemm"}],
        "rules": [{"id": "lora", "category": "lora", "name": "lora_shrink|lora_expand"}]})",
                           "user.json");
    ASSERT_TRUE(extended) << extended.error().toLine();
    const std::uint8_t lora = verdictOfName(*extended, "_lora_expand_kernel").category;
    EXPECT_EQ(extended->set.categories[lora].label, "LoRA");
    EXPECT_EQ(extended->set.groupOf(lora).id, "other_gemm");
}

TEST(CategoryRules, MistakesInAUsersFileAreNamed) {
    const std::pair<const char*, const char*> mistakes[] = {
        {"[1", "JSON"},
        {R"({"rules": [{"id": "a", "category": "nowhere", "name": "x"}]})", "nowhere"},
        {R"({"rules": [{"id": "a", "category": "norm", "name": "(x"}]})", "regular expression"},
        {R"({"rules": [{"id": "a", "category": "norm", "nam": "x"}]})", "\"nam\""},
        {R"({"rules": [{"id": "a", "category": "norm", "phase": "lunch"}]})", "lunch"},
        {R"({"rules": {"id": "a"}})", "list"},
        {R"({"rules": [{"category": "norm"}]})", "id"},
        {R"({"disable": ["no-such-rule"]})", "no-such-rule"},
    };
    for (const auto& [text, word] : mistakes) {
        const auto extended = rules().extendedBy(text, "user.json");
        ASSERT_FALSE(extended) << text;
        EXPECT_EQ(extended.error().file, "user.json");
        EXPECT_NE(extended.error().message.find(word), std::string::npos) << extended.error().message;
    }
}

TEST(NamePattern, MatchesLikeTheRegularExpressionThatItReplaces) {
    const char* const expressions[] = {"ab|cd", "a.*b",  "^ab",   "ab$",   "^ab$", "a_?b",
                                       "x\\.y", "a.*b$", "^a.*c", "[xy]z", "a+b"};
    const char* const names[] = {"ab",  "xxab", "abxx", "cd",  "a_b", "azzb", "azzbc",
                                 "x.y", "xay",  "yz",   "aab", "",    "abc",  "a"};
    for (const char* const expression : expressions) {
        const auto pattern = NamePattern::compile(expression);
        ASSERT_TRUE(pattern);
        const std::regex regex(expression, std::regex::icase);
        for (const char* const name : names)
            EXPECT_EQ(pattern->matches(name), std::regex_search(name, regex)) << expression << " in " << name;
    }
}

TEST(NamePattern, IgnoresCase) {
    EXPECT_TRUE(NamePattern::compile("NvJet")->matches(toLowerAscii("NVJET_x")));
}

} // namespace
