#include "model/run/kernelnames.h"
#include "model/run/steps.h"
#include "tests/support/decoderun.h"
#include "tests/support/memorytrace.h"

#include <set>

#include <gtest/gtest.h>

namespace lockstep::test {
namespace {

/// Adds kernels one after the other, all in one step.
class OneStep {
public:
    explicit OneStep(std::size_t ranks = 1)
        : m_builder(ranks) {
        m_builder.annotation(0, "execute_context_0(0)_generation_1(1)", 900'000, 100'000'000);
    }
    OneStep& run(const std::vector<std::string>& names, int stream = 7) {
        for (const std::string& name : names) {
            m_builder.kernel(0, name, m_at, 2'000, 1'000, stream);
            m_at += 3'000;
        }
        return *this;
    }
    [[nodiscard]] StepTable find() const { return findSteps(*m_builder.build()); }
    /// For each kernel its layer; -1: none.
    [[nodiscard]] std::vector<int> layers() const {
        const StepTable table = find();
        std::vector<int> found;
        for (std::size_t i = 0; i < table.ranks[0].events.size(); ++i) {
            const std::uint16_t layer = table.ranks[0].layerOf(i);
            found.push_back(layer == RankActivities::kNoLayer ? -1 : layer);
        }
        return found;
    }

private:
    MemoryRun m_builder;
    TimeNs m_at = 1'000'000;
};

const std::string kAllReduce = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(int)";

TEST(Layers, HeadAndTailOfAStepBelongToNone) {
    OneStep step;
    step.run({"embedding"});
    for (int layer = 0; layer < 3; ++layer)
        step.run({"norm", "qkv", "flash_fwd_splitkv_kernel", "out", kAllReduce, "mlp", kAllReduce});
    step.run({"lm_head", "argmax"});
    std::vector<int> wanted{-1};
    for (int layer = 0; layer < 3; ++layer)
        wanted.insert(wanted.end(), 7, layer);
    wanted.insert(wanted.end(), 2, -1);
    EXPECT_EQ(step.layers(), wanted);
    EXPECT_EQ(step.find().steps[0].ranks[0].layers, 3u);
}

TEST(Layers, SeveralAttentionKernelsOfOneLayerCountOnce) {
    OneStep step;
    for (int layer = 0; layer < 4; ++layer)
        step.run({"norm", "concat_and_cache_mla_kernel", "flash_fwd_splitkv_mla_kernel",
                  "flash_fwd_splitkv_mla_combine_kernel", "mla_decode_kernel", "out", kAllReduce, "moe",
                  kAllReduce});
    EXPECT_EQ(step.find().steps[0].ranks[0].layers, 4u);
}

TEST(Layers, AlternatingKindsOfAttentionAreOneLayerEach) {
    OneStep step;
    for (int layer = 0; layer < 6; ++layer)
        step.run({"norm", "qkv", layer % 2 == 0 ? "flash_sliding_kernel" : "fmhaSm100fKernel_QkvFull", "out",
                  kAllReduce, "mlp", kAllReduce});
    EXPECT_EQ(step.find().steps[0].ranks[0].layers, 6u);
}

TEST(Layers, AreFoundWithoutCollectives) {
    OneStep step;
    for (int layer = 0; layer < 5; ++layer)
        step.run({"norm", "qkv", "BatchDecodeWithPagedKVCacheKernel", "out", "norm2", "up", "act", "down"});
    step.run({"lm_head"});
    EXPECT_EQ(step.find().steps[0].ranks[0].layers, 5u);
}

TEST(Layers, AreFoundWithoutAnyKnownAttention) {
    OneStep step;
    step.run({"start"});
    for (int layer = 0; layer < 7; ++layer)
        step.run({"linear_a", "mystery", "linear_b", "other"});
    step.run({"end"});
    EXPECT_EQ(step.find().steps[0].ranks[0].layers, 7u);
}

TEST(Layers, WorkOnASecondStreamBelongsToTheLayerThatItRunsIn) {
    OneStep step;
    for (int layer = 0; layer < 3; ++layer)
        step.run({"norm", "flash_kernel", "out", kAllReduce})
            .run({"shared_expert"}, 20 + layer)
            .run({"moe", kAllReduce});
    const std::vector<int> layers = step.layers();
    for (int layer = 0; layer < 3; ++layer)
        EXPECT_EQ(layers[static_cast<std::size_t>(layer) * 7 + 4], layer);
}

TEST(Layers, AKernelThatRanOnlyHereDoesNotShiftThem) {
    DecodeRunOptions options;
    options.stalls = {{2, 5, 1, 300'000, InjectedCause::Kernel}};
    const StepTable table = findSteps(*decodeRun(options));
    for (const Step& step : table.steps)
        for (const RankStep& rank : step.ranks)
            EXPECT_EQ(rank.layers, 6u);
}

TEST(AttentionNames, AttentionIsToldFromWhatStandsAroundIt) {
    for (const std::string_view name :
         {"cudnn_generated_fort_native_sdpa_sm80_flash_fprop_wmma_f16_knob_35_16x128x256_1x",
          "void cutlass::device_kernel<flash::FlashAttnFwdSm90<int> >(int)",
          "void flash_fwd_splitkv_mla_kernel<1>(int)", "fmhaSm100fKernel_QkvE4m3OBfloat16H128PagedKv",
          "void BatchPrefillWithPagedKVCacheKernel<1>(int)",
          "void flashinfer::mla::BatchMLAPagedAttentionKernel<1>(int)", "_fwd_grouped_kernel_stage1_attn"})
        EXPECT_TRUE(isAttentionCore(name)) << name;
    for (const std::string_view name :
         {"void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<int> >(int)",
          "void vllm::reshape_and_cache_flash_kernel<1>(int)", "void FlashAttnFwdCombine<float>(int)",
          "void flash::prepare_varlen_num_blocks_kernel<1>(int)", "fmhaReductionKernel",
          "void flashinfer::activation::act_and_mul_kernel<int>(int)",
          "void flashinfer::sampling::SamplingKernel<1>(int)", "concat_and_cache_mla_kernel",
          "fp8_paged_mqa_logits", "nvjet_sm90_tst_64x8_64x16_4x1_v_bz_NNT"})
        EXPECT_FALSE(isAttentionCore(name)) << name;
}

} // namespace
} // namespace lockstep::test
