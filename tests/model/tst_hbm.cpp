#include "model/analysis/hbm.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

using testing::HasSubstr;

HbmInputs kimi() {
    HbmInputs inputs;
    inputs.model = findHbmModel("kimi-k2.5-int4").value();
    inputs.device = findHbmDevice("NVIDIA RTX PRO 6000 Blackwell Server Edition").value();
    inputs.tensorParallel = 8;
    inputs.stepNs = 12'100'000;
    return inputs;
}

double bytesOf(const HbmResult& result, std::string_view name) {
    for (const HbmTerm& term : result.terms)
        if (term.name.starts_with(name))
            return term.bytes;
    ADD_FAILURE() << "no term " << name;
    return 0;
}

TEST(Hbm, KimiAtBatchOneIsNear28PercentBesideTheReportedFigure) {
    const HbmResult result = hbmEfficiency(kimi());
    ASSERT_TRUE(result.stepPercent.has_value());
    EXPECT_NEAR(result.stepPercent.value_or(0), 27.8, 0.3);
    EXPECT_EQ(result.reportedPercent.value_or(0), 31.8);
    EXPECT_EQ(result.keyValueBytes, 0);
    EXPECT_THAT(hbmText(result), HasSubstr("27.8 % computed; reported by the case study: 31.8 %"));
}

TEST(Hbm, TermsFollowFromTheModelsDimensions) {
    const HbmResult result = hbmEfficiency(kimi());
    // 60 layers × 8 experts × 3 matrices, INT4 with a bf16 scale to 32 values, on 8 GPUs.
    EXPECT_DOUBLE_EQ(bytesOf(result, "Routed experts"), 60.0 * 8 * 3 * 7168 * 2048 * (0.5 + 2.0 / 32) / 8);
    // The down-projections are whole on every GPU.
    EXPECT_DOUBLE_EQ(bytesOf(result, "Attention down-projections"), 61.0 * 7168 * (1536 + 512 + 64) * 2);
    EXPECT_DOUBLE_EQ(bytesOf(result, "Attention query up-projection"), 61.0 * 1536 * 64 * (128 + 64) * 2 / 8);
    EXPECT_DOUBLE_EQ(bytesOf(result, "Router"), 60.0 * 7168 * 384 * 2);
    EXPECT_DOUBLE_EQ(bytesOf(result, "Dense MLP"), 3.0 * 7168 * 18432 * 2 / 8);
    EXPECT_DOUBLE_EQ(bytesOf(result, "Output head"), 7168.0 * 163840 * 2 / 8);
    double sum = 0;
    for (const HbmTerm& term : result.terms)
        sum += term.bytes;
    EXPECT_DOUBLE_EQ(sum, result.bytes());
}

TEST(Hbm, BatchHitsMoreExpertsButNeverMoreThanThereAre) {
    EXPECT_NEAR(expectedExpertsHit(384, 8, 1), 8, 1e-12);
    EXPECT_NEAR(expectedExpertsHit(8, 8, 1), 8, 1e-12);
    EXPECT_NEAR(expectedExpertsHit(384, 8, 2), 384 * (1 - std::pow(376.0 / 384, 2)), 1e-9);
    EXPECT_LT(expectedExpertsHit(384, 8, 10000), 384.0001);
    EXPECT_GT(expectedExpertsHit(384, 8, 10000), 383.9);
}

TEST(Hbm, LatentCacheIsReadWholeOnEveryGpuByContext) {
    HbmInputs inputs = kimi();
    inputs.contextTokens = 4096;
    inputs.batch = 2;
    const HbmResult result = hbmEfficiency(inputs);
    EXPECT_DOUBLE_EQ(result.keyValueBytes, 61.0 * 2 * 4096 * (512 + 64) * 2);
    EXPECT_GT(result.stepPercent.value_or(0), result.stepWeightsPercent.value_or(100));
}

TEST(Hbm, SparseAttentionReadsChosenEntriesAndAllIndexerKeys) {
    HbmInputs inputs = kimi();
    inputs.model = findHbmModel("GLM-5").value();
    inputs.contextTokens = 100'000;
    const HbmResult result = hbmEfficiency(inputs);
    EXPECT_DOUBLE_EQ(bytesOf(result, "KV cache"), 78.0 * 2048 * 576 * 2);
    EXPECT_DOUBLE_EQ(bytesOf(result, "Indexer's keys"), 78.0 * 100'000 * 128 * 2);
    // 192 without and 64 with position, 256 of value.
    EXPECT_DOUBLE_EQ(bytesOf(result, "Attention key and value up"), 78.0 * 512 * 64 * (192 + 256) * 2 / 8);
}

TEST(Hbm, GroupedHeadsAreCopiedWhereGpusOutnumberThem) {
    HbmInputs inputs = kimi();
    inputs.model = findHbmModel("qwen3-235b-a22b").value();
    const HbmResult eight = hbmEfficiency(inputs);
    inputs.tensorParallel = 4;
    const HbmResult four = hbmEfficiency(inputs);
    EXPECT_DOUBLE_EQ(bytesOf(eight, "Attention key and value"), bytesOf(four, "Attention key and value"));
    EXPECT_DOUBLE_EQ(bytesOf(eight, "Attention query and output") * 2,
                     bytesOf(four, "Attention query and output"));
}

TEST(Hbm, FigureOverOneHundredPercentIsAWrongInputAndNotGiven) {
    HbmInputs inputs = kimi();
    inputs.stepNs = 1'000'000;
    const HbmResult result = hbmEfficiency(inputs);
    EXPECT_FALSE(result.stepPercent.has_value());
    ASSERT_EQ(result.problems.size(), 1U);
    EXPECT_THAT(result.problems.front(), HasSubstr("337 %, which cannot be"));
    const nlohmann::ordered_json json = hbmJson(result);
    EXPECT_TRUE(json["step_efficiency_percent"].is_null());
    EXPECT_EQ(json["problems"].size(), 1U);
}

TEST(Hbm, JsonHasTheContractsKeysAndEveryInput) {
    HbmInputs inputs = kimi();
    inputs.kernelNs = 8'620'000;
    const nlohmann::ordered_json json = hbmJson(hbmEfficiency(inputs));
    for (const char* key : {"model", "hardware", "bytes_per_step_per_gpu", "peak_bytes_per_s",
                            "step_efficiency_percent", "kernel_efficiency_percent", "inputs"})
        EXPECT_TRUE(json.contains(key)) << key;
    EXPECT_EQ(json["peak_bytes_per_s"], 1792e9);
    EXPECT_NEAR(json["kernel_efficiency_percent"].get<double>(), 39.0, 0.3);
    EXPECT_EQ(json["inputs"]["tensor_parallel"], 8);
    EXPECT_EQ(json["inputs"]["widths"]["routed_experts"], "int4_g32");
}

TEST(Hbm, NothingIsReportedForAModelTheCaseStudyDoesNotKnow) {
    HbmInputs inputs = kimi();
    inputs.model = findHbmModel("deepseek-v3").value();
    EXPECT_FALSE(hbmEfficiency(inputs).reportedPercent.has_value());
}

struct DeviceCase {
    const char* text;
    const char* name;
    double gigabytesPerSecond;
};

class HbmDevices : public testing::TestWithParam<DeviceCase> {};

TEST_P(HbmDevices, AreFoundByTheNameATraceGives) {
    const Result<HbmDevice> device = findHbmDevice(GetParam().text);
    ASSERT_TRUE(device.has_value()) << GetParam().text;
    EXPECT_EQ(device->name, GetParam().name);
    EXPECT_DOUBLE_EQ(device->bytesPerSecond, GetParam().gigabytesPerSecond * 1e9);
}

INSTANTIATE_TEST_SUITE_P(
    Names, HbmDevices,
    testing::Values(
        DeviceCase{"NVIDIA RTX PRO 6000 Blackwell Server Edition", "rtx-pro-6000-blackwell", 1792},
        DeviceCase{"NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", "rtx-pro-6000-blackwell", 1792},
        DeviceCase{"NVIDIA H100 80GB HBM3", "h100-sxm", 3350},
        DeviceCase{"NVIDIA H100 PCIe", "h100-pcie", 2000}, DeviceCase{"NVIDIA H200", "h200", 4800},
        DeviceCase{"NVIDIA B200", "b200", 8000}, DeviceCase{"NVIDIA GB200", "gb200", 8000},
        DeviceCase{"AMD Instinct MI300X", "mi300x", 5300}, DeviceCase{"AMD Instinct MI355X", "mi355x", 8000},
        DeviceCase{"NVIDIA A100-SXM4-80GB", "a100-sxm-80", 2039},
        DeviceCase{"NVIDIA A100-SXM4-40GB", "a100-sxm-40", 1555},
        DeviceCase{"NVIDIA A100 80GB PCIe", "a100-pcie-80", 1935}, DeviceCase{"NVIDIA L40S", "l40s", 864},
        DeviceCase{"NVIDIA L4", "l4", 300}, DeviceCase{"NVIDIA GeForce RTX 4090", "rtx-4090", 1008},
        DeviceCase{"NVIDIA GeForce RTX 5090", "rtx-5090", 1792},
        DeviceCase{"NVIDIA GeForce RTX 5090 Laptop GPU", "rtx-5090-laptop", 896},
        DeviceCase{"h100-sxm", "h100-sxm", 3350}, DeviceCase{"1.5 TB/s", "1.5 TB/s", 1500}));

TEST(HbmDevice, UnknownDeviceIsAskedForAndNeverAssumed) {
    for (const char* name : {"NVIDIA H100", "Some Future GPU", "", "1792"}) {
        const Result<HbmDevice> device = findHbmDevice(name);
        ASSERT_FALSE(device.has_value()) << name;
        EXPECT_THAT(device.error().message, HasSubstr("--hardware 1792GB/s"));
    }
}

TEST(HbmModels, AllBuiltInModelsAreWholeAndAnswerToTheirNames) {
    const std::vector<std::string> names = hbmModelNames();
    EXPECT_GE(names.size(), 8U);
    for (const std::string& name : names) {
        const Result<HbmModel> model = findHbmModel(name);
        ASSERT_TRUE(model.has_value()) << name;
        EXPECT_FALSE(model->source.empty()) << name;
        HbmInputs inputs = kimi();
        inputs.model = *model;
        EXPECT_GT(hbmEfficiency(inputs).bytes(), 1e8) << name;
    }
    EXPECT_EQ(findHbmModel("Kimi K2.5")->name, "kimi-k2.5-int4");
}

TEST(HbmModels, ActiveParametersComeOutAsPublished) {
    // Elements a token reads over the whole model: 671B-A37B, 235B-A22B, 30B-A3B.
    const std::vector<std::pair<std::string, double>> published{
        {"deepseek-v3", 37e9}, {"qwen3-235b-a22b", 22e9}, {"qwen3-30b-a3b", 3.1e9}};
    for (const auto& [name, active] : published) {
        HbmInputs inputs = kimi();
        inputs.model = findHbmModel(name).value();
        inputs.tensorParallel = 1;
        double elements = 0;
        for (const HbmTerm& term : hbmEfficiency(inputs).terms)
            elements += term.elements;
        EXPECT_NEAR(elements / active, 1, 0.05) << name;
    }
}

TEST(HbmModels, FileOfTheSameFormIsReadAndAWrongOneNamed) {
    const test::TemporaryFolder folder;
    const std::string good =
        folder.write("mine.json", R"({"name":"mine","layers":2,"dense_layers":2,"hidden":64,
        "dense_intermediate":256,"vocabulary":1000,"attention":{"kind":"gqa","heads":4,"kv_heads":2,"head":16},
        "widths":{"attention":"fp8"}})");
    ASSERT_TRUE(findHbmModel(good).has_value());
    EXPECT_EQ(findHbmModel(good)->widthOf("attention"), "fp8");
    EXPECT_EQ(findHbmModel(good)->widthOf("head"), "bf16");
    const std::string bad =
        folder.write("bad.json", R"({"name":"bad","layers":2,"hidden":-1,"vocabulary":5})");
    ASSERT_FALSE(findHbmModel(bad).has_value());
    EXPECT_THAT(findHbmModel(bad).error().toLine(), HasSubstr("hidden"));
    EXPECT_THAT(findHbmModel("nobody's").error().message, HasSubstr("kimi-k2.5-int4"));
    EXPECT_FALSE(parseHbmModel("[]", "x").has_value());
    EXPECT_THAT(
        parseHbmModel(
            R"({"name":"w","layers":1,"dense_layers":1,"hidden":8,"dense_intermediate":8,"vocabulary":8,
        "attention":{"kind":"gqa","heads":1,"kv_heads":1,"head":8},"widths":{"attention":"int3"}})",
            "w.json")
            .error()
            .message,
        HasSubstr("widths.attention"));
}

} // namespace
} // namespace lockstep
