#include "model/synthetic/presets.h"
#include "model/synthetic/stepbuilder.h"

namespace lockstep {

namespace {

constexpr int kHidden = 6144;
constexpr int kLayers = 78;
constexpr int kDenseLayers = 3;
constexpr double kAllReduceUs = 78;

struct Kernels {
    std::uint16_t embedding, addNorm, cast, latentNorm, down, up, indexer, indexerTopK, cache, attention,
        combine, output, gate, select, align, experts, activation, sum, add, head, allReduce, argmax,
        copyToken;
};

SyntheticKernel gemm(const char* name, int rows, int columns, std::array<int, 3> grid) {
    return {name,
            SyntheticGroup::OtherGemm,
            grid,
            {384, 1, 1},
            168,
            98484,
            driverLaunch(),
            nestedOp("aten::linear", "aten::mm", {{1, rows}, {rows, columns}}),
            5000};
}

SyntheticKernel small(const char* name, SyntheticGroup group, const char* op, int width) {
    return {name, group, {1, 1, 1}, {256, 1, 1}, 32, 0, {}, plainOp(op, {{1, width}, {1, width}}), 4600};
}

void denseKernels(StepBuilder& build, Kernels& k) {
    SyntheticKernel cast{
        "void "
        "at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)"
        "::"
        "{lambda()#3}::operator()() const::{lambda()#12}::operator()() const::{lambda(c10::BFloat16)#1}, "
        "std::array<char*, "
        "2ul>, 4, TrivialOffsetCalculator<1, unsigned int>, TrivialOffsetCalculator<1, unsigned int>, "
        "at::native::memory::LoadWithCast<1>, at::native::memory::StoreWithCast<1> >(int, "
        "at::native::direct_copy_kernel_cuda"
        "(at::TensorIteratorBase&)::{lambda()#3}::operator()() const::{lambda()#12}::operator()() const::"
        "{lambda(c10::BFloat16)#1}, std::array<char*, 2ul>, TrivialOffsetCalculator<1, unsigned int>, "
        "TrivialOffsetCalculator<1, unsigned int>, at::native::memory::LoadWithCast<1>, "
        "at::native::memory::StoreWithCast<1>)",
        SyntheticGroup::DtypeCast,
        {114688, 1, 1},
        {128, 1, 1},
        32,
        0,
        {},
        nestedOp("aten::to", "aten::copy_", {{256, 512, kHidden}, {256, 512, kHidden}}),
        6000};
    k.cast = build.kernel(cast);
    k.down = build.kernel(gemm("nvjet_sm120_tst_64x8_64x16_4x1_v_bz_TNT", kHidden, 2624, {4, 41, 1}));
    k.up = build.kernel(gemm("nvjet_sm120_tst_64x8_64x16_2x1_v_bz_TNT", 2048, 2048, {2, 32, 1}));
    k.output = build.kernel(gemm("nvjet_sm120_tst_64x8_64x16_4x1_v_bz_NNT", 2048, kHidden, {4, 24, 1}));
    k.gate = build.kernel(gemm("nvjet_sm120_tst_64x8_64x16_1x1_h_bz_TNT", kHidden, 256, {1, 4, 8}));
    k.head = build.kernel(gemm("nvjet_sm120_tst_128x8_64x12_2x1_v_bz_TNT", kHidden, 19360, {2, 76, 1}));
    k.embedding = build.kernel(small("void at::native::(anonymous namespace)::vectorized_gather_kernel<16, "
                                     "long>(char*, char*, long*, int, long, long, "
                                     "long, long, bool)",
                                     SyntheticGroup::Other, "aten::embedding", kHidden));
    k.addNorm = build.kernel(small("void flashinfer::norm::FusedAddRMSNormKernel<8u, "
                                   "__nv_bfloat16>(__nv_bfloat16*, __nv_bfloat16*, __nv_bfloat16*, "
                                   "unsigned int, unsigned int, unsigned int, float, float)",
                                   SyntheticGroup::Other, "sgl_kernel::fused_add_rmsnorm", kHidden));
    k.latentNorm = build.kernel(small("void flashinfer::norm::RMSNormKernel<8u, "
                                      "__nv_bfloat16>(__nv_bfloat16*, __nv_bfloat16*, __nv_bfloat16*, "
                                      "unsigned int, unsigned int, unsigned int, float, float)",
                                      SyntheticGroup::Other, "sgl_kernel::rmsnorm", 2048));
    k.add = build.kernel(small(
        "void at::native::vectorized_elementwise_kernel<8, at::native::CUDAFunctor_add<c10::BFloat16>, "
        "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul>)",
        SyntheticGroup::Other, "aten::add", kHidden));
    k.activation = build.kernel(small("void flashinfer::activation::act_and_mul_kernel<__nv_bfloat16, "
                                      "&silu>(__nv_bfloat16*, __nv_bfloat16 const*, "
                                      "int)",
                                      SyntheticGroup::Other, "sgl_kernel::silu_and_mul", 2048));
}

void attentionKernels(StepBuilder& build, Kernels& k) {
    k.indexer = build.kernel(
        small("void deep_gemm::sm100_fp8_paged_mqa_logits<1u, 32u, 128u, 64u, 3u, 4u, 256u, 128u, "
              "512u>(unsigned int, unsigned "
              "long, unsigned long, unsigned int const*, float*, unsigned int const*, unsigned int const*, "
              "CUtensorMap_st, CUtensorMap_st, CUtensorMap_st, CUtensorMap_st)",
              SyntheticGroup::Attention, "deep_gemm::fp8_paged_mqa_logits", 4096));
    k.indexerTopK =
        build.kernel(small("topk_transform_decode_kernel(TopKParams, int*, int const*, long)",
                           SyntheticGroup::Attention, "sgl_kernel::fast_topk_transform_fused", 2048));
    k.cache =
        build.kernel(small("void concat_and_cache_mla_kernel<__nv_bfloat16>(__nv_bfloat16*, __nv_bfloat16*, "
                           "__nv_bfloat16*, long const*, int, int, int)",
                           SyntheticGroup::Attention, "sgl_kernel::concat_mla_k", 576));
    k.attention = build.kernel({"void flash::flash_fwd_splitkv_mla_kernel<Flash_fwd_kernel_traits_mla<576, "
                                "64, 64, 8, cutlass::bfloat16_t, 512>, "
                                "true, flash::SharedStorageMLA<Flash_fwd_kernel_traits_mla<576, 64, 64, 8, "
                                "cutlass::bfloat16_t, 512>>>"
                                "(flash::Flash_fwd_mla_params)",
                                SyntheticGroup::Attention,
                                {1, 1, 94},
                                {256, 1, 1},
                                255,
                                98304,
                                extendedLaunch(),
                                plainOp("sgl_kernel::flash_mla_with_kvcache", {{1, 8, 576}, {1, 8, 512}}),
                                5000});
    k.combine = build.kernel(
        {"void cutlass::device_kernel<flash::FlashAttnFwdCombine<cute::tuple<cute::C<8>, cute::C<128>>, 7, "
         "256, 1, false, "
         "true, cutlass::bfloat16_t, float, "
         "cutlass::arch::Sm90>>(flash::FlashAttnFwdCombine<cute::tuple<cute::C<8>, "
         "cute::C<128>>, 7, 256, 1, false, true, cutlass::bfloat16_t, float, cutlass::arch::Sm90>::Params)",
         SyntheticGroup::Attention,
         {1, 8, 1},
         {256, 1, 1},
         64,
         33024,
         extendedLaunch(),
         plainOp("sgl_kernel::fwd_combine", {{1, 8, 512}}),
         4600});
}

void expertKernels(StepBuilder& build, Kernels& k) {
    k.select = build.kernel(
        small("void moe_fused_gate_kernel<float, 32, 8, 1, 1, 6, 8>(void*, void*, float*, int*, long, long, "
              "long, long, double, bool)",
              SyntheticGroup::Routing, "sgl_kernel::moe_fused_gate", 256));
    k.align = build.kernel(
        small("void moe_align_block_size_kernel<int>(int const*, int*, int*, int*, int*, int, int, int, "
              "unsigned long, bool, int)",
              SyntheticGroup::Routing, "sgl_kernel::moe_align_block_size", 8));
    k.experts = build.kernel({"fused_moe_kernel",
                              SyntheticGroup::MoeGemm,
                              {768, 1, 1},
                              {128, 1, 1},
                              168,
                              73728,
                              {"cuda_driver", "cuLaunchKernelEx", 652},
                              plainOp("sglang::fused_experts", {{1, kHidden}, {256, 512, kHidden}}),
                              6000});
    k.sum = build.kernel(
        small("_moe_sum_reduce_kernel", SyntheticGroup::Routing, "sglang::moe_sum_reduce", kHidden));
    k.allReduce = build.kernel(ncclAllReduce(kHidden));
    k.argmax = build.kernel(small("void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, "
                                  "at::native::ArgMaxOps<float>, unsigned "
                                  "int, long, 4, 4> >(at::native::ReduceOp<float, "
                                  "at::native::ArgMaxOps<float>, unsigned int, long, 4, 4>)",
                                  SyntheticGroup::Other, "aten::argmax", 154880));
    SyntheticKernel copy = small("Memcpy DtoH (Device -> Pinned)", SyntheticGroup::Other, "aten::copy_", 1);
    copy.copyBytes = 8;
    copy.launch = {"cuda_runtime", "cudaMemcpyAsync", 41};
    k.copyToken = build.kernel(copy);
}

void allReduce(StepBuilder& build, const Kernels& k) {
    build.add(k.allReduce, kAllReduceUs).collective = true;
}

/// The weights are cast right before the GEMM that uses them.
void castGemm(StepBuilder& build, const Kernels& k, std::uint16_t kernel, double castUs, double gemmUs) {
    build.add(k.cast, castUs);
    build.add(kernel, gemmUs);
}

void attentionBlock(StepBuilder& build, const Kernels& k) {
    build.add(k.addNorm, 2.6);
    castGemm(build, k, k.down, 26, 12);
    build.add(k.latentNorm, 1.8);
    castGemm(build, k, k.up, 22, 10);
    build.add(k.indexer, 9);
    build.add(k.indexerTopK, 8);
    build.add(k.cache, 3);
    build.add(k.attention, 42);
    build.add(k.combine, 5);
    castGemm(build, k, k.output, 60, 14);
    build.add(k.add, 2.4).stallPoint = true;
    allReduce(build, k);
}

void feedForwardBlock(StepBuilder& build, const Kernels& k, bool dense) {
    build.add(k.addNorm, 2.6);
    if (dense) {
        castGemm(build, k, k.down, 90, 22);
        build.add(k.activation, 2.4);
        castGemm(build, k, k.output, 46, 14);
    } else {
        build.add(k.gate, 5);
        build.add(k.select, 7);
        build.add(k.align, 6);
        // All local experts are cast, whether the token goes to them or not: that is what the step costs.
        castGemm(build, k, k.experts, 800, 160);
        build.add(k.activation, 2.4);
        castGemm(build, k, k.experts, 400, 92);
        build.add(k.sum, 6);
    }
    build.add(k.add, 2.4);
    allReduce(build, k);
}

} // namespace

PlannedStep glmStep() {
    PlannedStep step;
    step.preset = "glm-5-nvfp4-sglang";
    step.model = "glm-5-nvfp4";
    step.engine = "sglang";
    step.marker = "step[DECODE bs=1]";
    step.device = "NVIDIA RTX PRO 6000 Blackwell Server Edition";
    step.layers = kLayers;
    // The bytes of a step (model/analysis/hbm, batch 1, no context) ÷ (1792 GB/s × 151 ms) are the 3.4 % that
    // the case study reports; 69 % of the GPU time below is the cast.
    step.periodNs = 151'000'000;

    StepBuilder build(step);
    Kernels k{};
    denseKernels(build, k);
    attentionKernels(build, k);
    expertKernels(build, k);
    build.add(k.embedding, 3.4);
    allReduce(build, k);
    for (int layer = 0; layer < kLayers; ++layer) {
        build.layer(static_cast<std::uint16_t>(layer));
        attentionBlock(build, k);
        feedForwardBlock(build, k, layer < kDenseLayers);
    }
    build.layer(PlannedOp::kNoLayer);
    build.add(k.addNorm, 2.6);
    castGemm(build, k, k.head, 260, 140);
    build.add(k.argmax, 9).outside = true;
    build.add(k.copyToken, 1.9).outside = true;

    step.scaleTo(SyntheticGroup::DtypeCast, 102.8e6);
    step.scaleTo(SyntheticGroup::MoeGemm, 19.0e6);
    step.scaleTo(SyntheticGroup::Attention, 6.5e6);
    step.scaleTo(SyntheticGroup::OtherGemm, 5.5e6);
    step.scaleTo(SyntheticGroup::Routing, 1.6e6);
    step.scaleTo(SyntheticGroup::Other, 1.35e6);
    return step;
}

} // namespace lockstep
