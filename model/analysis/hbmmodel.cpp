#include "model/analysis/hbmmodel.h"

#include "model/core/resource.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <optional>

namespace lockstep {

namespace {

struct Width {
    std::string_view name;
    double bytes;
    std::string_view description;
};

constexpr std::array kWidths{
    Width{"fp32", 4, "32-bit float"},
    Width{"bf16", 2, "16-bit bfloat"},
    Width{"fp16", 2, "16-bit float"},
    Width{"fp8", 1, "8-bit float, one scale a tensor"},
    Width{"fp8_b128", 1 + 4.0 / (128 * 128), "8-bit float, blocks of 128 × 128 with an fp32 scale"},
    Width{"int8", 1, "8-bit integer, one scale a channel"},
    Width{"int4_g32", 0.5 + 2.0 / 32, "INT4, groups of 32 with a bf16 scale"},
    Width{"int4_g64", 0.5 + 2.0 / 64, "INT4, groups of 64 with a bf16 scale"},
    Width{"int4_g128", 0.5 + 2.0 / 128, "INT4, groups of 128 with a bf16 scale"},
    Width{"nvfp4", 0.5 + 1.0 / 16, "NVFP4, blocks of 16 with an fp8 scale"},
    Width{"mxfp4", 0.5 + 1.0 / 32, "MXFP4, blocks of 32 with an 8-bit scale"},
};

constexpr std::array<std::string_view, 9> kParts{"attention",      "dense_mlp", "shared_experts",
                                                 "routed_experts", "router",    "indexer",
                                                 "head",           "norms",     "kv_cache"};

/// Lower case, letters and digits only.
std::string plain(std::string_view text) {
    std::string result;
    for (const char c : text)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            result.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    return result;
}

Error error(std::string_view file, std::string message) {
    return {ErrorCode::BadArgument, std::string(file), {}, std::move(message)};
}

/// Reads whole numbers from one JSON object and remembers the first that is missing or absurd.
class Fields {
public:
    Fields(const nlohmann::json& object, std::string where)
        : m_object(object)
        , m_where(std::move(where)) {}

    std::int64_t number(const char* key, std::int64_t least, std::optional<std::int64_t> otherwise = {}) {
        constexpr std::int64_t kMost = 1'000'000'000;
        const auto found = m_object.find(key);
        if (found == m_object.end() && otherwise)
            return *otherwise;
        if (found == m_object.end() || !found->is_number_integer()) {
            fail(fmt::format("\"{}{}\" must be a whole number", m_where, key));
            return least;
        }
        const auto value = found->get<std::int64_t>();
        if (value < least || value > kMost)
            fail(fmt::format("\"{}{}\" is {}, which cannot be", m_where, key, value));
        return value;
    }
    std::string text(const char* key) const {
        const auto found = m_object.find(key);
        return found != m_object.end() && found->is_string() ? found->get<std::string>() : std::string();
    }
    void fail(std::string problem) {
        if (m_problem.empty())
            m_problem = std::move(problem);
    }
    [[nodiscard]] const std::string& problem() const { return m_problem; }

private:
    const nlohmann::json& m_object;
    std::string m_where;
    std::string m_problem;
};

std::string readAttention(const nlohmann::json& document, HbmModel& model) {
    const auto found = document.find("attention");
    if (found == document.end() || !found->is_object())
        return "\"attention\" is missing";
    Fields fields(*found, "attention.");
    model.heads = fields.number("heads", 1);
    const std::string kind = fields.text("kind");
    if (kind == "mla") {
        model.attention = HbmModel::Attention::Latent;
        model.queryRank = fields.number("q_lora", 1);
        model.latentRank = fields.number("kv_lora", 1);
        model.ropeSize = fields.number("rope", 0);
        model.nopeSize = fields.number("nope", 1);
        model.valueSize = fields.number("v", 1);
    } else if (kind == "gqa") {
        model.attention = HbmModel::Attention::Grouped;
        model.keyValueHeads = fields.number("kv_heads", 1);
        model.headSize = fields.number("head", 1);
    } else {
        fields.fail("\"attention.kind\" must be \"mla\" or \"gqa\"");
    }
    return fields.problem();
}

std::string readExperts(const nlohmann::json& document, HbmModel& model) {
    const auto found = document.find("experts");
    if (found == document.end())
        return model.denseLayers == model.layers ? ""
                                                 : "\"experts\" is missing, though not all layers are dense";
    Fields fields(*found, "experts.");
    model.routedExperts = fields.number("routed", 1);
    model.expertsPerToken = fields.number("per_token", 1);
    model.sharedExperts = fields.number("shared", 0, 0);
    model.expertIntermediate = fields.number("intermediate", 1);
    if (model.expertsPerToken > model.routedExperts)
        fields.fail("\"experts.per_token\" exceeds \"experts.routed\"");
    return fields.problem();
}

std::string readIndexer(const nlohmann::json& document, HbmModel& model) {
    const auto found = document.find("indexer");
    if (found == document.end())
        return {};
    Fields fields(*found, "indexer.");
    model.indexerHeads = fields.number("heads", 1);
    model.indexerHeadSize = fields.number("head", 1);
    model.indexerTopK = fields.number("top_k", 1);
    return fields.problem();
}

std::string readWidths(const nlohmann::json& document, HbmModel& model) {
    const auto found = document.find("widths");
    if (found == document.end() || !found->is_object())
        return "\"widths\" is missing";
    for (const auto& [part, width] : found->items()) {
        if (std::find(kParts.begin(), kParts.end(), part) == kParts.end())
            return fmt::format("\"widths.{}\" is no part; parts are {}", part, fmt::join(kParts, ", "));
        if (!width.is_string() || bytesPerElement(width.get<std::string>()) <= 0)
            return fmt::format("\"widths.{}\" is no width; widths are {}", part,
                               fmt::join(widthNames(), ", "));
        model.widths[part] = width.get<std::string>();
    }
    return {};
}

std::string readShape(const nlohmann::json& document, HbmModel& model) {
    Fields fields(document, "");
    model.name = fields.text("name");
    model.title = fields.text("title");
    model.source = fields.text("source");
    if (model.name.empty())
        return "\"name\" is missing";
    if (model.title.empty())
        model.title = model.name;
    if (const auto found = document.find("aliases"); found != document.end() && found->is_array())
        for (const auto& alias : *found)
            if (alias.is_string())
                model.aliases.push_back(alias.get<std::string>());
    model.layers = static_cast<int>(fields.number("layers", 1));
    model.denseLayers = static_cast<int>(fields.number("dense_layers", 0, 0));
    model.hidden = fields.number("hidden", 1);
    model.denseIntermediate = fields.number("dense_intermediate", model.denseLayers > 0 ? 1 : 0, 0);
    model.vocabulary = fields.number("vocabulary", 1);
    if (model.denseLayers > model.layers)
        fields.fail("\"dense_layers\" exceeds \"layers\"");
    return fields.problem();
}

} // namespace

std::string_view HbmModel::widthOf(std::string_view part) const {
    const auto found = widths.find(part);
    return found == widths.end() ? std::string_view("bf16") : std::string_view(found->second);
}

double bytesPerElement(std::string_view width) {
    for (const Width& known : kWidths)
        if (known.name == width)
            return known.bytes;
    return 0;
}

std::string_view describeWidth(std::string_view width) {
    for (const Width& known : kWidths)
        if (known.name == width)
            return known.description;
    return {};
}

std::vector<std::string_view> widthNames() {
    std::vector<std::string_view> names;
    for (const Width& known : kWidths)
        names.push_back(known.name);
    return names;
}

Result<HbmModel> parseHbmModel(std::string_view text, std::string_view file) {
    const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
    if (!document.is_object())
        return make_unexpected(error(file, "is not a JSON object; see resources/models for the form"));
    HbmModel model;
    for (const auto read : {readShape, readAttention, readExperts, readIndexer, readWidths})
        if (std::string problem = read(document, model); !problem.empty())
            return make_unexpected(error(file, std::move(problem)));
    return model;
}

std::vector<std::string> hbmModelNames() {
    std::vector<std::string> names;
    for (const std::string_view path : builtinResources("models/"))
        if (const Result<HbmModel> model = parseHbmModel(builtinResource(path), path))
            names.push_back(model->name);
    return names;
}

Result<HbmModel> findHbmModel(std::string_view nameOrFile) {
    const std::string wanted = plain(nameOrFile);
    for (const std::string_view path : builtinResources("models/")) {
        Result<HbmModel> model = parseHbmModel(builtinResource(path), path);
        if (!model)
            return model;
        const auto isAlias = [&](const std::string& alias) {
            return plain(alias) == wanted;
        };
        if (plain(model->name) == wanted ||
            std::any_of(model->aliases.begin(), model->aliases.end(), isAlias))
            return model;
    }
    if (std::ifstream stream{std::string(nameOrFile), std::ios::binary};
        stream && nameOrFile.ends_with(".json"))
        return parseHbmModel(std::string(std::istreambuf_iterator<char>(stream), {}), nameOrFile);
    return make_unexpected(
        error("", fmt::format("there is no model \"{}\"; give one of {}, or a JSON file of the same form",
                              nameOrFile, fmt::join(hbmModelNames(), ", "))));
}

} // namespace lockstep
