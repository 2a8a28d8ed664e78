#include "model/synthetic/presets.h"
#include "model/synthetic/stepbuilder.h"

namespace lockstep {

namespace {

constexpr int kHidden = 7168;
constexpr int kLayers = 61; ///< the first is dense, the others are mixtures of experts
constexpr double kAllReduceUs = 78;
/// All-reduces beyond two a layer: the first also waits for the ranks to start, so they take longer. Their
/// sum closes the gap between 122 × 78 µs + 1125 µs and the 11.17 ms that the case study reports.
constexpr double kFirstAllReduceUs = 123;
constexpr double kTailAllReduceUs = 98.5;
constexpr int kTailAllReduces = 4;
constexpr double kCustomAllReduceUs = 1125;

struct Kernels {
    std::uint16_t embedding, prepare, addNorm, latentNorm, queryDown, queryUp, keyValueDown, absorb, valueUp,
        output, splitReduce, cache, attention, attentionHalf, combine, gate, sharedUp, sharedDown, activation,
        topK, align, sort, marlinUp, marlinDown, sum, add, denseUp, denseDown, head, allReduce,
        customAllReduce, argmax, copyToken;
};

SyntheticKernel gemm(const char* name, int rows, int columns, std::array<int, 3> grid) {
    SyntheticKernel kernel;
    kernel.name = name;
    kernel.group = SyntheticGroup::OtherGemm;
    kernel.grid = grid;
    kernel.block = {384, 1, 1};
    kernel.registers = 168;
    kernel.sharedMemory = 98484;
    kernel.launch = driverLaunch();
    kernel.host = nestedOp("aten::matmul", "aten::mm", {{1, rows}, {rows, columns}});
    return kernel;
}

SyntheticKernel small(const char* name, const char* op, int width) {
    SyntheticKernel kernel;
    kernel.name = name;
    kernel.host = plainOp(op, {{1, width}, {1, width}});
    kernel.hostNs = 4200;
    return kernel;
}

void attentionKernels(StepBuilder& build, Kernels& k) {
    k.cache = build.kernel(
        {"void vllm::concat_and_cache_mla_kernel<__nv_bfloat16, __nv_bfloat16, (vllm::Fp8KVCacheDataType)0>"
         "(__nv_bfloat16 const*, __nv_bfloat16 const*, __nv_bfloat16*, long const*, int, int, int, int, int, "
         "int, "
         "float const*)",
         SyntheticGroup::Attention,
         {1, 1, 1},
         {512, 1, 1},
         32,
         0,
         {},
         plainOp("_C_cache_ops::concat_and_cache_mla", {{1, 512}, {1, 64}}),
         4200});
    SyntheticKernel attention{"void flash::flash_fwd_splitkv_mla_kernel<Flash_fwd_kernel_traits_mla<576, 64, "
                              "64, 8, cutlass::bfloat16_t, "
                              "512>, true, flash::SharedStorageMLA<Flash_fwd_kernel_traits_mla<576, 64, 64, "
                              "8, cutlass::bfloat16_t, 512>>>"
                              "(flash::Flash_fwd_mla_params)",
                              SyntheticGroup::Attention,
                              {1, 1, 94},
                              {256, 1, 1},
                              255,
                              98304,
                              extendedLaunch(),
                              nestedOp("vllm::unified_mla_attention_with_output",
                                       "_vllm_fa2_C::fwd_kvcache_mla", {{1, 8, 576}, {1, 8, 512}}),
                              5000};
    k.attention = build.kernel(attention);
    attention.grid = {1, 1, 47};
    attention.host = plainOp("_vllm_fa2_C::fwd_kvcache_mla", {{1, 8, 576}, {1, 8, 512}});
    k.attentionHalf = build.kernel(attention);
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
         plainOp("_vllm_fa2_C::fwd_combine", {{1, 8, 512}}),
         4200});
}

void projectionKernels(StepBuilder& build, Kernels& k) {
    k.queryDown = build.kernel(gemm("nvjet_sm120_tst_64x8_64x16_4x1_v_bz_TNT", kHidden, 1536, {4, 24, 1}));
    k.queryUp = build.kernel(gemm("nvjet_sm120_tst_64x8_64x16_2x1_v_bz_TNT", 1536, 1536, {2, 24, 1}));
    k.keyValueDown = build.kernel(gemm("nvjet_sm120_tst_64x8_64x16_1x1_v_bz_TNT", kHidden, 576, {1, 9, 4}));
    SyntheticKernel batched = gemm("nvjet_sm120_tst_128x8_64x12_2x1_v_bz_NNT", 128, 512, {2, 4, 8});
    batched.host = plainOp("aten::bmm", {{8, 1, 128}, {8, 128, 512}});
    k.absorb = build.kernel(batched);
    batched.host = plainOp("aten::bmm", {{8, 1, 512}, {8, 512, 128}});
    k.valueUp = build.kernel(batched);
    k.output =
        build.kernel(gemm("nvjet_sm120_tst_64x8_64x16_4x1_v_bz_splitK_TNT", 1024, kHidden, {4, 28, 2}));
    SyntheticKernel reduce = gemm("void cublasLt::splitKreduce_kernel<32, 16, int, float, __nv_bfloat16, "
                                  "float, __nv_bfloat16, false, float, "
                                  "__nv_bfloat16, __nv_bfloat16, true, false, false, "
                                  "false>(cublasLt::cublasSplitKParams<float>, float const*, "
                                  "__nv_bfloat16 const*, float*, __nv_bfloat16*, float const*, float const*, "
                                  "__nv_bfloat16 const*, float const*, "
                                  "__nv_bfloat16*, void*, long, float*, int*, float*, float*, float const*, "
                                  "float const*, float const*, float "
                                  "const*, float const*)",
                                  1024, kHidden, {14, 1, 1});
    reduce.block = {32, 16, 1};
    reduce.launch = extendedLaunch();
    reduce.host = plainOp("aten::mm", {{1, 1024}, {1024, kHidden}});
    k.splitReduce = build.kernel(reduce);
    k.denseUp = build.kernel(gemm("nvjet_sm120_tst_64x8_64x16_4x1_v_bz_NNT", kHidden, 4608, {4, 72, 1}));
    k.denseDown = build.kernel(gemm("nvjet_sm120_tst_64x8_64x16_2x1_v_bz_NNT", 2304, kHidden, {2, 56, 1}));
    k.gate = build.kernel(gemm("nvjet_sm120_tst_64x8_64x16_1x1_h_bz_TNT", kHidden, 384, {1, 6, 8}));
    k.sharedUp = build.kernel(gemm("nvjet_sm120_tst_64x8_64x16_4x1_h_bz_TNT", kHidden, 512, {4, 8, 4}));
    k.sharedDown = build.kernel(gemm("nvjet_sm120_tst_64x8_64x16_2x1_h_bz_TNT", 256, kHidden, {2, 56, 1}));
    k.head = build.kernel(gemm("nvjet_sm120_tst_128x8_64x12_2x1_v_bz_TNT", kHidden, 20480, {2, 80, 1}));
}

void expertKernels(StepBuilder& build, Kernels& k) {
    k.topK = build.kernel(
        {"void vllm::moe::grouped_topk_fused_small_expert_count_kernel<float, float, int, 384, true>"
         "(float*, float*, int*, float const*, long, long, long, long, long, bool, double)",
         SyntheticGroup::Routing,
         {1, 1, 1},
         {256, 1, 1},
         56,
         4096,
         extendedLaunch(),
         nestedOp("vllm::moe_forward_shared", "_moe_C::grouped_topk", {{1, 384}, {384}}),
         5000});
    k.align = build.kernel(
        {"void vllm::moe::moe_align_block_size_kernel<int>(int const*, int*, int*, int*, int, int, int, "
         "int, unsigned long, int*, int)",
         SyntheticGroup::Routing,
         {1, 1, 1},
         {1024, 1, 1},
         40,
         6208,
         {},
         plainOp("_moe_C::moe_align_block_size", {{1, 8}}),
         4200});
    k.sort = build.kernel(
        {"void vllm::moe::count_and_sort_expert_tokens_kernel<int>(int const*, int*, int*, unsigned long, "
         "int, int)",
         SyntheticGroup::Routing,
         {1, 1, 1},
         {256, 1, 1},
         24,
         0,
         {},
         plainOp("_moe_C::moe_align_block_size", {{1, 8}}),
         4200});
    SyntheticKernel marlin{
        "void marlin_moe_wna16::Marlin<1125899906909960l, 1125899907892224l, 1125899906909960l, "
        "1125899907892224l, 256, 1, "
        "8, 8, true, 4, 2, false>(int4 const*, int4 const*, int4*, int4*, int4 const*, int4 const*, float "
        "const*, "
        "unsigned short const*, int4 const*, int const*, int const*, int const*, int const*, float const*, "
        "int, bool, bool, "
        "int, int, int, int, int*, bool, bool, bool)",
        SyntheticGroup::MoeGemm,
        {188, 1, 1},
        {256, 1, 1},
        255,
        98304,
        extendedLaunch(),
        plainOp("_moe_C::moe_wna16_marlin_gemm", {{1, kHidden}, {384, 448, 1024}, {384, 56, 512}}),
        5200};
    k.marlinUp = build.kernel(marlin);
    marlin.host = plainOp("_moe_C::moe_wna16_marlin_gemm", {{8, 256}, {384, 16, 14336}, {384, 8, 7168}});
    k.marlinDown = build.kernel(marlin);
    k.sum = build.kernel(
        {"void vllm::moe::moe_sum_kernel<c10::BFloat16, 8>(c10::BFloat16*, c10::BFloat16 const*, int)",
         SyntheticGroup::Routing,
         {1, 1, 1},
         {1024, 1, 1},
         32,
         0,
         {},
         plainOp("_moe_C::moe_sum", {{1, 8, kHidden}, {1, kHidden}}),
         4200});
}

void smallKernels(StepBuilder& build, Kernels& k) {
    k.embedding = build.kernel(small("void at::native::(anonymous namespace)::vectorized_gather_kernel<16, "
                                     "long>(char*, char*, long*, int, long, "
                                     "long, long, long, bool)",
                                     "aten::embedding", kHidden));
    k.prepare = build.kernel(small("void at::native::vectorized_elementwise_kernel<2, "
                                   "at::native::FillFunctor<long>, std::array<char*, 1ul> "
                                   ">(int, at::native::FillFunctor<long>, std::array<char*, 1ul>)",
                                   "aten::fill_", 1));
    k.addNorm = build.kernel(small("void vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(c10::BFloat16*, "
                                   "long, c10::BFloat16*, c10::BFloat16 "
                                   "const*, float, int, int)",
                                   "_C::fused_add_rms_norm", kHidden));
    k.latentNorm = build.kernel(small("void vllm::rms_norm_kernel<c10::BFloat16, 8, 2>(c10::BFloat16*, "
                                      "c10::BFloat16 const*, long, c10::BFloat16 "
                                      "const*, float, int, int)",
                                      "_C::rms_norm", 1536));
    k.activation = build.kernel(small("void vllm::act_and_mul_kernel<c10::BFloat16, &(c10::BFloat16 "
                                      "vllm::silu_kernel<c10::BFloat16>(c10::BFloat16 "
                                      "const&)), true>(c10::BFloat16*, c10::BFloat16 const*, int)",
                                      "_C::silu_and_mul", 512));
    k.add = build.kernel(small(
        "void at::native::vectorized_elementwise_kernel<8, at::native::CUDAFunctor_add<c10::BFloat16>, "
        "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul>)",
        "aten::add", kHidden));
    k.argmax = build.kernel(small("void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, "
                                  "at::native::ArgMaxOps<float>, unsigned "
                                  "int, long, 4, 4> >(at::native::ReduceOp<float, "
                                  "at::native::ArgMaxOps<float>, unsigned int, long, 4, 4>)",
                                  "aten::argmax", 163840));
    SyntheticKernel copy = small("Memcpy DtoH (Device -> Pinned)", "aten::copy_", 1);
    copy.copyBytes = 8;
    copy.launch = {"cuda_runtime", "cudaMemcpyAsync", 41};
    k.copyToken = build.kernel(copy);
    k.allReduce = build.kernel(ncclAllReduce(kHidden));
    k.customAllReduce = build.kernel({"void vllm::cross_device_reduce_2stage<__nv_bfloat16, "
                                      "8>(vllm::RankData*, vllm::RankSignals, vllm::Signal*, "
                                      "__nv_bfloat16*, int, int)",
                                      SyntheticGroup::AllReduce,
                                      {36, 1, 1},
                                      {512, 1, 1},
                                      56,
                                      0,
                                      {},
                                      nestedOp("vllm::all_reduce", "_C_custom_ar::all_reduce", {{1, 163840}}),
                                      7000});
}

/// Lays the step; each block computes while the all-reduce before it runs, and only its last kernel needs it.
class Plan {
public:
    Plan(StepBuilder& build, const Kernels& kernels)
        : m_build(build)
        , k(kernels) {}

    void head() {
        m_build.add(k.embedding, 3.2);
        for (int i = 0; i < 4; ++i)
            m_build.add(k.prepare, 1.6);
        allReduce(kFirstAllReduceUs);
    }

    void attentionBlock() {
        first(k.addNorm, 2.3);
        const std::int32_t norm = m_build.last();
        side(k.queryDown, 5.6, norm);
        side(k.latentNorm, 1.4);
        side(k.queryUp, 4.6);
        side(k.absorb, 3.2);
        const std::int32_t query = m_build.last();
        m_build.add(k.keyValueDown, 4.6);
        m_build.add(k.latentNorm, 1.4);
        m_build.add(k.cache, 3.3);
        const std::int32_t cache = m_build.last();
        m_build.add(k.attention, 32).afterEnd = query;
        side(k.attentionHalf, 14.5, cache);
        const std::int32_t half = m_build.last();
        m_build.add(k.combine, 4.6).afterEnd = half;
        m_build.add(k.valueUp, 3.6);
        m_build.add(k.output, 5.6);
        last(k.splitReduce, 2.5).stallPoint = true;
        allReduce(kAllReduceUs);
    }

    void denseBlock() {
        first(k.addNorm, 2.3);
        m_build.add(k.denseUp, 36);
        m_build.add(k.activation, 2.2);
        m_build.add(k.denseDown, 20);
        last(k.add, 2.4);
        allReduce(kAllReduceUs);
    }

    void expertBlock() {
        first(k.addNorm, 2.3);
        const std::int32_t norm = m_build.last();
        side(k.sharedUp, 6.6, norm);
        side(k.activation, 1.6);
        const std::int32_t shared = m_build.last();
        side(k.sharedDown, 5);
        m_build.add(k.gate, 3.4);
        // Routing begins after the shared expert's last GEMM has: what follows it are the experts.
        PlannedOp& topK = m_build.add(k.topK, 6);
        topK.afterEnd = shared;
        topK.latencyNs = 1000;
        m_build.add(k.align, 5);
        m_build.add(k.sort, 3.5);
        m_build.add(k.marlinUp, 24);
        m_build.add(k.activation, 2.2);
        m_build.add(k.marlinDown, 16);
        m_build.add(k.sum, 2);
        last(k.add, 2.4);
        allReduce(kAllReduceUs);
    }

    void tail() {
        first(k.addNorm, 2.3);
        m_build.add(k.head, 130);
        for (int i = 0; i < kTailAllReduces; ++i) {
            PlannedOp& add = m_build.add(k.add, 2.4, SyntheticStream::Side);
            add.afterEnd = m_lastAllReduce;
            add.latencyNs = 800;
            allReduce(kTailAllReduceUs);
        }
        PlannedOp& custom = m_build.add(k.customAllReduce, kCustomAllReduceUs);
        custom.collective = true;
        custom.afterEnd = m_lastAllReduce;
        custom.latencyNs = 1000;
        m_build.add(k.argmax, 9).outside = true;
        m_build.add(k.copyToken, 1.9).outside = true;
    }

private:
    void first(std::uint16_t kernel, double microseconds) {
        PlannedOp& op = m_build.add(kernel, microseconds);
        op.afterBegin = m_lastAllReduce;
        op.latencyNs = 600;
    }
    void side(std::uint16_t kernel, double microseconds, std::int32_t afterEnd = -1) {
        PlannedOp& op = m_build.add(kernel, microseconds, SyntheticStream::Side);
        op.afterEnd = afterEnd;
        op.latencyNs = afterEnd >= 0 ? 800 : 500;
    }
    PlannedOp& last(std::uint16_t kernel, double microseconds) {
        PlannedOp& op = m_build.add(kernel, microseconds);
        op.afterEnd = m_lastAllReduce;
        op.latencyNs = 800;
        return op;
    }
    void allReduce(double microseconds) {
        const std::int32_t before = m_build.last();
        PlannedOp& op = m_build.add(k.allReduce, microseconds, SyntheticStream::Communication);
        op.collective = true;
        op.afterEnd = before;
        op.latencyNs = 1000;
        m_lastAllReduce = m_build.last();
    }

    StepBuilder& m_build;
    const Kernels& k;
    std::int32_t m_lastAllReduce = -1;
};

} // namespace

PlannedStep kimiStep() {
    PlannedStep step;
    step.preset = "kimi-k2.5-int4-vllm";
    step.model = "kimi-k2.5-int4";
    step.engine = "vllm";
    step.marker = "execute_context_0(0)_generation_1(1)";
    step.device = "NVIDIA RTX PRO 6000 Blackwell Server Edition";
    step.layers = kLayers;
    step.periodNs = 12'100'000;

    StepBuilder build(step);
    Kernels kernels{};
    smallKernels(build, kernels);
    projectionKernels(build, kernels);
    attentionKernels(build, kernels);
    expertKernels(build, kernels);

    Plan plan(build, kernels);
    plan.head();
    for (int layer = 0; layer < kLayers; ++layer) {
        build.layer(static_cast<std::uint16_t>(layer));
        plan.attentionBlock();
        if (layer == 0)
            plan.denseBlock();
        else
            plan.expertBlock();
    }
    build.layer(PlannedOp::kNoLayer);
    plan.tail();

    step.scaleTo(SyntheticGroup::Attention, 3.32e6);
    step.scaleTo(SyntheticGroup::OtherGemm, 2.90e6);
    step.scaleTo(SyntheticGroup::MoeGemm, 2.40e6);
    step.scaleTo(SyntheticGroup::Routing, 0.99e6);
    step.scaleTo(SyntheticGroup::Other, 0.92e6);
    return step;
}

} // namespace lockstep
